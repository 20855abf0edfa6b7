/* The names of HIP's host API, so that a file with host code compiles for the device. Nothing
 * here is defined: lanemap compiles only the device's side. Signatures as in HIP's
 * documentation, "HIP runtime API reference". */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include <hip/host_defines.h>
#include <hip/hip_vector_types.h>

typedef enum hipError_t {
  hipSuccess = 0,
  hipErrorInvalidValue = 1,
  hipErrorOutOfMemory = 2,
  hipErrorMemoryAllocation = 2,
  hipErrorNotInitialized = 3,
  hipErrorInvalidConfiguration = 9,
  hipErrorInvalidSymbol = 13,
  hipErrorInvalidDevicePointer = 17,
  hipErrorInvalidMemcpyDirection = 21,
  hipErrorInvalidDeviceFunction = 98,
  hipErrorNoDevice = 100,
  hipErrorInvalidDevice = 101,
  hipErrorInvalidImage = 200,
  hipErrorInvalidContext = 201,
  hipErrorNoBinaryForGpu = 209,
  hipErrorFileNotFound = 301,
  hipErrorInvalidHandle = 400,
  hipErrorNotFound = 500,
  hipErrorNotReady = 600,
  hipErrorIllegalAddress = 700,
  hipErrorLaunchOutOfResources = 701,
  hipErrorPeerAccessAlreadyEnabled = 704,
  hipErrorPeerAccessNotEnabled = 705,
  hipErrorAssert = 710,
  hipErrorHostMemoryAlreadyRegistered = 712,
  hipErrorLaunchFailure = 719,
  hipErrorNotSupported = 801,
  hipErrorUnknown = 999
} hipError_t;

typedef enum hipMemcpyKind {
  hipMemcpyHostToHost = 0,
  hipMemcpyHostToDevice = 1,
  hipMemcpyDeviceToHost = 2,
  hipMemcpyDeviceToDevice = 3,
  hipMemcpyDefault = 4
} hipMemcpyKind;

typedef enum hipDeviceAttribute_t {
  hipDeviceAttributeClockRate,
  hipDeviceAttributeMaxBlockDimX,
  hipDeviceAttributeMaxSharedMemoryPerBlock,
  hipDeviceAttributeMaxThreadsPerBlock,
  hipDeviceAttributeMultiprocessorCount,
  hipDeviceAttributeWallClockRate,
  hipDeviceAttributeWarpSize
} hipDeviceAttribute_t;

typedef enum hipFuncAttribute {
  hipFuncAttributeMaxDynamicSharedMemorySize = 8,
  hipFuncAttributePreferredSharedMemoryCarveout = 9
} hipFuncAttribute;

typedef struct ihipStream_t* hipStream_t;
typedef struct ihipEvent_t* hipEvent_t;
typedef struct ihipModule_t* hipModule_t;
typedef struct ihipModuleSymbol_t* hipFunction_t;
typedef void* hipDeviceptr_t;
typedef int hipDevice_t;

typedef struct hipDeviceProp_t {
  char name[256];
  size_t totalGlobalMem, sharedMemPerBlock, totalConstMem, maxSharedMemoryPerMultiProcessor;
  int regsPerBlock, warpSize, maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3];
  int clockRate, memoryClockRate, memoryBusWidth, major, minor, multiProcessorCount, l2CacheSize;
  int maxThreadsPerMultiProcessor, computeMode, concurrentKernels, pciDomainID, pciBusID;
  int pciDeviceID, canMapHostMemory, managedMemory, integrated, cooperativeLaunch;
  char gcnArchName[256];
} hipDeviceProp_t;

/* Macros, for a 0 converts to a stream's handle. */
#define hipEventDefault 0
#define hipEventBlockingSync 1
#define hipEventDisableTiming 2
#define hipStreamDefault 0
#define hipStreamNonBlocking 1
#define hipHostMallocDefault 0
#define hipHostMallocPortable 1
#define hipHostMallocMapped 2
#define hipHostMallocWriteCombined 4
#define hipHostMallocCoherent 0x40000000
#define hipHostRegisterDefault 0
#define hipMemAttachGlobal 1
#define hipDeviceScheduleAuto 0
#define hipStreamPerThread ((hipStream_t)2)
#define HIP_LAUNCH_PARAM_BUFFER_POINTER ((void*)1)
#define HIP_LAUNCH_PARAM_BUFFER_SIZE ((void*)2)
#define HIP_LAUNCH_PARAM_END ((void*)3)

