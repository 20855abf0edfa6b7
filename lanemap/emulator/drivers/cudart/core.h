/* What all parts of the runtime share. Its functions call the driver's, and keep the last error of
   each thread. */

#pragma once

#include "abi.h"

#include <pthread.h>
#include <stdbool.h>

enum { GPU = 0 };

static cudaError_t ended(int status);
static int begin(void);
static void forget_loaded(void);

/* Refuse what CUDA refuses, as the end of a function. */
#define REQUIRE(condition, error)                                                                  \
  do {                                                                                             \
    if (!(condition)) return ended(error);                                                         \
  } while (0)
/* Make a context current, as every function does that needs one; end if that fails. */
#define BEGIN                                                                                      \
  do {                                                                                             \
    int status_ = begin();                                                                         \
    if (status_) return ended(status_);                                                            \
  } while (0)
/* The whole of a function that the driver has too. */
#define SAME_AS(call)                                                                              \
  BEGIN;                                                                                           \
  return ended((int)(call))
/* Whatever a library of lanemap has to say to the user, by way of libcuda.so.1. */
void lanemap_say(const char *sentence);
/* Which emulator of this process has the program: what came from another one is gone. */
unsigned lanemap_emulator(void);
