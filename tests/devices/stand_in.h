/* What the stand-ins of drivers share: requests to stand_in_server.py, which has the emulator.
 *
 * Each process that loads a library has a GPU of its own: a connection to the server, whose path the
 * variable LANEMAP_STAND_IN gives. Each call is one request and one answer. STAND_IN_ARCH is the
 * architecture that the GPU says it has; STAND_IN_FAILS names a call that fails as it would without
 * a GPU. The GPU names itself "lanemap emulator", so that no row made on it is silicon.
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

enum { MALLOC, FREE, WRITE, READ, FILL, COPY, LOAD, UNLOAD, FUNCTION, LAUNCH, WAIT, RECORD, ELAPSED,
       LIVE }; /* what stand_in_server.py calls them */
enum { NO_SIGNAL = 0x4000, EVENTS = 64 };

struct request { unsigned what, size; unsigned long value[4]; };
struct answer { unsigned status, size; unsigned long value; };

enum { LOST = 999 }; /* the server is gone */

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

/* An ELF object ends with its headers of sections, or, a cubin, with those of segments: their place,
 * size and number say how long it is. */
static size_t elf_bytes(const unsigned char *image) {
  if (image[0] != 0x7f || image[1] != 'E') return 0;
  const size_t *places = (const size_t *)(image + 0x20);
  const unsigned short *counts = (const unsigned short *)(image + 0x36);
  size_t segments = places[0] + (size_t)counts[0] * counts[1];
  size_t sections = places[1] + (size_t)counts[2] * counts[3];
  return sections > segments ? sections : segments;
}
