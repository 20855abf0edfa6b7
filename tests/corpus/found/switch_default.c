// clang 22, -O1 to -O3: x is wrong where a ^ d is odd and c & 3 is 3, one of two ways to the default.
// https://github.com/llvm/llvm-project/pull/183792 is on this hoisting in StructurizeCFG.
#include "corpus.h"
CASE(random_case, u32, u32, 4, 2) {
    u32 a = in[0], b = in[1], c = in[2], d = in[3];
    u64 x = (u64)c * d;
    if ((a ^ d) & 1u) {
        switch (c & 3u) {
        case 0: x = (x >> (b & 63u)) * a; break;
        case 2: x = x * x + b; break;
        default: x = b; break;
        }
    }
    out[0] = (u32)x; out[1] = (u32)(x >> 32);
}
