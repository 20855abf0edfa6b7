/* Read-modify-write of single lanes, one after the other. */
#ifndef LANEMAP_ATOMICS_H
#define LANEMAP_ATOMICS_H
#include "access.h"

#define MOST_ATOMIC 16 /* bytes */

/* One lane's operation: the old value, the operand, and the value to compare with. `next` is the
 * new value and begins as the operand. `global`: the place lies in global memory. */
typedef struct Exchange {
  u64 old[2], operand[2], compare[2], next[2];
  u32 operation, size, format;
  int global;
} Exchange;
typedef void (*Change)(Exchange *x);
enum Atomic {
  ATOMIC_ADD,
  ATOMIC_SUB,
  ATOMIC_RSUB,
  ATOMIC_SMIN,
  ATOMIC_SMAX,
  ATOMIC_UMIN,
  ATOMIC_UMAX,
  ATOMIC_AND,
  ATOMIC_OR,
  ATOMIC_XOR,
  ATOMIC_INC,
  ATOMIC_DEC,
  ATOMIC_EXCHANGE,
  ATOMIC_CAS,
  ATOMIC_FADD,
  ATOMIC_FMIN,
  ATOMIC_FMAX
};
/* What an operation on 4 or 8 bytes leaves there; of 4 bytes the low half counts. */
u64 atomic_result(u32 operation, u64 old, u64 operand, u64 compare, u32 size);
/* The sum of two floats of 4 or 8 bytes, as bits. */
u64 add_floats(u64 a, u64 b, u32 size);

/* Operand in rows row.., the value to compare with in rows compare_row.. (`compares`: it decides
 * whether anything is stored); the old value is left in rows row... An undefined operand makes
 * memory undefined, and so does what was undefined there, unless the operation (`replaces`) does
 * not look at it. */
void exchange(Wave *w, const Access *a, u64 mask, u32 row, u32 compare_row, Exchange *x,
              Change change, int replaces, int compares);
#endif
