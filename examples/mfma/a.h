/* matrix[row 32, k 16, half 1] cell of each register[lane 64, register 4, half 2] cell; exact on every cell. */
/* v_mfma_f32_32x32x16_bf16:A: observed by probe mfma_operands on emulator (gfx950), evidence emulator */
#ifndef LANEMAP_FUNCTION
#if defined(__CUDACC__) || defined(__HIPCC__)
#define LANEMAP_FUNCTION static constexpr __host__ __device__ __forceinline__
#else
#define LANEMAP_FUNCTION static inline
#endif
#endif

LANEMAP_FUNCTION int a_defined(int lane, int reg, int half) {
    (void)lane; (void)reg; (void)half;
    return 1;
}
LANEMAP_FUNCTION int a_row(int lane, int reg, int half) {
    (void)lane; (void)reg; (void)half;
    return lane & 31;
}
LANEMAP_FUNCTION int a_k(int lane, int reg, int half) {
    (void)lane; (void)reg; (void)half;
    return ((lane & 32) >> 2) | (reg << 1) | half;
}
LANEMAP_FUNCTION int a_half(int lane, int reg, int half) {
    (void)lane; (void)reg; (void)half;
    return 0;
}
