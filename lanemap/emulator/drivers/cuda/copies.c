/* Copies and fills: one byte range, or rows of a two- or three-dimensional one. */

#include "../../runtime/bits.h"
#include "core.h"

#include <string.h>

/* Whether the program reads an address by itself, unlike that of another. */
static bool given_to_host(uint64_t to, uint64_t from) {
  struct Region there, here;
  return region_at(to, &there) && there.host && region_at(from, &here) && !here.host;
}

/* Whether an address is kernels' memory rather than the program's own. Memory that both reach at
   one address counts as kernels': the emulator then keeps track of what is defined. */
static bool of_device(uint64_t address) {
  struct Region region;
  return region_at(address, &region) && address - region.base < region.size;
}

/* -- without a request: the emulator's record of what is defined lies where we reach it ----------
 */
/* Part of a region, as the emulator has it (runtime/bits.h). */
struct Part {
  Memory memory;
  uint64_t start;
};

/* Whether the emulator's record of a range is at hand. */
static bool part_at(uint64_t address, size_t size, struct Part *part) {
  struct Region region;
  if (!holds(address, size) || !region_at(address, &region) || !region.state.data) return false;
  part->memory = (Memory){.size = region.size,
                          .data = (u8 *)region.state.data,
                          .defined = region.state.defined,
                          .pages = region.state.pages};
  part->start = address - region.base;
  return true;
}

/* Whether a page at an edge of a range, of which some bytes stay as they are, has contents. */
static bool edges_filled(const struct Part *part, size_t size) {
  const Memory *m = &part->memory;
  uint64_t edges[] = {part->start, part->start + size};
  for (int i = 0; i < 2; i++) {
    bool inside = edges[i] % PAGE_BYTES && edges[i] < m->size;
    if (inside && !(m->pages[edges[i] >> PAGE_SHIFT] & PAGE_FILLED)) return false;
  }
  return true;
}

/* The host has written a range. */
static void define(struct Part *part, size_t size) {
  const Memory *m = &part->memory;
  define_at(m, part->start, size, 0);
  uint64_t end = part->start + size, last = (end - 1) >> PAGE_SHIFT;
  for (uint64_t page = part->start >> PAGE_SHIFT; page <= last; page++) {
    uint64_t first = page << PAGE_SHIFT, behind = first + PAGE_BYTES;
    bool whole = part->start <= first && end >= (behind < m->size ? behind : m->size);
    u32 state = m->pages[page] & (PAGE_FILLED | PAGE_DEFINED);
    m->pages[page] = whole ? PAGE_FILLED | PAGE_DEFINED : state;
  }
}

/* Copy without asking the emulator, unless it is in use, or has to tell of undefined bytes. */
static bool copy_alone(uint64_t to, uint64_t from, size_t size, bool device_to, bool device_from) {
  struct Part target, source;
  if (!take_alone()) return false;
  bool can = (!device_to || (part_at(to, size, &target) && edges_filled(&target, size))) &&
             (!device_from ||
              (part_at(from, size, &source) && defined_at(&source.memory, source.start, size)));
  if (can) {
    memmove(device_to ? (void *)(target.memory.data + target.start) : (void *)to,
            device_from ? (void *)(source.memory.data + source.start) : (void *)from, size);
    if (device_to) define(&target, size);
  }
  give_alone();
  return can;
}

/* Fill without asking, likewise. */
static bool fill_alone(uint64_t address, unsigned value, unsigned bytes, size_t times) {
  struct Part part;
  if (!take_alone()) return false;
  bool can = part_at(address, times * bytes, &part) && edges_filled(&part, times * bytes);
  if (can) {
    u8 *at = part.memory.data + part.start;
    if (bytes == 1) memset(at, (int)value, times);
    else
      for (size_t i = 0; i < times; i++) memcpy(at + i * bytes, &value, bytes);
    define(&part, times * bytes);
  }
  give_alone();
  return can;
}

static CUresult copy_here(uint64_t to, uint64_t from, size_t size) {
  if (!size) return CUDA_SUCCESS;
  bool device_to = of_device(to), device_from = of_device(from);
  if (!device_to && !device_from) {
    memmove((void *)to, (const void *)from, size);
    return CUDA_SUCCESS;
  }
  REQUIRE(!device_to || holds(to, size), CUDA_ERROR_INVALID_VALUE);
  REQUIRE(!device_from || holds(from, size), CUDA_ERROR_INVALID_VALUE);
  if (copy_alone(to, from, size, device_to, device_from)) return CUDA_SUCCESS;
  if (device_to && device_from) return ask_words(COPY, to, from, size, given_to_host(to, from));
  struct Request request = {.operation = device_to ? WRITE : READ,
                            .words = {device_to ? to : from, size}};
  if (device_to) request.in = (const void *)from, request.in_bytes = size;
  else request.out = (void *)to, request.out_bytes = size;
  return ask(&request);
}

