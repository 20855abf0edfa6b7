/* A libamdhip64.so without a GPU: what hip-python and capsules call, carried out by the emulator. */
#include "stand_in.h"

enum { SUCCESS = 0, INVALID_VALUE = 1, INVALID_IMAGE = 200, NO_DEVICE = 100, INVALID_DEVICE = 101,
       BAD_DIRECTION = 21 };

int hipGetDeviceCount(int *count) {
  const char *fails = getenv("STAND_IN_FAILS");
  *count = 1;
  return fails && !strcmp(fails, "hipGetDeviceCount") ? NO_DEVICE : SUCCESS;
}
int hipSetDevice(int device) { return device ? INVALID_DEVICE : SUCCESS; }
int hipGetDevicePropertiesR0600(char *properties, int device) {
  const char *arch = getenv("STAND_IN_ARCH"), *name = "lanemap emulator";
  if (!arch) arch = "gfx950:sramecc+:xnack-";
  if (device) return INVALID_DEVICE;
  memcpy(properties, name, strlen(name) + 1);
  *(size_t *)(properties + 288) = (size_t)1 << 32; /* totalGlobalMem */
  *(int *)(properties + 388) = 256;                /* multiProcessorCount */
  memcpy(properties + 1160, arch, strlen(arch) + 1); /* gcnArchName */
  return SUCCESS;
}
int hipDriverGetVersion(int *version) { *version = 70000001; return SUCCESS; }
int hipRuntimeGetVersion(int *version) { *version = 70000002; return SUCCESS; }
const char *hipGetErrorString(int error) {
  static char words[256];
  const char *known[] = {"no error", "invalid argument", "out of memory"};
  switch (error) { /* as HIP words them */
    case 0: case 1: case 2: return known[error];
    case 9: return "invalid configuration argument";
    case 200: return "device kernel image is invalid";
    case 209: return "no kernel image is available for execution on the device";
    case 500: return "named symbol not found";
    case 600: return "device not ready";
  }
  memcpy(words, "unknown error", 14);
  return words;
}

int hipMalloc(void **address, size_t size) {
  return ask((struct request){MALLOC, 0, {size}}, 0, 0, 0, (unsigned long *)address);
}
int hipFree(void *address) {
  return address ? ask((struct request){FREE, 0, {(size_t)address}}, 0, 0, 0, 0) : SUCCESS;
}
int hipMemcpy(void *to, const void *from, size_t size, int kind) {
  size_t source = (size_t)from, target = (size_t)to;
  if (size > 0xffffffffu) return INVALID_VALUE;
  switch (kind) {
    case 1: return ask((struct request){WRITE, (unsigned)size, {target}}, from, 0, 0, 0);
    case 2: return ask((struct request){READ, 0, {source, size}}, 0, to, size, 0);
    case 3: return ask((struct request){COPY, 0, {target, source, size}}, 0, 0, 0, 0);
  }
  return BAD_DIRECTION;
}
int hipMemset(void *to, int value, size_t size) {
  return ask((struct request){FILL, 0, {(size_t)to, (unsigned char)value, size}}, 0, 0, 0, 0);
}

int hipModuleLoadData(void **module, const unsigned char *image) {
  size_t size = elf_bytes(image);
  if (!size) return INVALID_IMAGE;
  struct request request = {LOAD, (unsigned)size, {0}};
  return ask(request, image, 0, 0, (unsigned long *)module);
}
int hipModuleUnload(void *module) {
  return ask((struct request){UNLOAD, 0, {(size_t)module}}, 0, 0, 0, 0);
}
int hipModuleGetFunction(void **function, void *module, const char *name) {
  struct request request = {FUNCTION, (unsigned)strlen(name), {(size_t)module}};
  return ask(request, name, 0, 0, (unsigned long *)function);
}
int hipModuleLaunchKernel(void *f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                          unsigned bz, unsigned shared, void *stream, void **params, void **extra) {
  struct { unsigned size[8]; unsigned char data[4096]; } launch = {{gx, gy, gz, bx, by, bz, shared}};
  size_t size = 0;
  if (params) return INVALID_VALUE; /* arguments come as one block, as HIP's extra */
  if (extra) { /* {1, buffer, 2, &size, 3}, as HIP's headers define */
    if ((size_t)extra[0] != 1 || (size_t)extra[2] != 2 || (size_t)extra[4] != 3)
      return INVALID_VALUE;
    size = *(size_t *)extra[3];
    if (size > sizeof launch.data) return INVALID_VALUE;
    memcpy(launch.data, extra[1], size);
  }
  struct request request = {LAUNCH, (unsigned)(sizeof launch.size + size), {(size_t)f}};
  return ask(request, &launch, 0, 0, 0);
}
int hipDeviceSynchronize(void) { return ask((struct request){WAIT, 0, {0}}, 0, 0, 0, 0); }

int hipStreamCreate(void **stream) { *stream = &server; return SUCCESS; }
int hipStreamSynchronize(void *stream) { return hipDeviceSynchronize(); }
int hipStreamDestroy(void *stream) { return SUCCESS; }

static unsigned char event[EVENTS]; /* whether it exists; its address is its handle */
static unsigned long number_of(void *handle) { return (size_t)((unsigned char *)handle - event); }

int hipEventCreate(void **handle) {
  for (int i = 0; i < EVENTS; i++)
    if (!event[i]) {
      event[i] = 1;
      *handle = event + i;
      return SUCCESS;
    }
  return INVALID_VALUE;
}
int hipEventDestroy(void *handle) { event[number_of(handle)] = 0; return SUCCESS; }
int hipEventRecord(void *handle, void *stream) {
  return ask((struct request){RECORD, 0, {number_of(handle)}}, 0, 0, 0, 0);
}
int hipEventSynchronize(void *handle) { return hipDeviceSynchronize(); }
/* A launch takes one millisecond here: an emulator has no time, and a count can be checked. */
int hipEventElapsedTime(float *milliseconds, void *start, void *stop) {
  unsigned long launches = 0;
  struct request request = {ELAPSED, 0, {number_of(start), number_of(stop)}};
  int status = ask(request, 0, 0, 0, &launches);
  *milliseconds = (float)launches;
  return status;
}

int live_allocations(void) {
  unsigned long count = 0;
  ask((struct request){LIVE, 0, {0}}, 0, 0, 0, &count);
  return (int)count;
}
