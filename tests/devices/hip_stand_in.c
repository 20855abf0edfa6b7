/* A libamdhip64.so without a GPU: what hip-python calls, carried out by the emulator.
 *
 * Each process that loads the library has a GPU of its own: a connection to hip_server.py, whose
 * path the variable LANEMAP_STAND_IN gives. Each call is one request and one answer. STAND_IN_ARCH
 * is the architecture that the GPU says it has; STAND_IN_FAILS names a call that fails as it would
 * without a GPU. The GPU names itself "lanemap emulator", so that no row made on it is silicon.
 */
typedef __SIZE_TYPE__ size_t; /* no headers: they would need a libc at build time */
typedef long ssize_t;

extern char *getenv(const char *name);
extern void *memcpy(void *to, const void *from, size_t size);
extern size_t strlen(const char *text);
extern int strcmp(const char *a, const char *b);
extern int socket(int domain, int type, int protocol);
extern int connect(int socket, const void *address, unsigned size);
extern ssize_t send(int socket, const void *data, size_t size, int flags);
extern ssize_t recv(int socket, void *data, size_t size, int flags);

enum { SUCCESS = 0, INVALID_VALUE = 1, INVALID_IMAGE = 200, NO_DEVICE = 100, INVALID_DEVICE = 101,
       BAD_DIRECTION = 21, LOST = 999 };
enum { MALLOC, FREE, WRITE, READ, FILL, COPY, LOAD, UNLOAD, FUNCTION, LAUNCH, WAIT, RECORD, ELAPSED,
       LIVE }; /* what hip_server.py calls them */
enum { NO_SIGNAL = 0x4000, EVENTS = 64 };

struct request { unsigned what, size; unsigned long value[4]; };
struct answer { unsigned status, size; unsigned long value; };

static int server = -1;

static int sent(const void *data, size_t size) {
  for (const char *at = data; size;) {
    ssize_t done = send(server, at, size, NO_SIGNAL);
    if (done <= 0) return 0;
    at += done;
    size -= (size_t)done;
  }
  return 1;
}

static int received(void *data, size_t size) {
  for (char *at = data; size;) {
    ssize_t done = recv(server, at, size, 0);
    if (done <= 0) return 0;
    at += done;
    size -= (size_t)done;
  }
  return 1;
}

static int connected(void) {
  struct { unsigned short family; char path[108]; } address = {1 /* AF_UNIX */, {0}};
  const char *path = getenv("LANEMAP_STAND_IN");
  if (server >= 0) return 1;
  if (!path || strlen(path) >= sizeof address.path) return 0;
  memcpy(address.path, path, strlen(path));
  server = socket(1, 1 /* SOCK_STREAM */, 0);
  return connect(server, &address, sizeof address) == 0;
}

/* One request; what comes back goes to `back`, at most `room` bytes, and a number to `value`. */
static int ask(struct request request, const void *data, void *back, size_t room,
               unsigned long *value) {
  struct answer answer;
  if (!connected() || !sent(&request, sizeof request) || !sent(data, request.size)) return LOST;
  if (!received(&answer, sizeof answer) || answer.size > room) return LOST;
  if (answer.size && !received(back, answer.size)) return LOST;
  if (value) *value = answer.value;
  return (int)answer.status;
}

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
  /* An ELF object ends with its section headers: their place, size and number say how long it is. */
  if (image[0] != 0x7f || image[1] != 'E') return INVALID_IMAGE;
  size_t headers = *(const size_t *)(image + 0x28);
  const unsigned short *counts = (const unsigned short *)(image + 0x3a);
  size_t size = headers + (size_t)counts[0] * counts[1];
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