/* A side that a caller says is the device's must be. */
static CUresult copy_to_device(CUdeviceptr to, const void *from, size_t size) {
  TRY(enter());
  REQUIRE(holds(to, size) && (from || !size), CUDA_ERROR_INVALID_VALUE);
  return copy_here(to, (uint64_t)from, size);
}

static CUresult copy_from_device(void *to, CUdeviceptr from, size_t size) {
  TRY(enter());
  REQUIRE(holds(from, size) && (to || !size), CUDA_ERROR_INVALID_VALUE);
  return copy_here((uint64_t)to, from, size);
}

static CUresult copy_on_device(CUdeviceptr to, CUdeviceptr from, size_t size) {
  TRY(enter());
  REQUIRE(holds(to, size) && holds(from, size), CUDA_ERROR_INVALID_VALUE);
  return copy_here(to, from, size);
}

API CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t size) {
  TRY(enter());
  REQUIRE((to && from) || !size, CUDA_ERROR_INVALID_VALUE);
  return copy_here(to, from, size);
}

API CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t size, CUstream stream) {
  TRY(require_stream(stream));
  return cuMemcpy(to, from, size);
}

API CUresult cuMemcpyPeer(CUdeviceptr to, CUcontext to_context, CUdeviceptr from,
                          CUcontext from_context, size_t size) {
  return copy_on_device(to, from, size);
}

API CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext to_context, CUdeviceptr from,
                               CUcontext from_context, size_t size, CUstream stream) {
  TRY(require_stream(stream));
  return copy_on_device(to, from, size);
}

API CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t size) {
  return copy_to_device(to, from, size);
}

API CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t size, CUstream stream) {
  TRY(require_stream(stream));
  return copy_to_device(to, from, size);
}

API CUresult cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t size) {
  return copy_from_device(to, from, size);
}

API CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t size, CUstream stream) {
  TRY(require_stream(stream));
  return copy_from_device(to, from, size);
}

API CUresult cuMemcpyDtoD_v2(CUdeviceptr to, CUdeviceptr from, size_t size) {
  return copy_on_device(to, from, size);
}

API CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t size, CUstream stream) {
  TRY(require_stream(stream));
  return copy_on_device(to, from, size);
}

/* -- rows ---------------------------------------------------------------------------------------
 */
/* Where one side begins; 0 for arrays, which there are none of. */
static uint64_t side(unsigned type, const void *host, CUdeviceptr device, uint64_t offset) {
  uint64_t start = type == CU_MEMORYTYPE_HOST ? (uint64_t)host : device;
  return type == CU_MEMORYTYPE_ARRAY || !start ? 0 : start + offset;
}

API CUresult cuMemcpy3D_v2(const CUDA_MEMCPY3D *copy) {
  TRY(enter());
  REQUIRE(copy && !copy->srcLOD && !copy->dstLOD, CUDA_ERROR_INVALID_VALUE);
  const CUDA_MEMCPY3D *c = copy;
  size_t from_slice = c->srcPitch * c->srcHeight, to_slice = c->dstPitch * c->dstHeight;
  uint64_t from = side(c->srcMemoryType, c->srcHost, c->srcDevice,
                       c->srcZ * from_slice + c->srcY * c->srcPitch + c->srcXInBytes);
  uint64_t to = side(c->dstMemoryType, c->dstHost, c->dstDevice,
                     c->dstZ * to_slice + c->dstY * c->dstPitch + c->dstXInBytes);
  if (c->srcMemoryType == CU_MEMORYTYPE_ARRAY || c->dstMemoryType == CU_MEMORYTYPE_ARRAY) {
    say("cuMemcpy2D and cuMemcpy3D: CUDA arrays are not supported");
    return CUDA_ERROR_NOT_SUPPORTED;
  }
  REQUIRE(from && to, CUDA_ERROR_INVALID_VALUE);
  bool deep = c->Depth > 1, high = c->Height > 1 || deep;
  REQUIRE(!high || (c->srcPitch >= c->WidthInBytes && c->dstPitch >= c->WidthInBytes),
          CUDA_ERROR_INVALID_VALUE);
  REQUIRE(!deep || (c->srcHeight >= c->Height && c->dstHeight >= c->Height),
          CUDA_ERROR_INVALID_VALUE);
  bool whole = c->srcPitch == c->WidthInBytes && c->dstPitch == c->WidthInBytes;
  for (size_t z = 0; z < c->Depth; z++) {
    if (whole) {
      TRY(copy_here(to + z * to_slice, from + z * from_slice, c->WidthInBytes * c->Height));
      continue;
    }
    for (size_t y = 0; y < c->Height; y++)
      TRY(copy_here(to + z * to_slice + y * c->dstPitch, from + z * from_slice + y * c->srcPitch,
                    c->WidthInBytes));
  }
  return CUDA_SUCCESS;
}

