/* Memory: what is allocated, and what is asked of an address. */

#include "core.h"

#include <string.h>

/* Allocations that kernels and the program reach at one address are of ALLOCATE's kind 1. */
static CUresult allocate(CUdeviceptr *address, size_t size, enum RegionKind kind, unsigned flags) {
  TRY(enter());
  REQUIRE(address && size, CUDA_ERROR_INVALID_VALUE);
  bool shared = kind == MANAGED || kind == HOST;
  struct Region region = {.size = size, .kind = kind, .flags = flags};
  if (shared || allocate_here(&region)) {
    struct Request request = {.operation = ALLOCATE, .words = {size, shared}};
    TRY(ask(&request));
    region.base = request.words[0];
    region.host = shared ? region.base : 0;
    region.state = state_of(request.words + 1);
  }
  if (!add_region(region)) return CUDA_ERROR_OUT_OF_MEMORY;
  if (shared) open_to_host(region.base, size, true);
  *address = region.base;
  return CUDA_SUCCESS;
}

static CUresult release(CUdeviceptr address, bool of_host) {
  TRY(enter());
  if (!address) return CUDA_SUCCESS;
  struct Region region;
  REQUIRE(region_at(address, &region) && region.base == address, CUDA_ERROR_INVALID_VALUE);
  REQUIRE(of_host ? region.kind == HOST : region.kind == DEVICE || region.kind == MANAGED,
          CUDA_ERROR_INVALID_VALUE);
  REQUIRE(drop_region(address), CUDA_ERROR_INVALID_VALUE);
  if (region.noted) return free_here(&region);
  if (region.host) open_to_host(region.base, region.size, false);
  return ask_words(FREE, address, 0, 0, 0);
}

API CUresult cuMemAlloc_v2(CUdeviceptr *address, size_t size) {
  return allocate(address, size, DEVICE, 0);
}

API CUresult cuMemAllocManaged(CUdeviceptr *address, size_t size, unsigned flags) {
  REQUIRE(flags == 1 || flags == 2 || flags == 4, CUDA_ERROR_INVALID_VALUE);
  return allocate(address, size, MANAGED, flags);
}

API CUresult cuMemFree_v2(CUdeviceptr address) { return release(address, false); }

enum { PITCH = 512 }; /* rows begin at what TEXTURE_ALIGNMENT says */
API CUresult cuMemAllocPitch_v2(CUdeviceptr *address, size_t *pitch, size_t width, size_t height,
                                unsigned element) {
  REQUIRE(pitch && width && height, CUDA_ERROR_INVALID_VALUE);
  REQUIRE(element == 4 || element == 8 || element == 16, CUDA_ERROR_INVALID_VALUE);
  REQUIRE(width <= SIZE_MAX - PITCH, CUDA_ERROR_INVALID_VALUE);
  *pitch = (width + PITCH - 1) / PITCH * PITCH;
  REQUIRE(height <= SIZE_MAX / *pitch, CUDA_ERROR_OUT_OF_MEMORY);
  return allocate(address, *pitch * height, DEVICE, 0);
}

API CUresult cuMemHostAlloc(void **address, size_t size, unsigned flags) {
  CUdeviceptr found;
  REQUIRE(address && flags < 16, CUDA_ERROR_INVALID_VALUE);
  TRY(allocate(&found, size, HOST, flags));
  *address = (void *)found;
  return CUDA_SUCCESS;
}

API CUresult cuMemAllocHost_v2(void **address, size_t size) {
  return cuMemHostAlloc(address, size, 0);
}

API CUresult cuMemFreeHost(void *address) { return release((CUdeviceptr)address, true); }

API CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr *address, void *host, unsigned flags) {
  TRY(enter());
  struct Region region;
  REQUIRE(address && !flags, CUDA_ERROR_INVALID_VALUE);
  REQUIRE(region_at((uint64_t)host, &region) && region.host, CUDA_ERROR_INVALID_VALUE);
  *address = region.base + ((uint64_t)host - region.host);
  return CUDA_SUCCESS;
}

