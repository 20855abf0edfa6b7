// Found by the random generator: clang 22 at -O0 divides in 24 bits, though the dividend may have 32.
#include "corpus.h"
CASE(random_case, u32, u32, 2, 2) {
    out[0] = (u32)((i32)in[0] >> 19) / ((u32)POPCOUNT(in[1]) | 1u);
    out[1] = (u32)((i32)in[0] >> 19) % ((u32)POPCOUNT(in[1]) | 1u);
}
