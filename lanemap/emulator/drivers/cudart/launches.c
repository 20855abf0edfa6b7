/* Launches, attributes of kernels, occupancy. */

#include "core.h"

#include <string.h>

/* -- what stands between <<< and >>> -------------------------------------------------------------
   nvcc's host code pushes it, evaluates the arguments, which may launch too, and the kernel's stub
   pops it. */
struct Configuration {
  dim3 grid, block;
  size_t shared_bytes;
  cudaStream_t stream;
};
enum { DEEPEST = 64 };
static __thread struct Configuration configurations[DEEPEST];
static __thread int configured;

/* Not 0 makes nvcc's host code leave the launch out. */
API unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes,
                                         struct CUstream_st *stream) {
  if (configured == DEEPEST) return 1;
  configurations[configured++] = (struct Configuration){grid, block, shared_bytes, stream};
  return 0;
}

API cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared_bytes,
                                           void *stream) {
  REQUIRE(configured, cudaErrorInvalidConfiguration);
  struct Configuration *last = &configurations[--configured];
  *grid = last->grid, *block = last->block, *shared_bytes = last->shared_bytes;
  *(cudaStream_t *)stream = last->stream;
  return cudaSuccess;
}

static CUlaunchConfig of_driver(const cudaLaunchConfig_t *config) {
  dim3 grid = config->gridDim, block = config->blockDim;
  return (CUlaunchConfig){.gridDimX = grid.x,
                          .gridDimY = grid.y,
                          .gridDimZ = grid.z,
                          .blockDimX = block.x,
                          .blockDimY = block.y,
                          .blockDimZ = block.z,
                          .sharedMemBytes = (unsigned)config->dynamicSmemBytes,
                          .hStream = (CUstream)config->stream,
                          .attrs = (CUlaunchAttribute *)config->attrs,
                          .numAttrs = config->numAttrs};
}

static cudaError_t launch(CUfunction function, const cudaLaunchConfig_t *config, void **arguments) {
  REQUIRE(config->dynamicSmemBytes <= UINT32_MAX, cudaErrorInvalidValue);
  CUlaunchConfig given = of_driver(config);
  return ended((int)cuLaunchKernelEx(&given, function, arguments, NULL));
}

API cudaError_t cudaLaunchKernel(const void *host, dim3 grid, dim3 block, void **arguments,
                                 size_t shared_bytes, cudaStream_t stream) {
  FIND_FUNCTION(function, host);
  cudaLaunchConfig_t config = {grid, block, shared_bytes, stream, NULL, 0};
  return launch(function, &config, arguments);
}

API cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments,
                                   size_t shared_bytes, cudaStream_t stream) {
  CUfunction function;
  int status = of_handle(kernel, &function);
  REQUIRE(!status, status);
  cudaLaunchConfig_t config = {grid, block, shared_bytes, stream, NULL, 0};
  return launch(function, &config, arguments);
}

API cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *host,
                                    void **arguments) {
  REQUIRE(config && (config->attrs || !config->numAttrs), cudaErrorInvalidValue);
  FIND_FUNCTION(function, host);
  return launch(function, config, arguments);
}

API cudaError_t cudaLaunchCooperativeKernel(const void *host, dim3 grid, dim3 block,
                                            void **arguments, size_t shared_bytes,
                                            cudaStream_t stream) {
  FIND_FUNCTION(function, host);
  CUlaunchAttribute attribute;
  memset(&attribute, 0, sizeof attribute);
  attribute.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
  attribute.value.cooperative = 1;
  cudaLaunchConfig_t config = {grid, block, shared_bytes, stream, (cudaLaunchAttribute *)&attribute,
                               1};
  return launch(function, &config, arguments);
}

API cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data) {
  SAME_AS(cuLaunchHostFunc((CUstream)stream, function, data));
}

/* -- attributes ---------------------------------------------------------------------------------
 */
API cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *host) {
  REQUIRE(attributes, cudaErrorInvalidValue);
  FIND_FUNCTION(function, host);
  memset(attributes, 0, sizeof *attributes);
  int values[CU_FUNC_ATTRIBUTE_MAX];
  for (int i = 0; i < CU_FUNC_ATTRIBUTE_MAX; i++)
    if (cuFuncGetAttribute(&values[i], (CUfunction_attribute)i, function)) values[i] = 0;
  attributes->maxThreadsPerBlock = values[0];
  attributes->sharedSizeBytes = (size_t)values[1];
  attributes->constSizeBytes = (size_t)values[2];
  attributes->localSizeBytes = (size_t)values[3];
  /* numRegs to preferredShmemCarveout, and clusterDimMustBeSet to requiredClusterDepth */
  memcpy(&attributes->numRegs, &values[4], 10 * sizeof *values);
  attributes->nonPortableClusterSizeAllowed = values[14];
  attributes->clusterSchedulingPolicyPreference = values[15];
  return cudaSuccess;
}

API cudaError_t cudaFuncSetAttribute(const void *host, enum cudaFuncAttribute attribute,
                                     int value) {
  FIND_FUNCTION(function, host);
  return ended((int)cuFuncSetAttribute(function, (CUfunction_attribute)attribute, value));
}

API cudaError_t cudaFuncSetCacheConfig(const void *host, enum cudaFuncCache preference) {
  FIND_FUNCTION(function, host);
  return ended((int)cuFuncSetCacheConfig(function, (CUfunc_cache)preference));
}

API cudaError_t cudaFuncSetSharedMemConfig(const void *host, enum cudaSharedMemConfig preference) {
  FIND_FUNCTION(function, host);
  return ended((int)cuFuncSetSharedMemConfig(function, (CUsharedconfig)preference));
}

API cudaError_t cudaFuncGetName(const char **name, const void *host) {
  FIND_FUNCTION(function, host);
  return ended((int)cuFuncGetName(name, function));
}

API cudaError_t cudaFuncGetParamInfo(const void *host, size_t index, size_t *offset, size_t *size) {
  FIND_FUNCTION(function, host);
  return ended((int)cuFuncGetParamInfo(function, index, offset, size));
}

/* -- occupancy ----------------------------------------------------------------------------------
 */
API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *blocks, const void *host, int threads, size_t shared_bytes, unsigned flags) {
  FIND_FUNCTION(function, host);
  return ended((int)cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads,
                                                                         shared_bytes, flags));
}

API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *host,
                                                              int threads, size_t shared_bytes) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, host, threads, shared_bytes,
                                                                0);
}

API cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *host,
                                                          int blocks, int threads) {
  FIND_FUNCTION(function, host);
  return ended((int)cuOccupancyAvailableDynamicSMemPerBlock(bytes, function, blocks, threads));
}

#define OF_CONFIGURATION(name)                                                                     \
  API cudaError_t cuda##name(int *found, const void *host, const cudaLaunchConfig_t *config) {     \
    REQUIRE(config, cudaErrorInvalidValue);                                                        \
    FIND_FUNCTION(function, host);                                                                 \
    CUlaunchConfig given = of_driver(config);                                                      \
    return ended((int)cu##name(found, function, &given));                                          \
  }
OF_CONFIGURATION(OccupancyMaxPotentialClusterSize)
OF_CONFIGURATION(OccupancyMaxActiveClusters)
