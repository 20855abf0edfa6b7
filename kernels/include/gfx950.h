// The instructions of gfx950 that lds_attention chooses, each behind one function.
#pragma once

#define INLINE static inline __attribute__((always_inline))
#define LDS __attribute__((address_space(3)))

typedef unsigned int u32;
typedef unsigned long long u64;
typedef u32 u32x2 __attribute__((ext_vector_type(2)));
typedef u32 u32x4 __attribute__((ext_vector_type(4)));
typedef int i32x2 __attribute__((ext_vector_type(2)));
typedef int i32x8 __attribute__((ext_vector_type(8)));
typedef long i64x4 __attribute__((ext_vector_type(4)));
typedef float f32x4 __attribute__((ext_vector_type(4)));
typedef float f32x16 __attribute__((ext_vector_type(16)));

// A builtin's bit cast of `x.zw` takes `x.xy` with clang 22.
INLINE u64 low_of(u32x4 x) { return (u64)x.x | (u64)x.y << 32; }
INLINE u64 high_of(u32x4 x) { return (u64)x.z | (u64)x.w << 32; }

// -- LDS: addresses are byte offsets in the workgroup's memory ---------------------------------

INLINE u64 read_b64(u32 address) { return *(const LDS u64 *)address; }
INLINE u32x4 read_b128(u32 address) { return *(const LDS u32x4 *)address; }

// Each lane's address is that of the 8 bytes that the lane lends to its group of 16 lanes.
INLINE u64 read_tr8(u32 address) {
    i32x2 words = __builtin_amdgcn_ds_read_tr8_b64_v2i32((LDS i32x2 *)address);
    return __builtin_bit_cast(u64, words);
}

INLINE void write_b8(u32 address, u32 byte) { *(LDS unsigned char *)address = (unsigned char)byte; }
INLINE void write_b64(u32 address, u64 value) {
    *(LDS u64 *)address = value;
    asm volatile("" ::: "memory"); // or clang makes one instruction of two neighbors
}
INLINE void write_b128(u32 address, u32x4 value) { *(LDS u32x4 *)address = value; }

// Words at `address` and 8 bytes further on: the offsets count words.
#define WRITE2_B32(address, first, second)                                       \
    asm volatile("ds_write2_b32 %0, %1, %2 offset0:0 offset1:2" ::"v"(address),   \
                 "v"(first), "v"(second) : "memory")

// -- Global memory through a buffer: what lies outside reads as 0 and is not written ------------

typedef __amdgpu_buffer_rsrc_t Buffer;

// The word of a descriptor that says "raw": 32-bit data format, no swizzle.
#define RAW_BUFFER 0x00027000

INLINE Buffer buffer_of(const void *base, u32 bytes) {
    return __builtin_amdgcn_make_buffer_rsrc((void *)base, 0, bytes, RAW_BUFFER);
}

INLINE u32 load_b32(Buffer from, u32 offset) {
    return __builtin_amdgcn_raw_buffer_load_b32(from, offset, 0, 0);
}
INLINE u32x4 load_b128(Buffer from, u32 offset) {
    return __builtin_bit_cast(u32x4, __builtin_amdgcn_raw_buffer_load_b128(from, offset, 0, 0));
}

// To LDS without registers: lane l's bytes go to `to` + 4 l (+ 16 l), whatever its source is.
INLINE void copy_b32(Buffer from, u32 offset, u32 to) {
    __builtin_amdgcn_raw_ptr_buffer_load_lds(from, (LDS void *)to, 4, offset, 0, 0, 0);
}
INLINE void copy_b128(Buffer from, u32 offset, u32 to) {
    __builtin_amdgcn_raw_ptr_buffer_load_lds(from, (LDS void *)to, 16, offset, 0, 0, 0);
}

// vmcnt(0), and nothing of the other counters.
INLINE void wait_for_copies(void) { __builtin_amdgcn_s_waitcnt(0x0f70); }

// vmcnt(0) and lgkmcnt(0): clang does not know the writes that stand in assembly.
INLINE void barrier(void) {
    __builtin_amdgcn_s_waitcnt(0x0070);
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

// -- Lanes ---------------------------------------------------------------------------------------

// Bytes 0 to 3 are those of `low`, 4 to 7 those of `high`.
INLINE u32 bytes_of(u32 low, u32 high, u32 selector) {
    return __builtin_amdgcn_perm(high, low, selector);
}
INLINE u32 from_lane(u32 lane, u32 value) {
    return (u32)__builtin_amdgcn_ds_bpermute((int)(4 * lane), (int)value);
}
// From lane XOR `distance` of four lanes.
#define FROM_QUAD(distance, value)                                                               \
    (u32) __builtin_amdgcn_mov_dpp((int)(value),                                                 \
        (0 ^ (distance)) | (1 ^ (distance)) << 2 | (2 ^ (distance)) << 4 | (3 ^ (distance)) << 6, \
        0xf, 0xf, 1)

// Lanes 32 to 63 of `first` and lanes 0 to 31 of `second` change places.
INLINE void swap_halves(u32 *first, u32 *second) {
    u32x2 swapped =
        __builtin_bit_cast(u32x2, __builtin_amdgcn_permlane32_swap(*first, *second, 0, 0));
    *first = swapped.x;
    *second = swapped.y;
}

// -- Matrices: chunk n of an operand is the 8 bytes that a lane holds for step n of 16 k ----------

#if MFMA_K == 16
#define CHUNKS_OF_MFMA 1
INLINE f32x16 multiply(const u64 *a, const u64 *b, f32x16 c) {
    return __builtin_amdgcn_mfma_f32_32x32x16_fp8_fp8((long)*a, (long)*b, c, 0, 0, 0);
}
#else
#define CHUNKS_OF_MFMA 4
INLINE i32x8 four(const u64 *chunks) {
    i64x4 all = {(long)chunks[0], (long)chunks[1], (long)chunks[2], (long)chunks[3]};
    return __builtin_bit_cast(i32x8, all);
}
// Formats 0, 0: e4m3 (OCP). Without scales clang selects the instruction that has none.
INLINE f32x16 multiply(const u64 *a, const u64 *b, f32x16 c) {
    return __builtin_amdgcn_mfma_scale_f32_32x32x64_f8f6f4(four(a), four(b), c, 0, 0, 0, 0, 0, 0);
}
#endif