API CUresult cuMemHostGetFlags(unsigned *flags, void *host) {
  TRY(enter());
  struct Region region;
  REQUIRE(flags && region_at((uint64_t)host, &region), CUDA_ERROR_INVALID_VALUE);
  REQUIRE(region.kind == HOST || region.kind == REGISTERED, CUDA_ERROR_INVALID_VALUE);
  *flags = region.flags;
  return CUDA_SUCCESS;
}

/* Registered memory has an address of its own for kernels (CAN_USE_HOST_POINTER.. is 0). */
API CUresult cuMemHostRegister_v2(void *host, size_t size, unsigned flags) {
  TRY(enter());
  uint64_t start = (uint64_t)host;
  REQUIRE(host && size && flags < 16 && start + size > start, CUDA_ERROR_INVALID_VALUE);
  struct Region known;
  REQUIRE(!region_at(start, &known) && !region_at(start + size - 1, &known),
          CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
  struct Request request = {.operation = REGISTER, .words = {start, size}};
  TRY(ask(&request));
  struct Region region = {.base = request.words[0], size, start, REGISTERED, .flags = flags};
  CUresult status = share_pages(region.base, start, size);
  if (!status && !add_region(region)) status = CUDA_ERROR_OUT_OF_MEMORY;
  if (status) ask_words(FREE, region.base, 0, 0, 0);
  return status;
}

API CUresult cuMemHostUnregister(void *host) {
  TRY(enter());
  struct Region region;
  REQUIRE(region_at((uint64_t)host, &region) && region.kind == REGISTERED,
          CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
  REQUIRE(region.host == (uint64_t)host, CUDA_ERROR_INVALID_VALUE);
  drop_region(region.base);
  TRY(take_pages_back(region.host, region.size));
  return ask_words(FREE, region.base, 0, 0, 0);
}

API CUresult cuMemGetInfo_v2(size_t *unused, size_t *total) {
  TRY(enter());
  REQUIRE(unused && total, CUDA_ERROR_INVALID_VALUE);
  uint64_t taken = 0;
  lock();
  for (size_t i = 0; i < regions.count; i++)
    if (regions.rows[i].kind == DEVICE) taken += regions.rows[i].size;
  unlock();
  *total = driver.gpu.memory_bytes;
  *unused = taken < *total ? *total - taken : 0;
  return CUDA_SUCCESS;
}

API CUresult cuMemGetAddressRange_v2(CUdeviceptr *base, size_t *size, CUdeviceptr address) {
  TRY(enter());
  struct Region region;
  REQUIRE(region_at(address, &region) && address >= region.base, CUDA_ERROR_NOT_FOUND);
  if (base) *base = region.base;
  if (size) *size = region.size;
  return CUDA_SUCCESS;
}

/* Advice about managed memory changes no value. */
API CUresult cuMemAdvise(CUdeviceptr address, size_t size, CUmem_advise advice, CUdevice device) {
  TRY(enter());
  return holds(address, size) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

API CUresult cuMemAdvise_v2(CUdeviceptr address, size_t size, CUmem_advise advice,
                            CUmemLocation location) {
  TRY(enter());
  return holds(address, size) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

API CUresult cuMemPrefetchAsync(CUdeviceptr address, size_t size, CUdevice device,
                                CUstream stream) {
  TRY(enter());
  return holds(address, size) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

API CUresult cuMemPrefetchAsync_v2(CUdeviceptr address, size_t size, CUmemLocation location,
                                   unsigned flags, CUstream stream) {
  TRY(enter());
  return holds(address, size) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* -- pools: allocations are of no pool, but a pool keeps its attributes ---------------------------
 */
enum { POOL_ATTRIBUTES = 16 };
static CUmemoryPool default_pool, chosen_pool;

static CUmemoryPool the_default_pool(void) {
  if (!default_pool) default_pool = keep((struct Object){.kind = POOL});
  return default_pool;
}

API CUresult cuDeviceGetDefaultMemPool(CUmemoryPool *pool, CUdevice device) {
  ENTER_GPU(device);
  REQUIRE(pool, CUDA_ERROR_INVALID_VALUE);
  *pool = the_default_pool();
  return CUDA_SUCCESS;
}

API CUresult cuDeviceGetMemPool(CUmemoryPool *pool, CUdevice device) {
  ENTER_GPU(device);
  REQUIRE(pool, CUDA_ERROR_INVALID_VALUE);
  *pool = chosen_pool ? chosen_pool : the_default_pool();
  return CUDA_SUCCESS;
}

API CUresult cuDeviceSetMemPool(CUdevice device, CUmemoryPool pool) {
  ENTER_GPU(device);
  REQUIRE(find(pool, POOL, NULL), CUDA_ERROR_INVALID_VALUE);
  chosen_pool = pool;
  return CUDA_SUCCESS;
}

API CUresult cuMemPoolCreate(CUmemoryPool *pool, const CUmemPoolProps *properties) {
  TRY(enter());
  REQUIRE(pool && properties, CUDA_ERROR_INVALID_VALUE);
  if (properties->handleTypes) return CUDA_ERROR_NOT_SUPPORTED; /* to share with processes */
  *pool = keep((struct Object){.kind = POOL});
  return *pool ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

API CUresult cuMemPoolDestroy(CUmemoryPool pool) {
  TRY(enter());
  REQUIRE(pool != default_pool && drop(pool, POOL, NULL), CUDA_ERROR_INVALID_VALUE);
  if (pool == chosen_pool) chosen_pool = NULL;
  return CUDA_SUCCESS;
}

/* CUmemPool_attribute: 1 to 3 are of type int, 4 of cuuint64_t and can be set; 5 to 8 are uses. */
API CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void *value) {
  TRY(enter());
  struct Object object;
  REQUIRE(value && find(pool, POOL, &object), CUDA_ERROR_INVALID_VALUE);
  unsigned number = (unsigned)attribute;
  REQUIRE(number >= 1 && number <= 8, CUDA_ERROR_INVALID_VALUE);
  if (number == 4) object.words[3] = *(cuuint64_t *)value;
  else if (number < 4) object.words[number - 1] = *(int *)value ? 2 : 1;
  return replace(pool, object) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

API CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void *value) {
  TRY(enter());
  struct Object object;
  REQUIRE(value && find(pool, POOL, &object), CUDA_ERROR_INVALID_VALUE);
  unsigned number = (unsigned)attribute;
  REQUIRE(number >= 1 && number <= 8, CUDA_ERROR_INVALID_VALUE);
  if (number < 4) *(int *)value = object.words[number - 1] != 1; /* 1 by default */
  else *(cuuint64_t *)value = number == 4 ? object.words[3] : 0;
  return CUDA_SUCCESS;
}

API CUresult cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc *access, size_t count) {
  TRY(enter());
  return find(pool, POOL, NULL) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

API CUresult cuMemPoolGetAccess(CUmemAccess_flags *flags, CUmemoryPool pool,
                                CUmemLocation *location) {
  TRY(enter());
  REQUIRE(flags && find(pool, POOL, NULL), CUDA_ERROR_INVALID_VALUE);
  *flags = 3; /* CU_MEM_ACCESS_FLAGS_PROT_READWRITE */
  return CUDA_SUCCESS;
}

API CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t kept) {
  TRY(enter());
  return find(pool, POOL, NULL) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

API CUresult cuMemAllocFromPoolAsync(CUdeviceptr *address, size_t size, CUmemoryPool pool,
                                     CUstream stream) {
  REQUIRE(find(pool, POOL, NULL), CUDA_ERROR_INVALID_VALUE);
  TRY(require_stream(stream));
  return allocate(address, size, DEVICE, 0);
}

API CUresult cuMemAllocAsync(CUdeviceptr *address, size_t size, CUstream stream) {
  TRY(require_stream(stream));
  return allocate(address, size, DEVICE, 0);
}

API CUresult cuMemFreeAsync(CUdeviceptr address, CUstream stream) {
  TRY(require_stream(stream));
  return release(address, false);
}

/* Forget all, for another emulator in this process. Handles of before stay wrong for ever. */
API void lanemap_reset(void) {
  lock();
  for (uint32_t place = FIRST_PLACE; place < objects.count; place++) {
    if (objects.rows[place].kind == NONE) continue;
    objects.rows[place].kind = NONE;
    objects.unused[objects.unused_count++] = place;
  }
  regions.count = 0;
  memset(&reserve, 0, sizeof reserve);
  primary.handle = NULL, primary.uses = primary.flags = 0;
  preferences = DEFAULTS;
  default_pool = chosen_pool = NULL;
  driver.started = driver.lost = false;
  driver.emulator++;
  unlock();
}

/* Which emulator this is, for a library that keeps what it got from one. */
API unsigned lanemap_emulator(void) { return driver.emulator; }

/* -- what a pointer points to -------------------------------------------------------------------
 */
/* Write an attribute (CUpointer_attribute); its type depends on its number. */
static CUresult pointer_attribute(void *out, unsigned number, CUdeviceptr address, bool zeros) {
  struct Region region = {0};
  bool known = region_at(address, &region);
  if (!known && !zeros && number != 11 && number != 12) return CUDA_ERROR_INVALID_VALUE;
  bool as_host = known && address - region.base >= region.size;
  uint64_t offset = known ? address - (as_host ? region.host : region.base) : 0;
  bool host = region.kind == HOST || region.kind == REGISTERED;
  switch (number) {
  case 1: *(CUcontext *)out = known ? primary.handle : NULL; break;
  case 2: *(unsigned *)out = !known ? 0 : host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE; break;
  case 3: *(CUdeviceptr *)out = known ? region.base + offset : 0; break;
  case 4:
    *(void **)out = known && region.host ? (void *)(region.host + offset) : NULL;
    return known && !region.host && !zeros ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
  case 6: *(int *)out = known; break;
  case 7:
  case 20: *(unsigned long long *)out = region.id; break;
  case 8: *(int *)out = known && region.kind == MANAGED; break;
  case 9: *(int *)out = known ? GPU : -2; break;
  case 10:
  case 15:
  case 21: *(int *)out = 0; break;
  case 11: *(CUdeviceptr *)out = region.base; break;
  case 12: *(size_t *)out = region.size; break;
  case 13: *(int *)out = known; break;
  case 14: *(unsigned long long *)out = 0; break;
  case 16: *(int *)out = known ? 3 : 0; break;
  case 17: *(CUmemoryPool *)out = NULL; break;
  case 18: *(size_t *)out = region.size; break;
  case 19: *(CUdeviceptr *)out = region.base; break;
  default: return CUDA_ERROR_NOT_SUPPORTED;
  }
  return CUDA_SUCCESS;
}

API CUresult cuPointerGetAttribute(void *value, CUpointer_attribute attribute,
                                   CUdeviceptr address) {
  ENTER;
  REQUIRE(value, CUDA_ERROR_INVALID_VALUE);
  return pointer_attribute(value, (unsigned)attribute, address, false);
}

API CUresult cuPointerGetAttributes(unsigned count, CUpointer_attribute *attributes, void **values,
                                    CUdeviceptr address) {
  ENTER;
  REQUIRE(attributes && values, CUDA_ERROR_INVALID_VALUE);
  for (unsigned i = 0; i < count; i++)
    TRY(pointer_attribute(values[i], (unsigned)attributes[i], address, true));
  return CUDA_SUCCESS;
}

API CUresult cuPointerSetAttribute(const void *value, CUpointer_attribute attribute,
                                   CUdeviceptr address) {
  ENTER;
  struct Region region;
  REQUIRE(value && attribute == 6 && region_at(address, &region), CUDA_ERROR_INVALID_VALUE);
  return CUDA_SUCCESS; /* SYNC_MEMOPS: every copy is synchronous here */
}
