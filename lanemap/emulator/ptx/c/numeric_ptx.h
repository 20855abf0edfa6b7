/* Float arithmetic in every rounding mode: see numeric_ptx.c. */
#ifndef LANEMAP_NUMERIC_PTX_H
#define LANEMAP_NUMERIC_PTX_H
#include "narrow.h"

enum Round { ROUND_NEAREST, ROUND_ZERO, ROUND_DOWN, ROUND_UP, ROUND_AWAY };
/* a * b + c, rounded once. */
u64 soft_fused(u32 format, u64 a, u64 b, u64 c, u32 mode);
#endif
