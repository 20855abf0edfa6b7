// The order in which tiles of keys add to dQ, where it is fixed.
#pragma once
#include "async.h"

#if DETERMINISTIC
// Waits until so many tiles of keys have added to a chunk of dQ.
DEVICE void turn_wait(const unsigned *turns, unsigned turn) {
  unsigned now;
  do {
    asm volatile("ld.acquire.gpu.global.b32 %0, [%1];" : "=r"(now) : "l"(turns) : "memory");
  } while (now != turn);
  asm volatile("fence.proxy.async;" ::: "memory");
}

// Lets the next one add, once all additions of this thread are in memory.
DEVICE void turn_pass(unsigned *turns) {
  bulk_wait();
  asm volatile("fence.proxy.async;" ::: "memory");
  asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(turns) : "memory");
}
#endif
