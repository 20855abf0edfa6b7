// clang 22 from -O1 on: both conversions of a line become one instruction with the inline constant 1.0.
typedef __attribute__((ext_vector_type(2))) short s2;
typedef __attribute__((ext_vector_type(2))) _Float16 h2;
typedef __attribute__((ext_vector_type(2))) __bf16 b2;
#define F16 __builtin_amdgcn_cvt_scalef32_pk_fp8_f16
#define BF16 __builtin_amdgcn_cvt_scalef32_pk_fp8_bf16
__attribute__((amdgpu_kernel)) void packed_one(__attribute__((address_space(1))) s2 *out, float scale) {
    out[0] = F16((s2){0, 0}, (h2){1, 1}, scale, 0), out[1] = F16((s2){0, 0}, (h2){1, 0}, scale, 0);
    out[2] = BF16((s2){0, 0}, (b2){1, 1}, scale, 0), out[3] = BF16((s2){0, 0}, (b2){1, 0}, scale, 0);
}
