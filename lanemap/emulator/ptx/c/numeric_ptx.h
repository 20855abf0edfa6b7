/* f64 arithmetic rounded in a direction: see numeric_ptx.c. */
#ifndef LANEMAP_NUMERIC_PTX_H
#define LANEMAP_NUMERIC_PTX_H
#include "runtime.h"

enum Round { ROUND_NEAREST, ROUND_ZERO, ROUND_DOWN, ROUND_UP };
/* a * b + c of f64, rounded once, toward zero, down or up. */
u64 soft_fused(u64 a, u64 b, u64 c, u32 mode);
#endif
