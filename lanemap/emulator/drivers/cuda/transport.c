/* How a request gets to the emulator: to a function of this process, or to another process.

   The other process shares the emulator's memory: both have it at one address. So only numbers,
   names and texts travel. */

#include "core.h"

#include <errno.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif
/* Of what travels; the server compares it with its own. */
enum { PROTOCOL = 3, SENTENCE_BYTES = 1024 };

/* What lanemap sets in a process that it runs in. */
API int (*lanemap_serve)(struct Request *) = NULL;

static struct {
  pthread_mutex_t lock;
  int descriptor;
  int memory;     /* the file of the emulator's memory */
  uint64_t shift; /* from an address of the emulator's memory to where the driver has it */
} line = {PTHREAD_MUTEX_INITIALIZER, -1, -1};

struct Question {
  uint32_t operation, unused;
  uint64_t words[WORDS];
  uint64_t in_bytes, out_bytes;
};
struct Answer {
  int32_t status;
  uint32_t printed_bytes; /* of what kernels printed */
  uint64_t words[RESULTS];
  uint64_t out_bytes;
};

static void complain(const char *format, ...) {
  va_list given;
  va_start(given, format);
  fflush(stdout);
  fputs("lanemap: ", stderr);
  vfprintf(stderr, format, given);
  fputc('\n', stderr);
  va_end(given);
}

static bool send_all(const void *data, size_t size) {
  for (const char *at = data; size;) {
    ssize_t sent = send(line.descriptor, at, size, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    at += sent, size -= (size_t)sent;
  }
  return true;
}

static bool receive_all(void *data, size_t size) {
  for (char *at = data; size;) {
    ssize_t got = recv(line.descriptor, at, size, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got, size -= (size_t)got;
  }
  return true;
}

/* Print what a kernel printed, where the program prints. */
static bool receive_printed(size_t size) {
  char text[4096];
  while (size) {
    size_t part = size < sizeof text ? size : sizeof text;
    if (!receive_all(text, part)) return false;
    fwrite(text, 1, part, stdout);
    size -= part;
  }
  return true;
}

static bool exchange(struct Request *request, struct Answer *answer, bool shared) {
  struct Question question = {.operation = request->operation,
                              .in_bytes = shared ? 0 : request->in_bytes,
                              .out_bytes = shared ? 0 : request->out_bytes};
  memcpy(question.words, request->words, sizeof question.words);
  if (!send_all(&question, sizeof question) || !send_all(request->in, question.in_bytes) ||
      !receive_all(answer, sizeof *answer) || !receive_printed(answer->printed_bytes))
    return false;
  return answer->out_bytes <= question.out_bytes && receive_all(request->out, answer->out_bytes);
}

/* Ask the other process. Bytes of the emulator's memory are moved here. */
static int ask_apart(struct Request *request) {
  bool writes = request->operation == WRITE, reads = request->operation == READ;
  uint64_t *words = request->words;
  struct Answer answer;
  void *memory = writes || reads ? (void *)(words[0] + line.shift) : NULL;
  uint64_t size = words[1];
  pthread_mutex_lock(&line.lock);
  bool answered = !driver.lost && exchange(request, &answer, writes || reads);
  if (!answered && !driver.lost) {
    driver.lost = true;
    complain("the emulator's process has ended, so CUDA is lost to this program");
  }
  pthread_mutex_unlock(&line.lock);
  if (!answered) return CUDA_ERROR_NOT_INITIALIZED;
  if (writes && !answer.status) memmove(memory, request->in, size);
  if (reads && !answer.status) memmove(request->out, memory, size);
  memcpy(words, answer.words, sizeof answer.words);
  return answer.status;
}

/* Who uses the emulator now: so many requests, or ALONE: one copy that needs no request. A copy
   waits for nobody, so a request may wait for it, whatever locks of Python's it holds. */
enum { ALONE = -1 };
static int users;

static bool take_alone(void) {
  int none = 0;
  return __atomic_compare_exchange_n(&users, &none, ALONE, false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_RELAXED);
}

static void give_alone(void) { __atomic_store_n(&users, 0, __ATOMIC_RELEASE); }

static CUresult ask(struct Request *request) {
  int now = __atomic_load_n(&users, __ATOMIC_RELAXED);
  do
    while (now == ALONE) sched_yield(), now = __atomic_load_n(&users, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(&users, &now, now + 1, false, __ATOMIC_ACQ_REL,
                                      __ATOMIC_RELAXED));
  CUresult status = lanemap_serve ? lanemap_serve(request) : ask_apart(request);
  __atomic_fetch_sub(&users, 1, __ATOMIC_RELEASE);
  return status;
}

/* What an answer says of memory, as this process reaches it. */
static struct State state_of(const uint64_t *words) {
  if (!words[0]) return (struct State){0};
  return (struct State){(char *)(words[0] + line.shift), (uint64_t *)(words[1] + line.shift),
                        (uint32_t *)(words[2] + line.shift)};
}

static CUresult ask_words(enum Operation operation, uint64_t a, uint64_t b, uint64_t c,
                          uint64_t d) {
  struct Request request = {.operation = operation, .words = {a, b, c, d}};
  return ask(&request);
}

/* Tell the user what the program asked for and does not get. */
static CUresult say(const char *format, ...) {
  char text[SENTENCE_BYTES];
  va_list given;
  va_start(given, format);
  vsnprintf(text, sizeof text, format, given);
  va_end(given);
  if (!driver.started || driver.lost) {
    complain("%s", text);
    return CUDA_ERROR_NOT_INITIALIZED;
  }
  struct Request request = {.operation = SAY, .in = text, .in_bytes = strlen(text)};
  return ask(&request);
}

/* The same, if the program fails or launches nothing: others get on without. */
static CUresult say_if_it_fails(const char *sentence) {
  if (!driver.started || driver.lost) return CUDA_ERROR_NOT_INITIALIZED;
  struct Request request = {
      .operation = SAY, .words = {1}, .in = sentence, .in_bytes = strlen(sentence)};
  return ask(&request);
}

/* -- the beginning ------------------------------------------------------------------------------
 */
/* Receive the descriptor of the memory that both processes map. */
static int receive_memory(void) {
  char byte, room[CMSG_SPACE(sizeof(int))] = {0};
  struct iovec part = {&byte, 1};
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof room};
  ssize_t got;
  do got = recvmsg(line.descriptor, &message, MSG_CMSG_CLOEXEC);
  while (got < 0 && errno == EINTR);
  struct cmsghdr *header = got == 1 ? CMSG_FIRSTHDR(&message) : NULL;
  if (!header || header->cmsg_type != SCM_RIGHTS) return -1;
  int descriptor;
  memcpy(&descriptor, CMSG_DATA(header), sizeof descriptor);
  return descriptor;
}

static bool connect_to(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) return false;
  strcpy(address.sun_path, path);
  line.descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  return line.descriptor >= 0 &&
         !connect(line.descriptor, (struct sockaddr *)&address, sizeof address);
}

