/* Errors, the GPU, and what is set for it. */

#include "core.h"

#include <stdio.h>
#include <string.h>

struct Error {
  int number;
  const char *name, *text;
};
static const struct Error ERRORS[]; /* errors.tsv of the driver */

static __thread int last_error;

/* Keep a failure for cudaGetLastError; what is not ready is none. */
static cudaError_t ended(int status) {
  if (status && status != cudaErrorNotReady) last_error = status;
  return (cudaError_t)status;
}

/* The runtime works in the current context, and makes the GPU's own current where there is none. */
static int begin(void) {
  CUcontext context = NULL;
  forget_loaded();
  int status = (int)cuCtxGetCurrent(&context);
  if (status == CUDA_ERROR_NOT_INITIALIZED) {
    status = (int)cuInit(0);
    if (!status) status = (int)cuCtxGetCurrent(&context);
  }
  if (status || context) return status;
  status = (int)cuDevicePrimaryCtxRetain(&context, GPU);
  return status ? status : (int)cuCtxSetCurrent(context);
}

/* What a program gets for a function that is not served. */
static int refused(const char *name) {
  char sentence[160];
  bool private = !strcmp(name, "cudaGetExportTable");
  snprintf(sentence, sizeof sentence, "%s is not supported%s", name,
           private ? ": tables that only NVIDIA knows are not imitated" : "");
  if (!begin()) lanemap_say(sentence);
  return (int)ended(cudaErrorNotSupported);
}

API cudaError_t cudaGetLastError(void) {
  int error = last_error;
  last_error = cudaSuccess;
  return (cudaError_t)error;
}

API cudaError_t cudaPeekAtLastError(void) { return (cudaError_t)last_error; }

static const char UNRECOGNIZED[] = "unrecognized error code";

API const char *cudaGetErrorName(cudaError_t error) {
  for (const struct Error *each = ERRORS; each->name; each++)
    if (each->number == (int)error) return each->name;
  return UNRECOGNIZED;
}

API const char *cudaGetErrorString(cudaError_t error) {
  for (const struct Error *each = ERRORS; each->name; each++)
    if (each->number == (int)error) return each->text;
  return UNRECOGNIZED;
}

enum { RUNTIME_VERSION = 13000 };
API cudaError_t cudaRuntimeGetVersion(int *version) {
  REQUIRE(version, cudaErrorInvalidValue);
  *version = RUNTIME_VERSION;
  return cudaSuccess;
}

API cudaError_t cudaDriverGetVersion(int *version) {
  return ended((int)cuDriverGetVersion(version));
}

/* -- the GPU ------------------------------------------------------------------------------------
 */
#define REQUIRE_GPU(device) REQUIRE((device) == GPU, cudaErrorInvalidDevice)

API cudaError_t cudaGetDeviceCount(int *count) {
  REQUIRE(count, cudaErrorInvalidValue);
  *count = 0;
  BEGIN;
  *count = 1;
  return cudaSuccess;
}

API cudaError_t cudaGetDevice(int *device) {
  REQUIRE(device, cudaErrorInvalidValue);
  *device = GPU;
  return cudaSuccess;
}

API cudaError_t cudaSetDevice(int device) {
  BEGIN;
  REQUIRE_GPU(device);
  return cudaSuccess;
}

API cudaError_t cudaInitDevice(int device, unsigned device_flags, unsigned flags) {
  return cudaSetDevice(device);
}

API cudaError_t cudaSetValidDevices(int *devices, int count) {
  BEGIN;
  for (int i = 0; i < count; i++) REQUIRE_GPU(devices[i]);
  return cudaSuccess;
}

API cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *wanted) {
  REQUIRE(wanted, cudaErrorInvalidValue);
  return cudaGetDevice(device);
}

API cudaError_t cudaSetDeviceFlags(unsigned flags) { SAME_AS(cuCtxSetFlags(flags)); }
API cudaError_t cudaGetDeviceFlags(unsigned *flags) { SAME_AS(cuCtxGetFlags(flags)); }
API cudaError_t cudaDeviceSynchronize(void) { SAME_AS(cuCtxSynchronize()); }
API cudaError_t cudaDeviceReset(void) { SAME_AS(cuDevicePrimaryCtxReset_v2(GPU)); }

API cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device) {
  BEGIN;
  REQUIRE_GPU(device);
  return ended((int)cuDeviceGetAttribute(value, (CUdevice_attribute)attribute, device));
}

API cudaError_t cudaDeviceGetPCIBusId(char *name, int size, int device) {
  BEGIN;
  REQUIRE_GPU(device);
  return ended((int)cuDeviceGetPCIBusId(name, size, device));
}

API cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *name) {
  SAME_AS(cuDeviceGetByPCIBusId(device, name));
}

API cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer) {
  BEGIN;
  REQUIRE(can, cudaErrorInvalidValue);
  REQUIRE_GPU(device);
  REQUIRE_GPU(peer);
  *can = 0;
  return cudaSuccess;
}

API cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
  return ended(cudaErrorPeerAccessUnsupported);
}

API cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  return ended(cudaErrorPeerAccessNotEnabled);
}

