/* What all parts of the driver share: requests to the emulator, handles, regions of memory. */

#pragma once

#include "abi.h"

#include <pthread.h>
#include <stdbool.h>

/* -- requests ------------------------------------------------------------------------------------
   Whatever the emulator does is asked for by a request: a number, words, bytes that go in and bytes
   that come out. In a process that lanemap runs in, `lanemap_serve` is a function of it; otherwise
   the request goes to the process behind LANEMAP_DRIVER (transport.c).
   lanemap/check/libcuda/serving.py has the other side of each. */
enum Operation {
  OPEN,         /* out: the words of `struct Gpu`; */
  ALLOCATE,     /* size, kind -> address; words of `struct State` */
  FREE,         /* address */
  WRITE,        /* address, size; host memory in */
  READ,         /* address, size; host memory out */
  COPY,         /* to, from, size, whether the program reads it by itself */
  FILL,         /* address, value, bytes of the value, times */
  LOAD,         /* an image in -> module */
  UNLOAD,       /* module */
  ENTRIES,      /* module; names out, each with its 0 -> bytes of them */
  KERNEL,       /* module; name in -> kernel; `struct About` out */
  SYMBOL,       /* module; name in -> address, size, whether the host reaches it; `struct State` */
  LAUNCH,       /* kernel, grid, block, cluster, shared bytes, cooperative; arguments in */
  ENCODE,       /* mode, then parameters; lists in; the map out */
  LINK,         /* texts in, each with its 0; image out -> bytes of it */
  SAY,          /* whether it waits for how the program ends; a sentence in: what it does not get */
  REGISTER,     /* address, size -> address for kernels, at the same byte of a page */
  TELL_NO_TIME, /* that events have no time */
  RESERVE,      /* -> the words of `struct Reserve` */
  SETTLE,       /* read the ledger */
};

enum { WORDS = 16, RESULTS = 6 };
struct Request {
  uint32_t operation;
  int32_t status;
  uint64_t words[WORDS]; /* results come back in the first */
  const void *in;
  uint64_t in_bytes;
  void *out;
  uint64_t out_bytes;
};

enum { MOST_ATTRIBUTES = 160, MOST_NAME_BYTES = 128, MOST_PARAMETERS = 1024 };
/* The GPU that the emulator answers as; attributes that are not known are UNKNOWN. */
#define UNKNOWN INT32_MIN
struct Gpu {
  char name[MOST_NAME_BYTES];
  uint64_t memory_bytes;
  uint64_t arena, arena_bytes; /* where memory of the emulator lies in this process, if anywhere */
  int32_t version;
  int32_t attributes[MOST_ATTRIBUTES];
};

struct Parameter { uint32_t offset, size; };
struct About {
  int32_t attributes[16]; /* by CUfunction_attribute */
  uint32_t count;
  struct Parameter parameters[MOST_PARAMETERS];
};

static CUresult ask(struct Request *request);
static CUresult ask_words(enum Operation operation, uint64_t a, uint64_t b, uint64_t c, uint64_t d);
static CUresult say(const char *format, ...);
static CUresult say_if_it_fails(const char *sentence);

/* -- what there is ------------------------------------------------------------------------------
 */
enum Kind { NONE, CONTEXT, MODULE, FUNCTION, STREAM, EVENT, POOL, LINKER };
struct Object {
  enum Kind kind;
  uint32_t generation;
  uint64_t remote; /* the emulator's number of it */
  void *data;
  uint64_t words[4];
};

/* Memory that we divide ourselves, so that an allocation is no request, and the ledger in which we
   say how: the emulator reads it whenever it begins to do something
   (lanemap/emulator/host/reserve.py). An entry without bytes says that memory was freed. */
struct Ledger {
  uint64_t written, read;
  struct { uint64_t base, size, state; } entries[];
};
struct Reserve {
  uint64_t base, size;  /* as kernels have it */
  uint64_t data, state; /* the bytes, and a quarter as many for what is known of them */
  uint64_t ledger, entries;
};

enum RegionKind { DEVICE, MANAGED, HOST, GLOBAL, REGISTERED };
/* Where the emulator has a region's bytes, which of them are defined, and the states of its pages
   (runtime/access.h), as this process reaches them. */
struct State {
  char *data;
  uint64_t *defined;
  uint32_t *pages;
};
struct Region {
  uint64_t base, size; /* as kernels have it */
  uint64_t host;       /* as the program reaches it; 0 if it does not */
  enum RegionKind kind;
  unsigned flags;
  uint64_t id;
  struct State state;
  uint64_t noted; /* of one of the reserve: where the emulator has its state */
};

static struct {
  pthread_mutex_t lock;
  bool started, lost;
  unsigned emulator; /* how many this process had before this one */
  struct Gpu gpu;
} driver = {.lock = PTHREAD_MUTEX_INITIALIZER};

#define GPU 0
/* Streams that have no object: the default ones (cuda.h: CU_STREAM_LEGACY, _PER_THREAD). */
#define LAST_DEFAULT_STREAM 2

#define ENTER                                                                                      \
  do {                                                                                             \
    if (!driver.started || driver.lost) return CUDA_ERROR_NOT_INITIALIZED;                         \
  } while (0)
#define REQUIRE(condition, error)                                                                  \
  do {                                                                                             \
    if (!(condition)) return error;                                                                \
  } while (0)
#define TRY(call)                                                                                  \
  do {                                                                                             \
    CUresult status_ = (call);                                                                     \
    if (status_) return status_;                                                                   \
  } while (0)
