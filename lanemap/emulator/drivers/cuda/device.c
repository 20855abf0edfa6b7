/* Initialization, errors, the GPU and its contexts. There is one GPU. */

#include "core.h"

#include <stdio.h>
#include <string.h>

struct Error {
  int number;
  const char *name, *text;
};
static const struct Error ERRORS[]; /* errors.tsv */

API CUresult cuInit(unsigned flags) {
  REQUIRE(!flags, CUDA_ERROR_INVALID_VALUE);
  return start();
}

API CUresult cuDriverGetVersion(int *version) {
  REQUIRE(version, CUDA_ERROR_INVALID_VALUE);
  *version = driver.started ? driver.gpu.version : 13000;
  return CUDA_SUCCESS;
}

static const struct Error *error_of(int number) {
  for (const struct Error *each = ERRORS; each->name; each++)
    if (each->number == number) return each;
  return NULL;
}

API CUresult cuGetErrorName(CUresult error, const char **name) {
  const struct Error *found = error_of((int)error);
  REQUIRE(name, CUDA_ERROR_INVALID_VALUE);
  *name = found ? found->name : NULL;
  return found ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

API CUresult cuGetErrorString(CUresult error, const char **text) {
  const struct Error *found = error_of((int)error);
  REQUIRE(text, CUDA_ERROR_INVALID_VALUE);
  *text = found ? found->text : NULL;
  return found ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* -- the GPU ------------------------------------------------------------------------------------
 */
#define ENTER_GPU(device)                                                                          \
  ENTER;                                                                                           \
  REQUIRE((device) == GPU, CUDA_ERROR_INVALID_DEVICE)

API CUresult cuDeviceGetCount(int *count) {
  ENTER;
  REQUIRE(count, CUDA_ERROR_INVALID_VALUE);
  *count = 1;
  return CUDA_SUCCESS;
}

API CUresult cuDeviceGet(CUdevice *device, int ordinal) {
  ENTER_GPU(ordinal);
  REQUIRE(device, CUDA_ERROR_INVALID_VALUE);
  *device = GPU;
  return CUDA_SUCCESS;
}

API CUresult cuDeviceGetName(char *name, int size, CUdevice device) {
  ENTER_GPU(device);
  REQUIRE(name && size > 0, CUDA_ERROR_INVALID_VALUE);
  snprintf(name, (size_t)size, "%s", driver.gpu.name);
  return CUDA_SUCCESS;
}

API CUresult cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice device) {
  ENTER_GPU(device);
  REQUIRE(uuid, CUDA_ERROR_INVALID_VALUE);
  memset(uuid, 0, sizeof *uuid);
  memcpy(uuid->bytes, "lanemap", 7);
  return CUDA_SUCCESS;
}

API CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device) {
  return cuDeviceGetUuid_v2(uuid, device);
}

API CUresult cuDeviceTotalMem_v2(size_t *size, CUdevice device) {
  ENTER_GPU(device);
  REQUIRE(size, CUDA_ERROR_INVALID_VALUE);
  *size = driver.gpu.memory_bytes;
  return CUDA_SUCCESS;
}

static int32_t gpu_attribute(unsigned number) {
  return number < MOST_ATTRIBUTES ? driver.gpu.attributes[number] : UNKNOWN;
}

API CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device) {
  ENTER_GPU(device);
  REQUIRE(value && (unsigned)attribute < MOST_ATTRIBUTES, CUDA_ERROR_INVALID_VALUE);
  int32_t found = gpu_attribute((unsigned)attribute);
  if (found == UNKNOWN) {
    say("cuDeviceGetAttribute: attribute %u of the GPU is not known", (unsigned)attribute);
    return CUDA_ERROR_NOT_SUPPORTED;
  }
  *value = found;
  return CUDA_SUCCESS;
}

enum { MAJOR = 75, MINOR = 76 };
API CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device) {
  ENTER_GPU(device);
  REQUIRE(major && minor, CUDA_ERROR_INVALID_VALUE);
  *major = gpu_attribute(MAJOR), *minor = gpu_attribute(MINOR);
  return CUDA_SUCCESS;
}

static const char BUS[] = "0000:00:00.0";
API CUresult cuDeviceGetPCIBusId(char *name, int size, CUdevice device) {
  ENTER_GPU(device);
  REQUIRE(name && size > 0, CUDA_ERROR_INVALID_VALUE);
  snprintf(name, (size_t)size, "%s", BUS);
  return CUDA_SUCCESS;
}

