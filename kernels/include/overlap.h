// Programmatic dependent launch: what a kernel does so that it and later work may overlap.
#pragma once
#include "async.h"

// A later kernel that is launched so may begin as soon as there is room, and waits itself until this
// one is complete.
DEVICE void let_later_work_begin() {
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
}

DEVICE void wait_for_earlier_work() {
  asm volatile("griddepcontrol.wait;" ::: "memory");
}

// Fetches a box to the L2 cache: a hint, which nothing waits for.
DEVICE void tma_prefetch(const TensorMap &map, unsigned column, unsigned row) {
  asm volatile("cp.async.bulk.prefetch.tensor.2d.L2.global [%0, {%1, %2}];"
               ::"l"(&map), "r"(column), "r"(row) : "memory");
}

DEVICE void tma_prefetch_4d(const TensorMap &map, int x, int y, int z, int w) {
  asm volatile("cp.async.bulk.prefetch.tensor.4d.L2.global [%0, {%1, %2, %3, %4}];"
               ::"l"(&map), "r"(x), "r"(y), "r"(z), "r"(w) : "memory");
}
