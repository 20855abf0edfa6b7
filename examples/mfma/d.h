/* matrix[row 32, column 32, word 1] cell of each register[lane 64, register 16, word 1] cell; exact on every cell. */
/* v_mfma_f32_32x32x16_bf16:D: observed by probe mfma_operands on emulator (gfx950), evidence emulator */
#ifndef LANEMAP_FUNCTION
#if defined(__CUDACC__) || defined(__HIPCC__)
#define LANEMAP_FUNCTION static constexpr __host__ __device__ __forceinline__
#else
#define LANEMAP_FUNCTION static inline
#endif
#endif

LANEMAP_FUNCTION int d_defined(int lane, int reg, int word) {
    (void)lane; (void)reg; (void)word;
    return 1;
}
LANEMAP_FUNCTION int d_row(int lane, int reg, int word) {
    (void)lane; (void)reg; (void)word;
    return ((lane & 32) >> 3) | (reg & 3) | ((reg & 12) << 1);
}
LANEMAP_FUNCTION int d_column(int lane, int reg, int word) {
    (void)lane; (void)reg; (void)word;
    return lane & 31;
}
LANEMAP_FUNCTION int d_word(int lane, int reg, int word) {
    (void)lane; (void)reg; (void)word;
    return 0;
}
