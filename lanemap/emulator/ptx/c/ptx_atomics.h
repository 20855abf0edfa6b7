/* What reductions on floats leave in memory: those of atom and red, and of asynchronous
 * reductions. */
#ifndef LANEMAP_PTX_ATOMICS_H
#define LANEMAP_PTX_ATOMICS_H
#include "narrow.h"

enum Half { HALF_ADD, HALF_MIN, HALF_MAX, HALF_CAS, HALF_EXCHANGE };
/* The sum of two floats of 4 or 8 bytes, as bits; `global`: in global memory. */
u64 add_as_ptx(u64 old, u64 operand, u32 size, int global);
/* HALF_ADD, HALF_MIN or HALF_MAX of two values of 16 bits. */
u32 half_operation(u32 operation, u32 format, u32 old, u32 operand);
#endif
