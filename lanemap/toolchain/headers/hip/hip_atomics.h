/* Atomic functions; like HIP's they are relaxed, and of the agent's scope unless the name says more
 * (HIP documentation, "Atomic functions"). */
#pragma once
#include <hip/host_defines.h>

#define __LANEMAP_ATOMIC(name, type, op, suffix, scope)                                           \
  __LANEMAP_DEVICE type name##suffix(type* address, type value) {                                 \
    return __hip_atomic_##op(address, value, __ATOMIC_RELAXED, scope);                            \
  }
#define __LANEMAP_ATOMICS(name, type, op)                                                         \
  __LANEMAP_ATOMIC(name, type, op, , __HIP_MEMORY_SCOPE_AGENT)                                    \
  __LANEMAP_ATOMIC(name, type, op, _system, __HIP_MEMORY_SCOPE_SYSTEM)                            \
  __LANEMAP_ATOMIC(name, type, op, _block, __HIP_MEMORY_SCOPE_WORKGROUP)
#define __LANEMAP_ON_INTEGERS(name, op)                                                           \
  __LANEMAP_ATOMICS(name, int, op)                                                                \
  __LANEMAP_ATOMICS(name, unsigned, op)                                                           \
  __LANEMAP_ATOMICS(name, long, op)                                                               \
  __LANEMAP_ATOMICS(name, unsigned long, op)                                                      \
  __LANEMAP_ATOMICS(name, long long, op)                                                          \
  __LANEMAP_ATOMICS(name, unsigned long long, op)
#define __LANEMAP_ON_NUMBERS(name, op)                                                            \
  __LANEMAP_ON_INTEGERS(name, op)                                                                 \
  __LANEMAP_ATOMICS(name, float, op)                                                              \
  __LANEMAP_ATOMICS(name, double, op)
__LANEMAP_ON_NUMBERS(atomicAdd, fetch_add)
__LANEMAP_ON_NUMBERS(atomicMin, fetch_min)
__LANEMAP_ON_NUMBERS(atomicMax, fetch_max)
__LANEMAP_ON_NUMBERS(atomicExch, exchange)
__LANEMAP_ON_INTEGERS(atomicAnd, fetch_and)
__LANEMAP_ON_INTEGERS(atomicOr, fetch_or)
__LANEMAP_ON_INTEGERS(atomicXor, fetch_xor)

#define __LANEMAP_SUB(type, suffix)                                                               \
  __LANEMAP_DEVICE type atomicSub##suffix(type* address, type value) {                            \
    return atomicAdd##suffix(address, (type)-value);                                              \
  }
#define __LANEMAP_SUBS(type) __LANEMAP_SUB(type, ) __LANEMAP_SUB(type, _system)
__LANEMAP_SUBS(int)
__LANEMAP_SUBS(unsigned)
__LANEMAP_SUBS(unsigned long)
__LANEMAP_SUBS(unsigned long long)
__LANEMAP_SUBS(float)
__LANEMAP_SUBS(double)

#define __LANEMAP_CAS(type, suffix, scope)                                                        \
  __LANEMAP_DEVICE type atomicCAS##suffix(type* address, type compare, type value) {              \
    __hip_atomic_compare_exchange_strong(address, &compare, value, __ATOMIC_RELAXED,              \
                                         __ATOMIC_RELAXED, scope);                                \
    return compare;                                                                               \
  }
#define __LANEMAP_CASES(type)                                                                     \
  __LANEMAP_CAS(type, , __HIP_MEMORY_SCOPE_AGENT)                                                 \
  __LANEMAP_CAS(type, _system, __HIP_MEMORY_SCOPE_SYSTEM)                                         \
  __LANEMAP_CAS(type, _block, __HIP_MEMORY_SCOPE_WORKGROUP)
__LANEMAP_CASES(int)
__LANEMAP_CASES(unsigned)
__LANEMAP_CASES(unsigned long)
__LANEMAP_CASES(unsigned long long)
__LANEMAP_CASES(float)
__LANEMAP_CASES(double)

/* (old >= limit) ? 0 : old + 1, and (old == 0 || old > limit) ? limit : old - 1. */
__LANEMAP_DEVICE unsigned atomicInc(unsigned* address, unsigned limit) {
  return __builtin_amdgcn_atomic_inc32(address, limit, __ATOMIC_RELAXED, "agent");
}
__LANEMAP_DEVICE unsigned atomicDec(unsigned* address, unsigned limit) {
  return __builtin_amdgcn_atomic_dec32(address, limit, __ATOMIC_RELAXED, "agent");
}

/* The GPU's own addition of floating-point numbers, which memory of the host does not know;
 * atomicAdd is right there too, with a loop. */
#define __LANEMAP_UNSAFE(name, type, op)                                                          \
  __LANEMAP_DEVICE type name(type* address, type value) {                                         \
    [[clang::atomic(no_remote_memory, no_fine_grained_memory, ignore_denormal_mode)]] {           \
      return __hip_atomic_##op(address, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);       \
    }                                                                                             \
  }
__LANEMAP_UNSAFE(unsafeAtomicAdd, float, fetch_add)
__LANEMAP_UNSAFE(unsafeAtomicAdd, double, fetch_add)
__LANEMAP_UNSAFE(unsafeAtomicMin, float, fetch_min)
__LANEMAP_UNSAFE(unsafeAtomicMin, double, fetch_min)
__LANEMAP_UNSAFE(unsafeAtomicMax, float, fetch_max)
__LANEMAP_UNSAFE(unsafeAtomicMax, double, fetch_max)
__LANEMAP_DEVICE float safeAtomicAdd(float* address, float value) {
  return atomicAdd(address, value);
}
__LANEMAP_DEVICE double safeAtomicAdd(double* address, double value) {
  return atomicAdd(address, value);
}
__LANEMAP_DEVICE void atomicAddNoRet(float* address, float value) {
  unsafeAtomicAdd(address, value);
}

#undef __LANEMAP_ATOMIC
#undef __LANEMAP_ATOMICS
#undef __LANEMAP_ON_INTEGERS
#undef __LANEMAP_ON_NUMBERS
#undef __LANEMAP_SUB
#undef __LANEMAP_SUBS
#undef __LANEMAP_CAS
#undef __LANEMAP_CASES
#undef __LANEMAP_UNSAFE
