/* What calls that CUDA refuses end with, a line each: the call, and the name of its status. */
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

__global__ void plain(int *values) { values[threadIdx.x] = 1; }
__global__ void __launch_bounds__(64) bounded(int *values) { values[threadIdx.x] = 1; }
__global__ void __cluster_dims__(2, 1, 1) clustered(int *values) { values[threadIdx.x] = 1; }
__constant__ int table[4];
static int outside;

static void tell(const char *what, cudaError_t status) {
  cudaError_t last = cudaGetLastError();
  printf("%s: %s, last %s\n", what, cudaGetErrorName(status), cudaGetErrorName(last));
}

#define LAUNCH(kernel, ...)                                                                        \
  do {                                                                                             \
    kernel<<<__VA_ARGS__>>>(device);                                                               \
    tell(#kernel " " #__VA_ARGS__, cudaPeekAtLastError());                                         \
  } while (0)
#define CALL(call) tell(#call, call)

static cudaError_t with_cluster(unsigned grid, unsigned ctas, int *device) {
  cudaLaunchConfig_t config = {};
  cudaLaunchAttribute attribute;
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = ctas, attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
  config.gridDim = grid, config.blockDim = 32, config.attrs = &attribute, config.numAttrs = 1;
  return cudaLaunchKernelEx(&config, plain, device);
}

static cudaError_t cooperative(unsigned grid, int *device) {
  void *given[] = {&device};
  return cudaLaunchCooperativeKernel(plain, dim3(grid), dim3(1024), given);
}

int main() {
  int *device, *managed, *pinned, host[64], count, value;
  void *found;
  size_t size, pitch;
  cudaEvent_t event, none = nullptr;
  cudaStream_t stream;
  float milliseconds;
  cudaPointerAttributes about;
  cudaFuncAttributes attributes;
  cudaDeviceProp gpu;
  CALL(cudaMalloc(&device, 4096));
  CALL(cudaMallocManaged(&managed, 4096));
  CALL(cudaMallocHost(&pinned, 4096));
  CALL(cudaEventCreate(&event));
  CALL(cudaStreamCreate(&stream));
  LAUNCH(plain, 1, 2048);
  LAUNCH(plain, 0, 32);
  LAUNCH(plain, 1, 0);
  LAUNCH(plain, 1, dim3(1, 1, 128));
  LAUNCH(plain, dim3(1, 70000), 32);
  LAUNCH(plain, 1, 32, 50000);
  LAUNCH(plain, 1, 32, 300000);
  LAUNCH(plain, 1, 32, 0, stream);
  LAUNCH(bounded, 1, 128);
  LAUNCH(clustered, 3, 32);
  LAUNCH(clustered, 4, 32);
  CALL(with_cluster(9, 4, device));
  CALL(with_cluster(16, 16, device));
  CALL(with_cluster(32, 32, device));
  CALL(cooperative(1000000, device));
  CALL(cudaMalloc(&found, 0));
  CALL(cudaMalloc(&found, (size_t)1 << 50));
  CALL(cudaMalloc(nullptr, 16));
  CALL(cudaMallocManaged(&found, 16, 7));
  CALL(cudaMallocPitch(&found, &pitch, 100, 3));
  printf("pitch %zu\n", pitch);
  CALL(cudaFree(device + 1));
  CALL(cudaFree(host));
  CALL(cudaFree(pinned));
  CALL(cudaFreeHost(device));
  CALL(cudaFree(nullptr));
  CALL(cudaFreeHost(nullptr));
  CALL(cudaMemcpy(device, host, 8192, cudaMemcpyHostToDevice));
  CALL(cudaMemcpy(host, device, 64, cudaMemcpyHostToDevice));
  CALL(cudaMemcpy(device, host, 64, cudaMemcpyDeviceToHost));
  CALL(cudaMemcpy(host, host + 32, 64, cudaMemcpyDefault));
  CALL(cudaMemcpy(device, host, 64, (cudaMemcpyKind)9));
  CALL(cudaMemcpy(nullptr, host, 64, cudaMemcpyHostToDevice));
  CALL(cudaMemcpy(device, nullptr, 0, cudaMemcpyHostToDevice));
  CALL(cudaMemcpy2D(device, 16, host, 32, 32, 2, cudaMemcpyHostToDevice));
  CALL(cudaMemset(host, 0, 16));
  CALL(cudaMemset(device, 0, 8192));
  CALL(cudaMemset(device, 0, 0));
  CALL(cudaMemcpyToSymbol(table, host, 20));
  CALL(cudaMemcpyToSymbol(table, host, 8, 12));
  CALL(cudaMemcpyToSymbol(&outside, host, 4));
  CALL(cudaGetSymbolSize(&size, &outside));
  CALL(cudaGetSymbolAddress(&found, table));
  CALL(cudaSetDevice(7));
  CALL(cudaSetDevice(-1));
  CALL(cudaGetDeviceProperties(&gpu, 5));
  CALL(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 3));
  CALL(cudaDeviceGetAttribute(&value, (cudaDeviceAttr)100000, 0));
  CALL(cudaDeviceCanAccessPeer(&value, 0, 0));
  CALL(cudaDeviceEnablePeerAccess(0, 0));
  CALL(cudaEventRecord(none));
  CALL(cudaEventSynchronize(none));
  CALL(cudaEventElapsedTime(&milliseconds, event, event));
  CALL(cudaEventQuery(event));
  CALL(cudaEventDestroy(none));
  CALL(cudaStreamWaitEvent(stream, none, 0));
  CALL(cudaStreamCreateWithFlags(&stream, 77));
  CALL(cudaStreamDestroy(nullptr));
  CALL(cudaPointerGetAttributes(&about, host));
  printf("type %d, device %d, host pointer %d\n", about.type, about.device,
         about.hostPointer == (void *)host);
  CALL(cudaPointerGetAttributes(&about, managed));
  printf("type %d, device %d\n", about.type, about.device);
  CALL(cudaPointerGetAttributes(&about, pinned + 3));
  printf("type %d, device %d, offset %d\n", about.type, about.device,
         (int)((int *)about.hostPointer - pinned));
  CALL(cudaHostGetDevicePointer(&found, host, 0));
  CALL(cudaHostGetFlags((unsigned *)&value, host));
  CALL(cudaHostUnregister(host));
  CALL(cudaFuncGetAttributes(&attributes, &outside));
  CALL(cudaFuncGetAttributes(&attributes, bounded));
  printf("threads %d, constants %zu, dynamic %d\n", attributes.maxThreadsPerBlock,
         attributes.constSizeBytes, attributes.maxDynamicSharedSizeBytes);
  CALL(cudaFuncSetAttribute(plain, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 << 10));
  CALL(cudaFuncSetAttribute(plain, cudaFuncAttributeMaxDynamicSharedMemorySize, 228 << 10));
  CALL(cudaFuncSetAttribute(plain, (cudaFuncAttribute)3, 1));
  CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&count, plain, 1024, 0));
  printf("blocks %d\n", count);
  CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&count, plain, 2048, 0));
  printf("blocks %d\n", count);
  CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&count, plain, 0, 0));
  CALL(cudaGetDriverEntryPointByVersion("cuNoSuchFunction", &found, 12000, cudaEnableDefault));
  CALL(cudaLaunchKernel(&outside, 1, 1, nullptr));
  CALL(cudaFree(device));
  CALL(cudaFree(device));
  CALL(cudaDeviceSynchronize());
  return 0;
}
