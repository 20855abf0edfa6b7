/* The older name of the header and of the type. */
#pragma once
#include <hip/hip_bf16.h>
