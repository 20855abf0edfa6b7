/* HIP's language for device code, as lanemap compiles it: no ROCm is needed, and nothing is linked.
 * docs/hip.md lists what is here. */
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include <hip/host_defines.h>
#include <hip/hip_vector_types.h>
#include <hip/device_functions.h>
#include <hip/hip_atomics.h>
#include <hip/math_functions.h>
#include <hip/hip_runtime_api.h>
#include <hip/texture.h>