API CUresult cuDeviceGetByPCIBusId(CUdevice *device, const char *name) {
  ENTER;
  REQUIRE(device && name, CUDA_ERROR_INVALID_VALUE);
  REQUIRE(!strcmp(name, BUS), CUDA_ERROR_INVALID_DEVICE);
  *device = GPU;
  return CUDA_SUCCESS;
}

API CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer) {
  ENTER_GPU(device);
  REQUIRE(peer == GPU, CUDA_ERROR_INVALID_DEVICE);
  REQUIRE(can, CUDA_ERROR_INVALID_VALUE);
  *can = 0;
  return CUDA_SUCCESS;
}

/* -- contexts: memory and modules are the process's, whichever is current ------------------------
 */
static struct {
  CUcontext handle;
  unsigned uses, flags;
} primary;

/* The contexts that a thread has made current, the last one on top. Those of an emulator that is
   gone (lanemap_reset) count as none. */
enum { DEEPEST = 64 };
struct Stack {
  unsigned emulator;
  int depth;
  CUcontext rows[DEEPEST];
};

static struct Stack *stack(void) {
  static __thread struct Stack own;
  if (own.emulator != driver.emulator) own.emulator = driver.emulator, own.depth = 0;
  return &own;
}

static CUcontext current(void) {
  const struct Stack *own = stack();
  return own->depth ? own->rows[own->depth - 1] : NULL;
}

static CUcontext new_context(unsigned flags) {
  return keep((struct Object){.kind = CONTEXT, .words = {flags}});
}

static bool is_context(CUcontext context) { return find(context, CONTEXT, NULL); }

API CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
  ENTER_GPU(device);
  REQUIRE(context, CUDA_ERROR_INVALID_VALUE);
  CUcontext made = primary.handle ? NULL : new_context(primary.flags);
  lock();
  if (!primary.handle) primary.handle = made;
  primary.uses++;
  *context = primary.handle;
  unlock();
  return *context ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

API CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
  ENTER_GPU(device);
  REQUIRE(primary.uses, CUDA_ERROR_INVALID_CONTEXT);
  primary.uses--;
  return CUDA_SUCCESS;
}

API CUresult cuDevicePrimaryCtxReset_v2(CUdevice device) {
  ENTER_GPU(device);
  return CUDA_SUCCESS;
}

API CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice device, unsigned flags) {
  ENTER_GPU(device);
  primary.flags = flags;
  return CUDA_SUCCESS;
}

API CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned *flags, int *active) {
  ENTER_GPU(device);
  if (flags) *flags = primary.flags;
  if (active) *active = primary.uses > 0;
  return CUDA_SUCCESS;
}

API CUresult cuCtxSetCurrent(CUcontext context) {
  ENTER;
  REQUIRE(!context || is_context(context), CUDA_ERROR_INVALID_CONTEXT);
  struct Stack *own = stack();
  if (!context) {
    own->depth -= own->depth > 0;
    return CUDA_SUCCESS;
  }
  if (!own->depth) own->depth = 1;
  own->rows[own->depth - 1] = context;
  return CUDA_SUCCESS;
}

API CUresult cuCtxGetCurrent(CUcontext *context) {
  ENTER;
  REQUIRE(context, CUDA_ERROR_INVALID_VALUE);
  *context = current();
  return CUDA_SUCCESS;
}

API CUresult cuCtxPushCurrent_v2(CUcontext context) {
  ENTER;
  REQUIRE(is_context(context), CUDA_ERROR_INVALID_CONTEXT);
  struct Stack *own = stack();
  REQUIRE(own->depth < DEEPEST, CUDA_ERROR_OUT_OF_MEMORY);
  own->rows[own->depth++] = context;
  return CUDA_SUCCESS;
}

API CUresult cuCtxPopCurrent_v2(CUcontext *context) {
  ENTER;
  struct Stack *own = stack();
  REQUIRE(own->depth, CUDA_ERROR_INVALID_CONTEXT);
  own->depth--;
  if (context) *context = own->rows[own->depth];
  return CUDA_SUCCESS;
}

API CUresult cuCtxCreate_v2(CUcontext *context, unsigned flags, CUdevice device) {
  ENTER_GPU(device);
  REQUIRE(context, CUDA_ERROR_INVALID_VALUE);
  *context = new_context(flags);
  REQUIRE(*context, CUDA_ERROR_OUT_OF_MEMORY);
  return cuCtxPushCurrent_v2(*context);
}

API CUresult cuCtxCreate_v4(CUcontext *context, CUctxCreateParams *parameters, unsigned flags,
                            CUdevice device) {
  return cuCtxCreate_v2(context, flags, device);
}

