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