#pragma push_macro("CALL")
#define CALL(name, ...) extern "C" __host__ hipError_t name(__VA_ARGS__);
extern "C" __host__ const char* hipGetErrorName(hipError_t error);
extern "C" __host__ const char* hipGetErrorString(hipError_t error);
CALL(hipGetLastError)
CALL(hipPeekAtLastError)
CALL(hipInit, unsigned flags)
CALL(hipRuntimeGetVersion, int* version)
CALL(hipDriverGetVersion, int* version)
CALL(hipGetDeviceCount, int* count)
CALL(hipGetDevice, int* device)
CALL(hipSetDevice, int device)
CALL(hipSetDeviceFlags, unsigned flags)
CALL(hipGetDeviceProperties, hipDeviceProp_t* properties, int device)
CALL(hipDeviceGetAttribute, int* value, hipDeviceAttribute_t attribute, int device)
CALL(hipDeviceSynchronize)
CALL(hipDeviceReset)
CALL(hipDeviceCanAccessPeer, int* can, int device, int peer)
CALL(hipDeviceEnablePeerAccess, int peer, unsigned flags)
CALL(hipDeviceDisablePeerAccess, int peer)
CALL(hipMemGetInfo, size_t* free_bytes, size_t* total_bytes)
CALL(hipMalloc, void** address, size_t bytes)
CALL(hipMallocAsync, void** address, size_t bytes, hipStream_t stream)
CALL(hipMallocManaged, void** address, size_t bytes, unsigned flags = hipMemAttachGlobal)
CALL(hipMallocPitch, void** address, size_t* pitch, size_t width, size_t height)
CALL(hipHostMalloc, void** address, size_t bytes, unsigned flags = hipHostMallocDefault)
CALL(hipHostFree, void* address)
CALL(hipHostRegister, void* address, size_t bytes, unsigned flags)
CALL(hipHostUnregister, void* address)
CALL(hipHostGetDevicePointer, void** device, void* host, unsigned flags)
CALL(hipFree, void* address)
CALL(hipFreeAsync, void* address, hipStream_t stream)
CALL(hipMemcpy, void* to, const void* from, size_t bytes, hipMemcpyKind kind)
CALL(hipMemcpyAsync, void* to, const void* from, size_t bytes, hipMemcpyKind kind,
     hipStream_t stream = nullptr)
CALL(hipMemcpy2D, void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
     size_t height, hipMemcpyKind kind)
CALL(hipMemcpyPeer, void* to, int to_device, const void* from, int from_device, size_t bytes)
CALL(hipMemcpyHtoD, hipDeviceptr_t to, const void* from, size_t bytes)
CALL(hipMemcpyDtoH, void* to, hipDeviceptr_t from, size_t bytes)
CALL(hipMemset, void* to, int value, size_t bytes)
CALL(hipMemsetAsync, void* to, int value, size_t bytes, hipStream_t stream = nullptr)
CALL(hipMemcpyToSymbol, const void* symbol, const void* from, size_t bytes, size_t offset = 0,
     hipMemcpyKind kind = hipMemcpyHostToDevice)
CALL(hipMemcpyFromSymbol, void* to, const void* symbol, size_t bytes, size_t offset = 0,
     hipMemcpyKind kind = hipMemcpyDeviceToHost)
