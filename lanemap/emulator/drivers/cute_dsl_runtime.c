/* A stand-in for libcute_dsl_runtime.so, the runtime library of CuTe DSL 4.8.

   The host code that CuTe DSL compiles calls these functions, which have the parameters of CUDA's
   functions of the same name (CUDA Runtime API; CUDA Driver API). Each one calls what its variable
   `serve_..` points to. Whoever loads the library sets those variables (lanemap/check/cute). */

#include <stddef.h>
#include <stdint.h>

/* cudaErrorNotSupported, and CUDA_ERROR_NOT_SUPPORTED. */
enum { NOT_SUPPORTED = 801 };

#define SHIM(name, parameters, arguments)                                                          \
  int(*serve_##name) parameters;                                                                   \
  int _##name parameters { return serve_##name ? serve_##name arguments : NOT_SUPPORTED; }

/* -- devices ----------------------------------------------------------------------------------- */
SHIM(cudaGetDeviceCount, (int *count), (count))
SHIM(cudaGetDevice, (int *device), (device))
SHIM(cudaSetDevice, (int device), (device))
SHIM(cuDeviceGet, (int *device, int ordinal), (device, ordinal))
SHIM(cudaDeviceGetAttribute, (int *value, int attribute, int device), (value, attribute, device))
SHIM(cudaGetDeviceProperties, (void *properties, int device), (properties, device))
SHIM(cudaDeviceSynchronize, (void), ())

/* -- libraries and kernels --------------------------------------------------------------------- */
SHIM(cudaLibraryLoadData,
     (void **library, const void *code, void *options, void *values, unsigned count,
      void *library_options, void *library_values, unsigned library_count),
     (library, code, options, values, count, library_options, library_values, library_count))
SHIM(cudaLibraryLoadFromFile,
     (void **library, const char *name, void *options, void *values, unsigned count,
      void *library_options, void *library_values, unsigned library_count),
     (library, name, options, values, count, library_options, library_values, library_count))
SHIM(cudaLibraryUnload, (void *library), (library))
SHIM(cudaLibraryGetKernel, (void **kernel, void *library, const char *name),
     (kernel, library, name))
SHIM(cudaLibraryGetKernelCount, (unsigned *count, void *library), (count, library))
SHIM(cudaLibraryGetGlobal, (void **address, size_t *size, void *library, const char *name),
     (address, size, library, name))
SHIM(cudaLibraryGetManaged, (void **address, size_t *size, void *library, const char *name),
     (address, size, library, name))
SHIM(cudaLibraryGetUnifiedFunction, (void **function, void *library, const char *name),
     (function, library, name))
SHIM(cuLibraryLoadData,
     (void **library, const void *code, void *options, void *values, unsigned count,
      void *library_options, void *library_values, unsigned library_count),
     (library, code, options, values, count, library_options, library_values, library_count))
SHIM(cuLibraryLoadFromFile,
     (void **library, const char *name, void *options, void *values, unsigned count,
      void *library_options, void *library_values, unsigned library_count),
     (library, name, options, values, count, library_options, library_values, library_count))
SHIM(cuLibraryUnload, (void *library), (library))
SHIM(cuLibraryGetKernel, (void **kernel, void *library, const char *name), (kernel, library, name))
SHIM(cuLibraryGetKernelCount, (unsigned *count, void *library), (count, library))
SHIM(cuLibraryGetGlobal, (void **address, size_t *size, void *library, const char *name),
     (address, size, library, name))
SHIM(cuLibraryGetManaged, (void **address, size_t *size, void *library, const char *name),
     (address, size, library, name))
SHIM(cuLibraryGetModule, (void **module, void *library), (module, library))
SHIM(cuLibraryGetUnifiedFunction, (void **function, void *library, const char *name),
     (function, library, name))
SHIM(cuKernelGetAttribute, (int *value, int attribute, void *kernel, int device),
     (value, attribute, kernel, device))
SHIM(cudaKernelSetAttributeForDevice, (void *kernel, int attribute, int value, int device),
     (kernel, attribute, value, device))
SHIM(cudaFuncSetAttribute, (void *kernel, int attribute, int value), (kernel, attribute, value))
SHIM(cudaOccupancyMaxActiveBlocksPerMultiprocessor,
     (int *blocks, void *kernel, int threads, size_t shared_bytes),
     (blocks, kernel, threads, shared_bytes))

/* -- launches: a dim3 comes as three integers ---------------------------------------------------
 */
SHIM(cudaLaunchKernel,
     (void *kernel, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
      unsigned block_y, unsigned block_z, void **arguments, size_t shared_bytes, void *stream),
     (kernel, grid_x, grid_y, grid_z, block_x, block_y, block_z, arguments, shared_bytes, stream))
SHIM(cudaLaunchKernelEx, (const void *configuration, void *kernel, void **arguments),
     (configuration, kernel, arguments))
SHIM(cuTensorMapEncodeTiled,
     (void *map, int type, unsigned rank, void *address, const uint64_t *sizes,
      const uint64_t *strides, const uint32_t *box, const uint32_t *steps, int interleave,
      int swizzle, int promotion, int fill),
     (map, type, rank, address, sizes, strides, box, steps, interleave, swizzle, promotion, fill))

/* -- memory ------------------------------------------------------------------------------------ */
SHIM(cudaMalloc, (void **address, size_t size), (address, size))
SHIM(cudaMallocAsync, (void **address, size_t size, void *stream), (address, size, stream))
SHIM(cudaMallocHost, (void **address, size_t size), (address, size))
SHIM(cudaMallocManaged, (void **address, size_t size, unsigned flags), (address, size, flags))
SHIM(cudaFree, (void *address), (address))
SHIM(cudaFreeAsync, (void *address, void *stream), (address, stream))
SHIM(cudaFreeHost, (void *address), (address))
SHIM(cudaMemcpy, (void *to, const void *from, size_t size, int kind), (to, from, size, kind))
SHIM(cudaMemcpyAsync, (void *to, const void *from, size_t size, int kind, void *stream),
     (to, from, size, kind, stream))
SHIM(cudaMemset, (void *address, int value, size_t size), (address, value, size))
SHIM(cudaMemsetAsync, (void *address, int value, size_t size, void *stream),
     (address, value, size, stream))

/* -- streams, events, graphs ------------------------------------------------------------------- */
SHIM(cudaStreamCreate, (void **stream), (stream))
SHIM(cudaStreamDestroy, (void *stream), (stream))
SHIM(cudaStreamSynchronize, (void *stream), (stream))
SHIM(cudaStreamWaitEvent, (void *stream, void *event, unsigned flags), (stream, event, flags))
SHIM(cudaStreamAddCallback, (void *stream, void *callback, void *data, unsigned flags),
     (stream, callback, data, flags))
SHIM(cudaStreamBeginCapture, (void *stream, int mode), (stream, mode))
SHIM(cudaStreamEndCapture, (void *stream, void **graph), (stream, graph))
SHIM(cudaEventCreate, (void **event), (event))
SHIM(cudaEventDestroy, (void *event), (event))
SHIM(cudaEventRecord, (void *event, void *stream), (event, stream))
SHIM(cudaEventElapsedTime, (float *milliseconds, void *start, void *end),
     (milliseconds, start, end))
SHIM(cudaGraphInstantiate, (void **executable, void *graph, unsigned long long flags),
     (executable, graph, flags))
SHIM(cudaGraphLaunch, (void *executable, void *stream), (executable, stream))
SHIM(cudaGraphDestroy, (void *graph), (graph))
SHIM(cudaGraphExecDestroy, (void *executable), (executable))
SHIM(cudaProfilerStart, (void), ())
SHIM(cudaProfilerStop, (void), ())

/* -- TVM-FFI: a function that takes arguments as tvm_ffi does ------------------------------------
   (cutlass_dsl/tvm_ffi_provider.py of CuTe DSL 4.8) */
typedef void SetError(const char *kind, const char *message);
typedef void SetErrorParts(const char *kind, const char **parts, int count);

/* Write a status, which is not negative; return its first digit. */
static const char *digits_of(int status, char *end) {
  *--end = 0;
  do *--end = (char)('0' + status % 10);
  while (status /= 10);
  return end;
}

/* Load a module's library once, and its kernels; 0, or a status that an error has been set for. */
int cuda_dialect_init_library_once(void **library, int (*load)(void **),
                                   int (*find_kernels)(void **, int), SetError *set_error) {
  if (*library) return 0;
  int status = load(library);
  if (!status) status = find_kernels(library, 0);
  if (status) *library = 0;
  if (status) set_error("RuntimeError", "the library of kernels cannot be loaded");
  return status;
}

void cuda_dialect_unload_library_once(void **library) {
  if (*library) _cudaLibraryUnload(*library);
  *library = 0;
}

void CuteDSLRT_TVMFFISetRaisedCudaError(SetErrorParts *set_error, int status) {
  char digits[16];
  const char *parts[] = {"CUDA Error Code: ", digits_of(status, digits + sizeof digits)};
  set_error("CUDADialectError", parts, 2);
}
