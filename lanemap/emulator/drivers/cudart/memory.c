/* Memory, copies and fills. */

#include "core.h"

#include <string.h>

API cudaError_t cudaMalloc(void **address, size_t size) {
  BEGIN;
  REQUIRE(address, cudaErrorInvalidValue);
  *address = NULL;
  if (!size) return cudaSuccess;
  return ended((int)cuMemAlloc_v2((CUdeviceptr *)address, size));
}

API cudaError_t cudaMallocManaged(void **address, size_t size, unsigned flags) {
  SAME_AS(cuMemAllocManaged((CUdeviceptr *)address, size, flags));
}

API cudaError_t cudaHostAlloc(void **address, size_t size, unsigned flags) {
  BEGIN;
  REQUIRE(address, cudaErrorInvalidValue);
  *address = NULL;
  if (!size) return cudaSuccess;
  return ended((int)cuMemHostAlloc(address, size, flags));
}

API cudaError_t cudaMallocHost(void **address, size_t size) {
  return cudaHostAlloc(address, size, 0);
}

enum { ELEMENT_BYTES = 4 }; /* of cuMemAllocPitch; rows begin at 512 bytes anyhow */
API cudaError_t cudaMallocPitch(void **address, size_t *pitch, size_t width, size_t height) {
  SAME_AS(cuMemAllocPitch_v2((CUdeviceptr *)address, pitch, width, height, ELEMENT_BYTES));
}

API cudaError_t cudaMalloc3D(struct cudaPitchedPtr *made, struct cudaExtent extent) {
  BEGIN;
  REQUIRE(made && (!extent.height || extent.depth <= SIZE_MAX / extent.height),
          cudaErrorInvalidValue);
  CUdeviceptr address;
  size_t pitch, rows = extent.height * extent.depth;
  int status = (int)cuMemAllocPitch_v2(&address, &pitch, extent.width, rows, ELEMENT_BYTES);
  REQUIRE(!status, status);
  *made = (struct cudaPitchedPtr){(void *)address, pitch, extent.width, extent.height};
  return cudaSuccess;
}

API cudaError_t cudaFree(void *address) { SAME_AS(cuMemFree_v2((CUdeviceptr)address)); }
API cudaError_t cudaFreeHost(void *address) { SAME_AS(cuMemFreeHost(address)); }

API cudaError_t cudaHostRegister(void *address, size_t size, unsigned flags) {
  SAME_AS(cuMemHostRegister_v2(address, size, flags));
}

API cudaError_t cudaHostUnregister(void *address) { SAME_AS(cuMemHostUnregister(address)); }

API cudaError_t cudaHostGetDevicePointer(void **address, void *host, unsigned flags) {
  SAME_AS(cuMemHostGetDevicePointer_v2((CUdeviceptr *)address, host, flags));
}

API cudaError_t cudaHostGetFlags(unsigned *flags, void *host) {
  SAME_AS(cuMemHostGetFlags(flags, host));
}

API cudaError_t cudaMemGetInfo(size_t *unused, size_t *total) {
  SAME_AS(cuMemGetInfo_v2(unused, total));
}

/* Advice about managed memory changes no value; the driver's functions answer the same. */
API cudaError_t cudaMemAdvise(const void *address, size_t size, enum cudaMemoryAdvise advice,
                              struct cudaMemLocation location) {
  BEGIN;
  return cudaSuccess;
}

API cudaError_t cudaMemPrefetchAsync(const void *address, size_t size,
                                     struct cudaMemLocation location, unsigned flags,
                                     cudaStream_t stream) {
  SAME_AS(cuStreamQuery((CUstream)stream));
}

API cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes,
                                         const void *address) {
  BEGIN;
  REQUIRE(attributes, cudaErrorInvalidValue);
  enum { MEMORY_TYPE = 2, DEVICE_POINTER, HOST_POINTER, IS_MANAGED = 8, ASKED = 4 };
  unsigned type = 0;
  int managed = 0;
  memset(attributes, 0, sizeof *attributes);
  CUpointer_attribute asked[] = {MEMORY_TYPE, IS_MANAGED, DEVICE_POINTER, HOST_POINTER};
  void *values[] = {&type, &managed, &attributes->devicePointer, &attributes->hostPointer};
  int status = (int)cuPointerGetAttributes(ASKED, asked, values, (CUdeviceptr)address);
  REQUIRE(!status, status);
  attributes->type = managed                        ? cudaMemoryTypeManaged
                     : type == CU_MEMORYTYPE_HOST   ? cudaMemoryTypeHost
                     : type == CU_MEMORYTYPE_DEVICE ? cudaMemoryTypeDevice
                                                    : cudaMemoryTypeUnregistered;
  attributes->device = type ? GPU : -2; /* cudaInvalidDeviceId */
  if (!type) attributes->hostPointer = (void *)address;
  return cudaSuccess;
}

/* -- in the order of a stream, and from pools ----------------------------------------------------
 */
API cudaError_t cudaMallocAsync(void **address, size_t size, cudaStream_t stream) {
  SAME_AS(cuMemAllocAsync((CUdeviceptr *)address, size, (CUstream)stream));
}