/* Map the emulator's memory twice: where kernels have it, closed to the program until it asks for
   memory of the host (open_to_host), and somewhere for the driver. */
static bool map_memory(void) {
  int memory = receive_memory();
  if (memory < 0) return false;
  size_t size = driver.gpu.arena_bytes;
  void *wanted = (void *)driver.gpu.arena;
  int flags = MAP_SHARED | MAP_NORESERVE;
  void *found = mmap(wanted, size, PROT_NONE, flags | MAP_FIXED_NOREPLACE, memory, 0);
  void *own = mmap(NULL, size, PROT_READ | PROT_WRITE, flags, memory, 0);
  bool mapped = found == wanted && own != MAP_FAILED;
  if (!mapped && found != MAP_FAILED) munmap(found, size);
  if (!mapped && own != MAP_FAILED) munmap(own, size);
  if (!mapped) return close(memory), false;
  line.memory = memory;
  madvise(found, size, MADV_DONTDUMP);
  madvise(own, size, MADV_DONTDUMP);
  line.shift = (uint64_t)own - driver.gpu.arena;
  return true;
}

/* Let the program reach memory, or not any more, as a real GPU's driver does. */
static void open_to_host(uint64_t address, uint64_t size, bool open) {
  if (!driver.gpu.arena_bytes) return; /* it lies in this process, and is mapped already */
  uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), start = address / page * page;
  mprotect((void *)start, address + size - start, open ? PROT_READ | PROT_WRITE : PROT_NONE);
}

/* -- memory of the program's own that kernels reach -----------------------------------------------
   In this process the emulator reads it where it lies. Another process has it once pages of the
   emulator's memory, with the same contents, are in the place of the program's. */
struct Pages { uint64_t start, size; };
static struct Pages pages_around(uint64_t address, uint64_t size) {
  uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), start = address / page * page;
  return (struct Pages){start, (address + size - start + page - 1) / page * page};
}

