// Barriers of some of a CTA's threads. PTX ISA 9.0: "bar, barrier".
#pragma once
#include "async.h"

// Waits for so many threads at a barrier, of which the first one is that of __syncthreads.
template <int threads>
DEVICE void named_barrier(int barrier) {
  asm volatile("bar.sync %0, %1;" ::"r"(barrier), "n"(threads) : "memory");
}

// The same; says whether one of them has a condition.
template <int threads>
DEVICE bool barrier_or(int barrier, bool condition) {
  unsigned any;
  asm volatile("{\n"
               ".reg .pred own, any;\n"
               "setp.ne.u32 own, %2, 0;\n"
               "bar.red.or.pred any, %1, %3, own;\n"
               "selp.u32 %0, 1, 0, any;\n"
               "}" : "=r"(any) : "r"(barrier), "r"(unsigned(condition)), "n"(threads) : "memory");
  return any;
}
