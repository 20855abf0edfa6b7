/* The names of HIP's host API, so that a file with host code compiles for the device. Nothing
 * here is defined: lanemap compiles only the device's side. Signatures as in HIP's
 * documentation, "HIP runtime API reference". */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include <hip/hip_api_types.h>
#include <hip/host_defines.h>
#include <hip/hip_vector_types.h>

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
CALL(hipGetDeviceFlags, unsigned* flags)
CALL(hipDeviceGet, hipDevice_t* device, int ordinal)
CALL(hipDeviceGetName, char* name, int length, hipDevice_t device)
CALL(hipDeviceTotalMem, size_t* bytes, hipDevice_t device)
CALL(hipDeviceSetCacheConfig, hipFuncCache_t config)
CALL(hipDeviceGetStreamPriorityRange, int* least, int* greatest)
CALL(hipDeviceSynchronize)
CALL(hipDeviceReset)
CALL(hipDeviceGetLimit, size_t* value, hipLimit_t limit)
CALL(hipDeviceSetLimit, hipLimit_t limit, size_t value)
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
CALL(hipMallocHost, void** address, size_t bytes)
CALL(hipHostAlloc, void** address, size_t bytes, unsigned flags)
CALL(hipExtMallocWithFlags, void** address, size_t bytes, unsigned flags)
CALL(hipMemPrefetchAsync, const void* address, size_t bytes, int device,
     hipStream_t stream = nullptr)
CALL(hipMemAdvise, const void* address, size_t bytes, hipMemoryAdvise advice, int device)
CALL(hipPointerGetAttributes, hipPointerAttribute_t* attributes, const void* address)
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
CALL(hipMemcpy2DAsync, void* to, size_t to_pitch, const void* from, size_t from_pitch,
     size_t width, size_t height, hipMemcpyKind kind, hipStream_t stream = nullptr)
CALL(hipMemcpyWithStream, void* to, const void* from, size_t bytes, hipMemcpyKind kind,
     hipStream_t stream)
CALL(hipMemcpyPeerAsync, void* to, int to_device, const void* from, int from_device, size_t bytes,
     hipStream_t stream = nullptr)
CALL(hipMemcpyDtoD, hipDeviceptr_t to, hipDeviceptr_t from, size_t bytes)
CALL(hipMemcpyPeer, void* to, int to_device, const void* from, int from_device, size_t bytes)
CALL(hipMemcpyHtoD, hipDeviceptr_t to, const void* from, size_t bytes)
CALL(hipMemcpyDtoH, void* to, hipDeviceptr_t from, size_t bytes)
CALL(hipMemset, void* to, int value, size_t bytes)
CALL(hipMemset2D, void* to, size_t pitch, int value, size_t width, size_t height)
CALL(hipMemsetD8, hipDeviceptr_t to, unsigned char value, size_t count)
CALL(hipMemsetD32, hipDeviceptr_t to, int value, size_t count)
CALL(hipMemsetAsync, void* to, int value, size_t bytes, hipStream_t stream = nullptr)
CALL(hipMemcpyToSymbol, const void* symbol, const void* from, size_t bytes, size_t offset = 0,
     hipMemcpyKind kind = hipMemcpyHostToDevice)
CALL(hipMemcpyFromSymbol, void* to, const void* symbol, size_t bytes, size_t offset = 0,
     hipMemcpyKind kind = hipMemcpyDeviceToHost)
CALL(hipGetSymbolAddress, void** address, const void* symbol)
CALL(hipStreamCreate, hipStream_t* stream)
CALL(hipStreamCreateWithFlags, hipStream_t* stream, unsigned flags)
CALL(hipStreamCreateWithPriority, hipStream_t* stream, unsigned flags, int priority)
CALL(hipStreamAddCallback, hipStream_t stream, hipStreamCallback_t callback, void* data,
     unsigned flags)
CALL(hipLaunchHostFunc, hipStream_t stream, hipHostFn_t function, void* data)
CALL(hipStreamBeginCapture, hipStream_t stream, hipStreamCaptureMode mode)
CALL(hipStreamEndCapture, hipStream_t stream, hipGraph_t* graph)
CALL(hipGraphInstantiate, hipGraphExec_t* executable, hipGraph_t graph, hipGraphNode_t* node,
     char* log, size_t bytes)
CALL(hipGraphLaunch, hipGraphExec_t executable, hipStream_t stream)
CALL(hipGraphDestroy, hipGraph_t graph)
CALL(hipGraphExecDestroy, hipGraphExec_t executable)
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
CALL(hipFuncGetAttributes, hipFuncAttributes* attributes, const void* function)
CALL(hipFuncSetCacheConfig, const void* function, hipFuncCache_t config)
CALL(hipFuncSetAttribute, const void* function, hipFuncAttribute attribute, int value)
CALL(hipOccupancyMaxActiveBlocksPerMultiprocessor, int* blocks, const void* function, int threads,
     size_t shared_bytes)
CALL(hipOccupancyMaxPotentialBlockSize, int* grid, int* block, const void* function,
     size_t shared_bytes, int most_threads)
/* What clang makes of kernel<<<blocks, threads, bytes, stream>>>(..). */
CALL(__hipPushCallConfiguration, dim3 blocks, dim3 threads, size_t shared_bytes = 0,
     hipStream_t stream = nullptr)
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
template <class T> __host__ hipError_t hipGetSymbolSize(size_t* bytes, const T& symbol);
template <class T> __host__ hipError_t hipHostAlloc(T** address, size_t bytes, unsigned flags);
template <class F>
__host__ hipError_t hipFuncGetAttributes(hipFuncAttributes* attributes, F* function);
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