API cudaError_t cudaMallocFromPoolAsync(void **address, size_t size, cudaMemPool_t pool,
                                        cudaStream_t stream) {
  SAME_AS(
      cuMemAllocFromPoolAsync((CUdeviceptr *)address, size, (CUmemoryPool)pool, (CUstream)stream));
}

API cudaError_t cudaFreeAsync(void *address, cudaStream_t stream) {
  SAME_AS(cuMemFreeAsync((CUdeviceptr)address, (CUstream)stream));
}

API cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device) {
  SAME_AS(cuDeviceGetDefaultMemPool((CUmemoryPool *)pool, device));
}

API cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device) {
  SAME_AS(cuDeviceGetMemPool((CUmemoryPool *)pool, device));
}

API cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  SAME_AS(cuDeviceSetMemPool(device, (CUmemoryPool)pool));
}

API cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const struct cudaMemPoolProps *properties) {
  SAME_AS(cuMemPoolCreate((CUmemoryPool *)pool, (const CUmemPoolProps *)properties));
}

API cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  SAME_AS(cuMemPoolDestroy((CUmemoryPool)pool));
}

API cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t kept) {
  SAME_AS(cuMemPoolTrimTo((CUmemoryPool)pool, kept));
}

API cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute,
                                        void *value) {
  SAME_AS(cuMemPoolSetAttribute((CUmemoryPool)pool, (CUmemPool_attribute)attribute, value));
}

API cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute,
                                        void *value) {
  SAME_AS(cuMemPoolGetAttribute((CUmemoryPool)pool, (CUmemPool_attribute)attribute, value));
}

API cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const struct cudaMemAccessDesc *access,
                                     size_t count) {
  SAME_AS(cuMemPoolSetAccess((CUmemoryPool)pool, (const CUmemAccessDesc *)access, count));
}

API cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags, cudaMemPool_t pool,
                                     struct cudaMemLocation *location) {
  SAME_AS(cuMemPoolGetAccess((CUmemAccess_flags *)flags, (CUmemoryPool)pool,
                             (CUmemLocation *)location));
}

/* -- copies: all of them have ended when they return ---------------------------------------------
 */
static int copy(CUdeviceptr to, CUdeviceptr from, size_t size, enum cudaMemcpyKind kind) {
  if (!size) return cudaSuccess;
  switch (kind) {
  case cudaMemcpyHostToDevice: return (int)cuMemcpyHtoD_v2(to, (const void *)from, size);
  case cudaMemcpyDeviceToHost: return (int)cuMemcpyDtoH_v2((void *)to, from, size);
  case cudaMemcpyDeviceToDevice: return (int)cuMemcpyDtoD_v2(to, from, size);
  case cudaMemcpyHostToHost:
  case cudaMemcpyDefault: return (int)cuMemcpy(to, from, size);
  default: return cudaErrorInvalidMemcpyDirection;
  }
}

API cudaError_t cudaMemcpy(void *to, const void *from, size_t size, enum cudaMemcpyKind kind) {
  SAME_AS(copy((CUdeviceptr)to, (CUdeviceptr)from, size, kind));
}

#define IN_ORDER_OF(stream)                                                                        \
  do {                                                                                             \
    BEGIN;                                                                                         \
    int status_ = (int)cuStreamQuery((CUstream)stream);                                            \
    if (status_) return ended(status_);                                                            \
  } while (0)

API cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t size, enum cudaMemcpyKind kind,
                                cudaStream_t stream) {
  IN_ORDER_OF(stream);
  return cudaMemcpy(to, from, size, kind);
}

API cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device,
                               size_t size) {
  REQUIRE(to_device == GPU && from_device == GPU, cudaErrorInvalidDevice);
  return cudaMemcpy(to, from, size, cudaMemcpyDeviceToDevice);
}

API cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device,
                                    size_t size, cudaStream_t stream) {
  IN_ORDER_OF(stream);
  return cudaMemcpyPeer(to, to_device, from, from_device, size);
}

static int of_symbol(const void *host, size_t size, size_t offset, CUdeviceptr *address) {
  size_t whole;
  int status = symbol(host, address, &whole);
  if (status) return status;
  *address += offset;
  return offset <= whole && size <= whole - offset ? cudaSuccess : cudaErrorInvalidValue;
}

API cudaError_t cudaMemcpyToSymbol(const void *host, const void *from, size_t size, size_t offset,
                                   enum cudaMemcpyKind kind) {
  CUdeviceptr to;
  int status = of_symbol(host, size, offset, &to);
  REQUIRE(!status, status);
  return cudaMemcpy((void *)to, from, size, kind);
}

API cudaError_t cudaMemcpyToSymbolAsync(const void *host, const void *from, size_t size,
                                        size_t offset, enum cudaMemcpyKind kind,
                                        cudaStream_t stream) {
  IN_ORDER_OF(stream);
  return cudaMemcpyToSymbol(host, from, size, offset, kind);
}

API cudaError_t cudaMemcpyFromSymbol(void *to, const void *host, size_t size, size_t offset,
                                     enum cudaMemcpyKind kind) {
  CUdeviceptr from;
  int status = of_symbol(host, size, offset, &from);
  REQUIRE(!status, status);
  return cudaMemcpy(to, (void *)from, size, kind);
}

API cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *host, size_t size, size_t offset,
                                          enum cudaMemcpyKind kind, cudaStream_t stream) {
  IN_ORDER_OF(stream);
  return cudaMemcpyFromSymbol(to, host, size, offset, kind);
}

/* -- rows ---------------------------------------------------------------------------------------
 */
API cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *given) {
  BEGIN;
  REQUIRE(given && (unsigned)given->kind <= cudaMemcpyDefault, cudaErrorInvalidValue);
  const struct cudaMemcpy3DParms *c = given;
  if (c->srcArray || c->dstArray) return (cudaError_t)refused("cudaMemcpy3D of a CUDA array");
  bool any = c->kind == cudaMemcpyDefault;
  bool to_host = c->kind == cudaMemcpyHostToHost || c->kind == cudaMemcpyDeviceToHost;
  bool from_host = c->kind == cudaMemcpyHostToHost || c->kind == cudaMemcpyHostToDevice;
  CUDA_MEMCPY3D copy;
  memset(&copy, 0, sizeof copy);
  copy.srcMemoryType = any         ? CU_MEMORYTYPE_UNIFIED
                       : from_host ? CU_MEMORYTYPE_HOST
                                   : CU_MEMORYTYPE_DEVICE;
  copy.dstMemoryType = any       ? CU_MEMORYTYPE_UNIFIED
                       : to_host ? CU_MEMORYTYPE_HOST
                                 : CU_MEMORYTYPE_DEVICE;
  copy.srcXInBytes = c->srcPos.x, copy.srcY = c->srcPos.y, copy.srcZ = c->srcPos.z;
  copy.dstXInBytes = c->dstPos.x, copy.dstY = c->dstPos.y, copy.dstZ = c->dstPos.z;
  copy.srcHost = c->srcPtr.ptr, copy.srcDevice = (CUdeviceptr)c->srcPtr.ptr;
  copy.dstHost = c->dstPtr.ptr, copy.dstDevice = (CUdeviceptr)c->dstPtr.ptr;
  copy.srcPitch = c->srcPtr.pitch, copy.srcHeight = c->srcPtr.ysize;
  copy.dstPitch = c->dstPtr.pitch, copy.dstHeight = c->dstPtr.ysize;
  copy.WidthInBytes = c->extent.width, copy.Height = c->extent.height;
  copy.Depth = c->extent.depth;
  return ended((int)cuMemcpy3D_v2(&copy));
}

API cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *given, cudaStream_t stream) {
  IN_ORDER_OF(stream);
  return cudaMemcpy3D(given);
}

API cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                             size_t width, size_t height, enum cudaMemcpyKind kind) {
  REQUIRE(width <= to_pitch && width <= from_pitch, cudaErrorInvalidPitchValue);
  struct cudaMemcpy3DParms copy = {.srcPtr = {(void *)from, from_pitch, width, height},
                                   .dstPtr = {to, to_pitch, width, height},
                                   .extent = {width, height, 1},
                                   .kind = kind};
  return cudaMemcpy3D(&copy);
}

API cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                                  size_t width, size_t height, enum cudaMemcpyKind kind,
                                  cudaStream_t stream) {
  IN_ORDER_OF(stream);
  return cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind);
}

/* -- fills --------------------------------------------------------------------------------------
 */
API cudaError_t cudaMemset(void *address, int value, size_t size) {
  SAME_AS(cuMemsetD8_v2((CUdeviceptr)address, (unsigned char)value, size));
}

API cudaError_t cudaMemsetAsync(void *address, int value, size_t size, cudaStream_t stream) {
  IN_ORDER_OF(stream);
  return cudaMemset(address, value, size);
}

API cudaError_t cudaMemset2D(void *address, size_t pitch, int value, size_t width, size_t height) {
  SAME_AS(cuMemsetD2D8_v2((CUdeviceptr)address, pitch, (unsigned char)value, width, height));
}

API cudaError_t cudaMemset2DAsync(void *address, size_t pitch, int value, size_t width,
                                  size_t height, cudaStream_t stream) {
  IN_ORDER_OF(stream);
  return cudaMemset2D(address, pitch, value, width, height);
}

API cudaError_t cudaMemset3D(struct cudaPitchedPtr memory, int value, struct cudaExtent extent) {
  for (size_t z = 0; z < extent.depth; z++) {
    void *slice = (char *)memory.ptr + z * memory.ysize * memory.pitch;
    cudaError_t status = cudaMemset2D(slice, memory.pitch, value, extent.width, extent.height);
    if (status) return status;
  }
  return cudaSuccess;
}

API cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr memory, int value, struct cudaExtent extent,
                                  cudaStream_t stream) {
  IN_ORDER_OF(stream);
  return cudaMemset3D(memory, value, extent);
}

/* Of textures and arrays, which are refused; it only puts five values together. */
API struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                       enum cudaChannelFormatKind kind) {
  return (struct cudaChannelFormatDesc){x, y, z, w, kind};
}
