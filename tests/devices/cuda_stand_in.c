/* A libcuda.so.1 without a GPU: what capsules call, carried out by the emulator. */
#include "stand_in.h"

enum { SUCCESS = 0, INVALID_VALUE = 1, INVALID_DEVICE = 101, INVALID_IMAGE = 200 };
enum { PARAMETERS = LIVE + 1, ENCODE };
typedef unsigned long pointer;

static const char *told(const char *name, const char *otherwise) {
  const char *value = getenv(name);
  return value ? value : otherwise;
}
static int number(const char *text) {
  int value = 0;
  for (; *text >= '0' && *text <= '9'; text++) value = 10 * value + *text - '0';
  return value;
}

int cuInit(unsigned flags) { return flags ? INVALID_VALUE : SUCCESS; }
int cuDriverGetVersion(int *version) {
  *version = number(told("STAND_IN_DRIVER", "13000"));
  return SUCCESS;
}
int cuDeviceGetCount(int *count) { *count = 1; return SUCCESS; }
int cuDeviceGet(int *device, int ordinal) { *device = 0; return ordinal ? INVALID_DEVICE : SUCCESS; }
int cuDeviceGetName(char *name, int room, int device) {
  const char *own = "lanemap emulator";
  if (device || (size_t)room <= strlen(own)) return INVALID_VALUE;
  memcpy(name, own, strlen(own) + 1);
  return SUCCESS;
}
int cuDeviceTotalMem_v2(size_t *bytes, int device) {
  *bytes = (size_t)1 << 32;
  return device ? INVALID_DEVICE : SUCCESS;
}
int cuDeviceGetAttribute(int *value, int attribute, int device) {
  int capability = number(told("STAND_IN_ARCH", "90"));
  switch (attribute) { /* CUdevice_attribute */
    case 13: *value = 1980000; break;
    case 16: *value = 132; break;
    case 36: *value = 3201000; break;
    case 38: *value = 62914560; break;
    case 75: *value = capability / 10; break;
    case 76: *value = capability % 10; break;
    default: return INVALID_VALUE;
  }
  return device ? INVALID_DEVICE : SUCCESS;
}
int cuDevicePrimaryCtxRetain(void **context, int device) {
  *context = &server;
  return device ? INVALID_DEVICE : SUCCESS;
}
int cuCtxSetCurrent(void *context) { return context == &server ? SUCCESS : INVALID_VALUE; }
int cuGetErrorName(int error, const char **name) {
  switch (error) {
    case SUCCESS: *name = "CUDA_SUCCESS"; break;
    case INVALID_VALUE: *name = "CUDA_ERROR_INVALID_VALUE"; break;
    case INVALID_IMAGE: *name = "CUDA_ERROR_INVALID_IMAGE"; break;
    case 500: *name = "CUDA_ERROR_NOT_FOUND"; break;
    case 700: *name = "CUDA_ERROR_ILLEGAL_ADDRESS"; break;
    case 719: *name = "CUDA_ERROR_LAUNCH_FAILED"; break;
    default: *name = "CUDA_ERROR_UNKNOWN";
  }
  return SUCCESS;
}

int cuMemAlloc_v2(pointer *address, size_t size) {
  return ask((struct request){MALLOC, 0, {size}}, 0, 0, 0, address);
}
int cuMemFree_v2(pointer address) {
  return ask((struct request){FREE, 0, {address}}, 0, 0, 0, 0);
}
int cuMemcpyHtoD_v2(pointer to, const void *from, size_t size) {
  return ask((struct request){WRITE, (unsigned)size, {to}}, from, 0, 0, 0);
}
int cuMemcpyDtoH_v2(void *to, pointer from, size_t size) {
  return ask((struct request){READ, 0, {from, size}}, 0, to, size, 0);
}
int cuMemsetD8_v2(pointer to, unsigned char value, size_t size) {
  return ask((struct request){FILL, 0, {to, value, size}}, 0, 0, 0, 0);
}