CALL(hipGetSymbolAddress, void** address, const void* symbol)
CALL(hipStreamCreate, hipStream_t* stream)
CALL(hipStreamCreateWithFlags, hipStream_t* stream, unsigned flags)
CALL(hipStreamDestroy, hipStream_t stream)
CALL(hipStreamSynchronize, hipStream_t stream)
CALL(hipStreamQuery, hipStream_t stream)
CALL(hipStreamWaitEvent, hipStream_t stream, hipEvent_t event, unsigned flags = 0)
CALL(hipEventCreate, hipEvent_t* event)
CALL(hipEventCreateWithFlags, hipEvent_t* event, unsigned flags)
CALL(hipEventDestroy, hipEvent_t event)
CALL(hipEventRecord, hipEvent_t event, hipStream_t stream = nullptr)
CALL(hipEventSynchronize, hipEvent_t event)
CALL(hipEventQuery, hipEvent_t event)
CALL(hipEventElapsedTime, float* milliseconds, hipEvent_t start, hipEvent_t stop)
CALL(hipModuleLoad, hipModule_t* module, const char* file)
CALL(hipModuleLoadData, hipModule_t* module, const void* image)
CALL(hipModuleUnload, hipModule_t module)
CALL(hipModuleGetFunction, hipFunction_t* function, hipModule_t module, const char* name)
CALL(hipModuleGetGlobal, hipDeviceptr_t* address, size_t* bytes, hipModule_t module,
     const char* name)
CALL(hipModuleLaunchKernel, hipFunction_t function, unsigned grid_x, unsigned grid_y,
     unsigned grid_z, unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
     hipStream_t stream, void** parameters, void** extra)
CALL(hipLaunchKernel, const void* function, dim3 blocks, dim3 threads, void** arguments,
     size_t shared_bytes = 0, hipStream_t stream = nullptr)
CALL(hipLaunchCooperativeKernel, const void* function, dim3 blocks, dim3 threads, void** arguments,
     unsigned shared_bytes, hipStream_t stream)
CALL(hipFuncSetAttribute, const void* function, hipFuncAttribute attribute, int value)
CALL(hipOccupancyMaxActiveBlocksPerMultiprocessor, int* blocks, const void* function, int threads,
     size_t shared_bytes)
CALL(hipOccupancyMaxPotentialBlockSize, int* grid, int* block, const void* function,
     size_t shared_bytes, int most_threads)
/* What clang makes of kernel<<<blocks, threads, bytes, stream>>>(..). */
CALL(__hipPushCallConfiguration, dim3 blocks, dim3 threads, size_t shared_bytes = 0,
     hipStream_t stream = nullptr)
#undef CALL
#pragma pop_macro("CALL")

/* The forms that take any type of pointer or kernel. */
template <class T> __host__ hipError_t hipMalloc(T** address, size_t bytes);
template <class T>
__host__ hipError_t hipMallocAsync(T** address, size_t bytes, hipStream_t stream);
template <class T>
__host__ hipError_t hipMallocManaged(T** address, size_t bytes,
                                     unsigned flags = hipMemAttachGlobal);
template <class T>
__host__ hipError_t hipHostMalloc(T** address, size_t bytes, unsigned flags = hipHostMallocDefault);
template <class T>
__host__ hipError_t hipMemcpyToSymbol(const T& symbol, const void* from, size_t bytes,
                                      size_t offset = 0,
                                      hipMemcpyKind kind = hipMemcpyHostToDevice);
template <class T>
__host__ hipError_t hipMemcpyFromSymbol(void* to, const T& symbol, size_t bytes, size_t offset = 0,
                                        hipMemcpyKind kind = hipMemcpyDeviceToHost);
template <class T> __host__ hipError_t hipGetSymbolAddress(void** address, const T& symbol);
template <class F>
__host__ hipError_t hipLaunchCooperativeKernel(F function, dim3 blocks, dim3 threads,
                                               void** arguments, unsigned shared_bytes,
                                               hipStream_t stream);
template <class F>
__host__ hipError_t hipFuncSetAttribute(F* function, hipFuncAttribute attribute, int value);
template <class F>
__host__ hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, F function,
                                                                 int threads, size_t shared_bytes);
template <class F>
__host__ hipError_t hipOccupancyMaxPotentialBlockSize(int* grid, int* block, F function,
                                                      size_t shared_bytes = 0,
                                                      int most_threads = 0);

#define hipLaunchKernelGGL(kernel, blocks, threads, bytes, stream, ...)                           \
  do {                                                                                            \
    kernel<<<(blocks), (threads), (bytes), (stream)>>>(__VA_ARGS__);                              \
  } while (0)
