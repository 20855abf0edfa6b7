/* Which reductions there are of elements of a tensor map (tma.h). */
#include "atomics.h"
#include "tma.h"

/* PTX ISA, cp.reduce.async.bulk.tensor: valid combinations of operation and type. An H200
 * flushes subnormal numbers in sums of the type .f32.ftz alone. */
u32 reduction_of(const TensorMap *t, u32 operation) {
  static const u32 PLAIN[] = {0,          ATOMIC_ADD, ATOMIC_UMIN, ATOMIC_UMAX, ATOMIC_INC,
                              ATOMIC_DEC, ATOMIC_AND, ATOMIC_OR,   ATOMIC_XOR};
  u32 first = operation - TMA_ADD, to_max = first <= TMA_MAX - TMA_ADD,
      minimum = operation == TMA_MIN;
  if (t->rounds) return NO_REDUCTION;
  switch (t->type) {
  case MAP_U32: return PLAIN[operation];
  case MAP_U64:
  case MAP_S32:
  case MAP_S64:
    if (operation == TMA_INC || operation == TMA_DEC) return NO_REDUCTION;
    if (t->type == MAP_S64 && operation != TMA_MIN && operation != TMA_MAX) return NO_REDUCTION;
    if (t->type == MAP_U64 || (operation != TMA_MIN && operation != TMA_MAX))
      return PLAIN[operation];
    return minimum ? ATOMIC_SMIN : ATOMIC_SMAX;
  case MAP_F16: return to_max ? REDUCE_F16_ADD + first : NO_REDUCTION;
  case MAP_BF16: return to_max ? REDUCE_BF16_ADD + first : NO_REDUCTION;
  case MAP_F32: return operation == TMA_ADD ? REDUCE_FLOAT_ADD : NO_REDUCTION;
  case MAP_F32_FTZ: return operation == TMA_ADD ? REDUCE_FTZ_ADD : NO_REDUCTION;
  default: return NO_REDUCTION;
  }
}