int cuModuleLoadData(void **module, const unsigned char *image) {
  size_t size = elf_bytes(image);
  if (!size) return INVALID_IMAGE;
  return ask((struct request){LOAD, (unsigned)size, {0}}, image, 0, 0, (pointer *)module);
}
int cuModuleGetFunction(void **function, void *module, const char *name) {
  struct request request = {FUNCTION, (unsigned)strlen(name), {(size_t)module}};
  return ask(request, name, 0, 0, (pointer *)function);
}
int cuFuncSetAttribute(void *function, int attribute, int value) {
  return attribute == 8 || attribute == 14 ? SUCCESS : INVALID_VALUE;
}

struct attribute { unsigned id, gap, value[16]; };
struct config {
  unsigned grid[3], block[3], shared;
  void *stream;
  struct attribute *attributes;
  unsigned count;
};
int cuLaunchKernelEx(const struct config *config, void *function, void **values, void **extra) {
  struct { unsigned size[8]; unsigned char data[4096]; } launch = {{0}};
  struct { unsigned at, bytes; } places[128];
  struct request request = {PARAMETERS, 0, {(size_t)function}};
  struct answer answer;
  size_t size = 0;
  if (extra) return INVALID_VALUE; /* arguments come one by one */
  if (!connected() || !sent(&request, sizeof request) || !received(&answer, sizeof answer))
    return LOST;
  if (answer.size > sizeof places || (answer.size && !received(places, answer.size))) return LOST;
  if (answer.status) return (int)answer.status;
  for (unsigned i = 0; i < answer.size / sizeof places[0]; i++) {
    size = places[i].at + places[i].bytes;
    if (size > sizeof launch.data) return INVALID_VALUE;
    memcpy(launch.data + places[i].at, values[i], places[i].bytes);
  }
  for (int i = 0; i < 3; i++) {
    launch.size[i] = config->grid[i];
    launch.size[3 + i] = config->block[i];
  }
  launch.size[6] = config->shared;
  if (config->count) { /* CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION */
    const unsigned *cluster = config->attributes->value;
    if (config->count > 1 || config->attributes->id != 4) return INVALID_VALUE;
    launch.size[7] = cluster[0] | cluster[1] << 8 | cluster[2] << 16;
  }
  request = (struct request){LAUNCH, (unsigned)(sizeof launch.size + size), {(size_t)function}};
  return ask(request, &launch, 0, 0, 0);
}
int cuCtxSynchronize(void) { return ask((struct request){WAIT, 0, {0}}, 0, 0, 0, 0); }

int cuTensorMapEncodeTiled(void *map, int type, unsigned rank, void *address, const pointer *dims,
                           const pointer *strides, const unsigned *box, const unsigned *steps,
                           int interleave, int swizzle, int promotion, int fill) {
  struct {
    unsigned number[6];
    pointer address, dims[5], strides[5];
    unsigned box[5], steps[5];
  } given = {{(unsigned)type, rank, (unsigned)interleave, (unsigned)swizzle, (unsigned)promotion,
              (unsigned)fill}, (pointer)address};
  if (rank < 1 || rank > 5) return INVALID_VALUE;
  memcpy(given.dims, dims, rank * sizeof *dims);
  memcpy(given.strides, strides, (rank - 1) * sizeof *strides);
  memcpy(given.box, box, rank * sizeof *box);
  memcpy(given.steps, steps, rank * sizeof *steps);
  return ask((struct request){ENCODE, sizeof given, {0}}, &given, map, 128, 0);
}

int cuEventCreate(void **event, unsigned flags) {
  static unsigned char events[EVENTS];
  static int used;
  *event = &events[used++ % EVENTS];
  return SUCCESS;
}
int cuEventDestroy_v2(void *event) { return SUCCESS; }
int cuEventRecord(void *event, void *stream) {
  return ask((struct request){RECORD, 0, {(size_t)event}}, 0, 0, 0, 0);
}
int cuEventSynchronize(void *event) { return cuCtxSynchronize(); }
/* A launch takes one millisecond here: an emulator has no time, and a count can be checked. */
int cuEventElapsedTime(float *milliseconds, void *start, void *stop) {
  unsigned long launches = 0;
  struct request request = {ELAPSED, 0, {(size_t)start, (size_t)stop}};
  int status = ask(request, 0, 0, 0, &launches);
  *milliseconds = (float)launches;
  return status;
}