API CUresult cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D *copy, CUstream stream) {
  TRY(require_stream(stream));
  return cuMemcpy3D_v2(copy);
}

API CUresult cuMemcpy2DUnaligned_v2(const CUDA_MEMCPY2D *copy) {
  REQUIRE(copy, CUDA_ERROR_INVALID_VALUE);
  const CUDA_MEMCPY2D *c = copy;
  CUDA_MEMCPY3D whole = {.srcXInBytes = c->srcXInBytes,
                         .srcY = c->srcY,
                         .srcMemoryType = c->srcMemoryType,
                         .srcHost = c->srcHost,
                         .srcDevice = c->srcDevice,
                         .srcPitch = c->srcPitch ? c->srcPitch : c->WidthInBytes,
                         .dstXInBytes = c->dstXInBytes,
                         .dstY = c->dstY,
                         .dstMemoryType = c->dstMemoryType,
                         .dstHost = c->dstHost,
                         .dstDevice = c->dstDevice,
                         .dstPitch = c->dstPitch ? c->dstPitch : c->WidthInBytes,
                         .WidthInBytes = c->WidthInBytes,
                         .Height = c->Height,
                         .Depth = 1};
  return cuMemcpy3D_v2(&whole);
}

API CUresult cuMemcpy2D_v2(const CUDA_MEMCPY2D *copy) { return cuMemcpy2DUnaligned_v2(copy); }

API CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D *copy, CUstream stream) {
  TRY(require_stream(stream));
  return cuMemcpy2DUnaligned_v2(copy);
}

/* -- fills --------------------------------------------------------------------------------------
 */
static CUresult fill(CUdeviceptr address, size_t pitch, unsigned value, unsigned bytes,
                     size_t width, size_t height, CUstream stream) {
  TRY(require_stream(stream));
  REQUIRE(address % bytes == 0 && width <= SIZE_MAX / bytes, CUDA_ERROR_INVALID_VALUE);
  REQUIRE(height < 2 || (pitch % bytes == 0 && pitch >= width * bytes), CUDA_ERROR_INVALID_VALUE);
  for (size_t y = 0; width && y < height; y++) {
    REQUIRE(holds(address + y * pitch, width * bytes), CUDA_ERROR_INVALID_VALUE);
    if (!fill_alone(address + y * pitch, value, bytes, width))
      TRY(ask_words(FILL, address + y * pitch, value, bytes, width));
  }
  return CUDA_SUCCESS;
}

#define FILLS(bits, type)                                                                          \
  API CUresult cuMemsetD##bits##_v2(CUdeviceptr address, type value, size_t times) {               \
    return fill(address, 0, value, bits / 8, times, 1, NULL);                                      \
  }                                                                                                \
  API CUresult cuMemsetD##bits##Async(CUdeviceptr address, type value, size_t times,               \
                                      CUstream stream) {                                           \
    return fill(address, 0, value, bits / 8, times, 1, stream);                                    \
  }                                                                                                \
  API CUresult cuMemsetD2D##bits##_v2(CUdeviceptr address, size_t pitch, type value, size_t width, \
                                      size_t height) {                                             \
    return fill(address, pitch, value, bits / 8, width, height, NULL);                             \
  }                                                                                                \
  API CUresult cuMemsetD2D##bits##Async(CUdeviceptr address, size_t pitch, type value,             \
                                        size_t width, size_t height, CUstream stream) {            \
    return fill(address, pitch, value, bits / 8, width, height, stream);                           \
  }
FILLS(8, unsigned char)
FILLS(16, unsigned short)
FILLS(32, unsigned int)