API CUresult cuCtxDestroy_v2(CUcontext context) {
  ENTER;
  REQUIRE(context != primary.handle, CUDA_ERROR_INVALID_CONTEXT);
  REQUIRE(drop(context, CONTEXT, NULL), CUDA_ERROR_INVALID_CONTEXT);
  if (current() == context) stack()->depth--;
  return CUDA_SUCCESS;
}

/* What needs a current context. */
static CUresult enter(void) {
  ENTER;
  return is_context(current()) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

API CUresult cuCtxGetDevice(CUdevice *device) {
  TRY(enter());
  REQUIRE(device, CUDA_ERROR_INVALID_VALUE);
  *device = GPU;
  return CUDA_SUCCESS;
}

API CUresult cuCtxGetFlags(unsigned *flags) {
  TRY(enter());
  struct Object context;
  REQUIRE(flags && find(current(), CONTEXT, &context), CUDA_ERROR_INVALID_VALUE);
  *flags = (unsigned)context.words[0];
  return CUDA_SUCCESS;
}

API CUresult cuCtxSetFlags(unsigned flags) {
  TRY(enter());
  struct Object context;
  REQUIRE(find(current(), CONTEXT, &context), CUDA_ERROR_INVALID_CONTEXT);
  context.words[0] = flags;
  return replace(current(), context) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

API CUresult cuCtxGetId(CUcontext context, unsigned long long *id) {
  ENTER;
  if (!context) context = current();
  REQUIRE(is_context(context), CUDA_ERROR_INVALID_CONTEXT);
  REQUIRE(id, CUDA_ERROR_INVALID_VALUE);
  *id = (unsigned long long)context;
  return CUDA_SUCCESS;
}

API CUresult cuCtxSynchronize(void) { return enter(); }

API CUresult cuCtxGetApiVersion(CUcontext context, unsigned *version) {
  ENTER;
  REQUIRE(version, CUDA_ERROR_INVALID_VALUE);
  *version = 3020; /* of the contexts' API: cuda.h, cuCtxGetApiVersion */
  return CUDA_SUCCESS;
}

/* Limits and preferences are kept as they are set: nothing here depends on them. */
enum { LIMITS = 16 };
struct Preferences {
  size_t limits[LIMITS];
  unsigned cache, bank;
};
static const struct Preferences DEFAULTS = {.limits = {1024, 1 << 20, 8 << 20, 2, 2048, 128, 0}};
static struct Preferences preferences = DEFAULTS;

API CUresult cuCtxSetLimit(CUlimit limit, size_t value) {
  TRY(enter());
  REQUIRE((unsigned)limit < LIMITS, CUDA_ERROR_UNSUPPORTED_LIMIT);
  preferences.limits[limit] = value;
  return CUDA_SUCCESS;
}

API CUresult cuCtxGetLimit(size_t *value, CUlimit limit) {
  TRY(enter());
  REQUIRE(value, CUDA_ERROR_INVALID_VALUE);
  REQUIRE((unsigned)limit < LIMITS, CUDA_ERROR_UNSUPPORTED_LIMIT);
  *value = preferences.limits[limit];
  return CUDA_SUCCESS;
}

API CUresult cuCtxGetCacheConfig(CUfunc_cache *preference) {
  TRY(enter());
  REQUIRE(preference, CUDA_ERROR_INVALID_VALUE);
  *preference = preferences.cache;
  return CUDA_SUCCESS;
}

API CUresult cuCtxSetCacheConfig(CUfunc_cache preference) {
  TRY(enter());
  preferences.cache = preference;
  return CUDA_SUCCESS;
}

API CUresult cuCtxGetSharedMemConfig(CUsharedconfig *preference) {
  TRY(enter());
  REQUIRE(preference, CUDA_ERROR_INVALID_VALUE);
  *preference = preferences.bank;
  return CUDA_SUCCESS;
}

API CUresult cuCtxSetSharedMemConfig(CUsharedconfig preference) {
  TRY(enter());
  preferences.bank = preference;
  return CUDA_SUCCESS;
}

API CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest) {
  TRY(enter());
  if (least) *least = 0;
  if (greatest) *greatest = 0; /* streams run in order, so none comes before another */
  return CUDA_SUCCESS;
}

API CUresult cuCtxResetPersistingL2Cache(void) { return enter(); }
API CUresult cuProfilerStart(void) { return enter(); }
API CUresult cuProfilerStop(void) { return enter(); }
