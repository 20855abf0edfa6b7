/* A driver library without a GPU: enough of libamdhip64.so for hip-python to talk to.
 *
 * Memory is an arena in the host's memory. A launch computes nothing: it writes down what it was
 * given (grid, block, LDS, the block of kernel arguments) where the test reads it. Faults are
 * asked for through environment variables, as a driver would meet them.
 */
typedef __SIZE_TYPE__ size_t; /* no headers: they would need a libc at build time */

extern char *getenv(const char *name);
extern void *memcpy(void *to, const void *from, size_t size);
extern void *malloc(size_t size);
extern void free(void *address);
extern int strcmp(const char *a, const char *b);

struct launch { unsigned grid[3], block[3], shared_bytes; size_t size; unsigned char data[4096]; };
struct launch last_launch;
int live_allocations;

static int fails(const char *call) {
  const char *name = getenv("FAKE_HIP_FAILS");
  return name && !strcmp(name, call);
}

int hipGetDeviceCount(int *count) {
  *count = 1;
  return fails("hipGetDeviceCount") ? 100 /* hipErrorNoDevice */ : 0;
}
int hipSetDevice(int device) { return device ? 101 : 0; }
int hipGetDevicePropertiesR0600(char *p, int device) {
  const char *arch = getenv("FAKE_HIP_ARCH");
  if (!arch) arch = "gfx950:sramecc+:xnack-";
  size_t i = 0;
  for (; arch[i]; i++) p[1160 + i] = arch[i];
  p[1160 + i] = 0;
  memcpy(p, "Fake MI", 8);
  *(int *)(p + 388) = 256;
  return 0;
}
int hipDriverGetVersion(int *v) { *v = 70000001; return 0; }
int hipRuntimeGetVersion(int *v) { *v = 70000002; return 0; }
int hipMalloc(void **address, size_t size) {
  *address = malloc(size);
  live_allocations++;
  return size > (1u << 30) ? 2 /* hipErrorOutOfMemory */ : 0;
}
int hipFree(void *address) { free(address); live_allocations--; return 0; }
int hipMemcpy(void *to, const void *from, size_t size, int kind) {
  if (kind != 1 && kind != 2) return 21; /* hipErrorInvalidMemcpyDirection */
  memcpy(to, from, size);
  return 0;
}
int hipMemset(void *to, int value, size_t size) {
  for (size_t i = 0; i < size; i++) ((unsigned char *)to)[i] = (unsigned char)value;
  return 0;
}
int hipModuleLoadData(void **module, const unsigned char *image) {
  static int loaded;
  *module = &loaded;
  return image[0] == 0x7f && image[1] == 'E' ? 0 : 200; /* hipErrorInvalidImage */
}
int hipModuleUnload(void *module) { return 0; }
int hipModuleGetFunction(void **function, void *module, const char *name) {
  static char found[256];
  size_t i = 0;
  for (; name[i] && i < 255; i++) found[i] = name[i];
  found[i] = 0;
  *function = found;
  return 0;
}
int hipModuleLaunchKernel(void *f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                          unsigned bz, unsigned shared, void *stream, void **params, void **extra) {
  struct launch l = {{gx, gy, gz}, {bx, by, bz}, shared, 0, {0}};
  if (extra) { /* {1, buffer, 2, &size, 3}, as HIP's headers define */
    if ((size_t)extra[0] != 1 || (size_t)extra[2] != 2 || (size_t)extra[4] != 3) return 1;
    l.size = *(size_t *)extra[3];
    memcpy(l.data, extra[1], l.size);
  }
  last_launch = l;
  return 0;
}
int hipDeviceSynchronize(void) { return fails("hipDeviceSynchronize") ? 700 : 0; }
const char *hipGetErrorString(int error) { return "words of the driver"; }