/* Whether pages are the process's alone: those of a file or of shared memory others have, too. */
static bool are_private(struct Pages pages) {
  char text[512], kind;
  unsigned long long start, end;
  uint64_t at = pages.start, behind = pages.start + pages.size;
  FILE *maps = fopen("/proc/self/maps", "re");
  while (maps && at < behind && fgets(text, sizeof text, maps))
    if (sscanf(text, "%llx-%llx %*3c%c", &start, &end, &kind) == 3 && start <= at && at < end) {
      if (kind != 'p') break;
      at = end;
    }
  if (maps) fclose(maps);
  return at >= behind;
}

static CUresult share_pages(uint64_t address, uint64_t host, uint64_t size) {
  if (!driver.gpu.arena_bytes) return CUDA_SUCCESS;
  struct Pages pages = pages_around(host, size);
  if (!are_private(pages)) {
    say("memory that is not this process's alone cannot be registered: allocate it by "
        "cuMemHostAlloc (cudaMallocHost)");
    return CUDA_ERROR_NOT_SUPPORTED;
  }
  uint64_t place = address - (host - pages.start);
  memcpy((void *)(place + line.shift), (void *)pages.start, pages.size);
  void *found = mmap((void *)pages.start, pages.size, PROT_READ | PROT_WRITE,
                     MAP_SHARED | MAP_FIXED, line.memory, (off_t)(place - driver.gpu.arena));
  return found == MAP_FAILED ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
}

/* Put pages of the process's alone back there, with what they hold now. */
static CUresult take_pages_back(uint64_t host, uint64_t size) {
  if (!driver.gpu.arena_bytes) return CUDA_SUCCESS;
  struct Pages pages = pages_around(host, size);
  void *own = mmap(NULL, pages.size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (own == MAP_FAILED) return CUDA_ERROR_OUT_OF_MEMORY;
  memcpy(own, (void *)pages.start, pages.size);
  int how = MREMAP_MAYMOVE | MREMAP_FIXED;
  void *found = mremap(own, pages.size, pages.size, how, (void *)pages.start);
  return found == MAP_FAILED ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
}

/* A forked process has no GPU, as with NVIDIA's driver, and must not keep its parent's line. */
static void after_fork(void) {
  if (!driver.started) return;
  driver.lost = true;
  if (line.descriptor >= 0) close(line.descriptor);
  line.descriptor = -1;
  for (size_t i = 0; i < regions.count; i++) /* or the two would write to one heap */
    if (regions.rows[i].kind == REGISTERED)
      take_pages_back(regions.rows[i].host, regions.rows[i].size);
  users = 0;
  pthread_mutex_init(&driver.lock, NULL);
  pthread_mutex_init(&line.lock, NULL);
}

static CUresult open_apart(struct Request *request) {
  const char *path = secure_getenv("LANEMAP_DRIVER");
  if (!path || !*path) {
    complain("libcuda.so.1 of lanemap has no emulator here: run the program by `lanemap exec --`");
    return CUDA_ERROR_NO_DEVICE;
  }
  if (!connect_to(path)) {
    complain("no `lanemap exec` listens at %s (LANEMAP_DRIVER)", path);
    return CUDA_ERROR_NO_DEVICE;
  }
  int status = ask_apart(request);
  if (status) return status;
  if (map_memory()) return CUDA_SUCCESS;
  complain("this process has no room at %#llx for the emulator's memory",
           (unsigned long long)driver.gpu.arena);
  return CUDA_ERROR_OUT_OF_MEMORY;
}

/* Find the emulator, once. */
static CUresult start(void) {
  static pthread_mutex_t once = PTHREAD_MUTEX_INITIALIZER;
  if (driver.lost) return CUDA_ERROR_NOT_INITIALIZED;
  if (driver.started) return CUDA_SUCCESS;
  struct Request request = {.operation = OPEN,
                            .words = {PROTOCOL, (uint64_t)getpid()},
                            .out = &driver.gpu,
                            .out_bytes = sizeof driver.gpu};
  int status;
  if (lanemap_serve) { /* which may wait for a lock of Python's: no lock is held here */
    status = lanemap_serve(&request);
  } else {
    pthread_mutex_lock(&once);
    status = driver.started ? CUDA_SUCCESS : open_apart(&request);
    if (status && line.descriptor >= 0) close(line.descriptor), line.descriptor = -1;
  }
  if (!status && !driver.started) {
    pthread_atfork(NULL, NULL, after_fork);
    driver.started = true;
  }
  if (!lanemap_serve) pthread_mutex_unlock(&once);
  return status;
}