/* Where an attribute of the driver stands in cudaDeviceProp. */
static const struct Property {
  unsigned attribute;
  size_t offset;
  bool wide;
} PROPERTIES[] = {
#define INT(field, attribute) {attribute, offsetof(struct cudaDeviceProp, field), false}
#define SIZE(field, attribute) {attribute, offsetof(struct cudaDeviceProp, field), true}
    INT(maxThreadsPerBlock, 1),
    INT(maxThreadsDim[0], 2),
    INT(maxThreadsDim[1], 3),
    INT(maxThreadsDim[2], 4),
    INT(maxGridSize[0], 5),
    INT(maxGridSize[1], 6),
    INT(maxGridSize[2], 7),
    SIZE(sharedMemPerBlock, 8),
    SIZE(totalConstMem, 9),
    INT(warpSize, 10),
    SIZE(memPitch, 11),
    INT(regsPerBlock, 12),
    SIZE(textureAlignment, 14),
    INT(multiProcessorCount, 16),
    INT(integrated, 18),
    INT(canMapHostMemory, 19),
    SIZE(surfaceAlignment, 30),
    INT(concurrentKernels, 31),
    INT(ECCEnabled, 32),
    INT(pciBusID, 33),
    INT(pciDeviceID, 34),
    INT(tccDriver, 35),
    INT(memoryBusWidth, 37),
    INT(l2CacheSize, 38),
    INT(maxThreadsPerMultiProcessor, 39),
    INT(asyncEngineCount, 40),
    INT(unifiedAddressing, 41),
    INT(pciDomainID, 50),
    SIZE(texturePitchAlignment, 51),
    INT(major, 75),
    INT(minor, 76),
    INT(streamPrioritiesSupported, 78),
    INT(globalL1CacheSupported, 79),
    INT(localL1CacheSupported, 80),
    SIZE(sharedMemPerMultiprocessor, 81),
    INT(regsPerMultiprocessor, 82),
    INT(managedMemory, 83),
    INT(isMultiGpuBoard, 84),
    INT(multiGpuBoardGroupID, 85),
    INT(hostNativeAtomicSupported, 86),
    INT(pageableMemoryAccess, 88),
    INT(concurrentManagedAccess, 89),
    INT(computePreemptionSupported, 90),
    INT(canUseHostPointerForRegisteredMem, 91),
    INT(cooperativeLaunch, 95),
    SIZE(sharedMemPerBlockOptin, 97),
    INT(hostRegisterSupported, 99),
    INT(pageableMemoryAccessUsesHostPageTables, 100),
    INT(directManagedMemAccessFromHost, 101),
    INT(maxBlocksPerMultiProcessor, 106),
    INT(persistingL2CacheMaxSize, 108),
    INT(accessPolicyMaxWindowSize, 109),
    SIZE(reservedSharedMemPerBlock, 111),
    INT(memoryPoolsSupported, 115),
    INT(clusterLaunch, 120),
#undef INT
#undef SIZE
};
/* Not asked for in a sentence where the emulator's GPU has no such attribute: 0 then. */
int32_t lanemap_gpu_attribute(unsigned number);

API cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device) {
  BEGIN;
  REQUIRE(properties, cudaErrorInvalidValue);
  REQUIRE_GPU(device);
  memset(properties, 0, sizeof *properties);
  cuDeviceGetName(properties->name, sizeof properties->name, GPU);
  cuDeviceGetUuid_v2((CUuuid *)&properties->uuid, GPU);
  cuDeviceTotalMem_v2(&properties->totalGlobalMem, GPU);
  for (size_t i = 0; i < sizeof PROPERTIES / sizeof *PROPERTIES; i++) {
    const struct Property *each = &PROPERTIES[i];
    int32_t value = lanemap_gpu_attribute(each->attribute);
    void *place = (char *)properties + each->offset;
    if (value == INT32_MIN) continue;
    if (each->wide) *(size_t *)place = (size_t)value;
    else *(int *)place = value;
  }
  return cudaSuccess;
}

/* -- what is set for it -------------------------------------------------------------------------
 */
API cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value) {
  SAME_AS(cuCtxSetLimit((CUlimit)limit, value));
}

API cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit) {
  SAME_AS(cuCtxGetLimit(value, (CUlimit)limit));
}

API cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache preference) {
  SAME_AS(cuCtxSetCacheConfig((CUfunc_cache)preference));
}

API cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *preference) {
  SAME_AS(cuCtxGetCacheConfig((CUfunc_cache *)preference));
}

API cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig preference) {
  SAME_AS(cuCtxSetSharedMemConfig((CUsharedconfig)preference));
}

API cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *preference) {
  SAME_AS(cuCtxGetSharedMemConfig((CUsharedconfig *)preference));
}

API cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
  SAME_AS(cuCtxGetStreamPriorityRange(least, greatest));
}

API cudaError_t cudaCtxResetPersistingL2Cache(void) { SAME_AS(cuCtxResetPersistingL2Cache()); }
API cudaError_t cudaProfilerStart(void) { SAME_AS(cuProfilerStart()); }
API cudaError_t cudaProfilerStop(void) { SAME_AS(cuProfilerStop()); }

API cudaError_t cudaGetDriverEntryPointByVersion(const char *symbol, void **function,
                                                 unsigned version, unsigned long long flags,
                                                 enum cudaDriverEntryPointQueryResult *result) {
  enum cudaDriverEntryPointQueryResult unasked; /* for what is not there is no error */
  if (!result) result = &unasked;
  SAME_AS(cuGetProcAddress_v2(symbol, function, (int)version, flags, (void *)result));
}

API cudaError_t cudaGetDriverEntryPoint(const char *symbol, void **function,
                                        unsigned long long flags,
                                        enum cudaDriverEntryPointQueryResult *result) {
  return cudaGetDriverEntryPointByVersion(symbol, function, RUNTIME_VERSION, flags, result);
}
