/* Read-modify-write of single lanes, one after the other. */
#ifndef LANEMAP_ATOMICS_H
#define LANEMAP_ATOMICS_H
#include "access.h"

#define MOST_ATOMIC 16        /* bytes */

/* One lane's operation: what is there, the operand, and what is compared with; `next` is what shall be
 * there (it begins as the operand). `global`: it lies in global memory. */
typedef struct Exchange {
  u64 old[2], operand[2], compare[2], next[2];
  u32 operation, size, format;
  int global;
} Exchange;
typedef void (*Change)(Exchange *x);
/* The sum of two floats of 4 or 8 bytes, as bits. */
u64 add_floats(u64 a, u64 b, u32 size);

/* Operand in rows row.., the value to compare with in rows compare_row.. (`compares`: it decides whether
 * anything is stored); the old value is left in rows row... An undefined operand makes memory undefined,
 * and so does what was undefined there, unless the operation (`replaces`) does not look at it. */
void exchange(Wave *w, const Access *a, u64 mask, u32 row, u32 compare_row, Exchange *x, Change change,
              int replaces, int compares);
#endif
