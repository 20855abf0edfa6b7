/* What nvcc's host code registers: fat binaries, their kernels, their variables.

   Each is known by an address of the host's, a stub function or a shadow of the variable. A binary
   is loaded when one of its kernels or variables is first asked for. */

#include "core.h"

#include <stdlib.h>
#include <string.h>

struct Binary {
  const void *wrapper;
  CUmodule module;
};
enum Kind { FUNCTION, VARIABLE, MANAGED };
struct Entry {
  const void *host;
  char *name;
  struct Binary *binary;
  enum Kind kind;
  size_t size;
  void *found; /* the function; the variable's address */
  struct Entry *next;
};
enum { BUCKETS = 1024 };
static struct {
  pthread_mutex_t lock;
  unsigned emulator; /* that has the modules */
  struct Entry *entries[BUCKETS];
} registered = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct Entry **bucket_of(const void *host) {
  uint64_t number = (uint64_t)host;
  return &registered.entries[(number >> 3 ^ number >> 13) % BUCKETS];
}

static struct Entry *entry_of(const void *host, bool function) {
  pthread_mutex_lock(&registered.lock);
  struct Entry *found = *bucket_of(host);
  while (found && (found->host != host || (found->kind == FUNCTION) != function))
    found = found->next;
  pthread_mutex_unlock(&registered.lock);
  return found;
}

static void add(const void *host, const char *name, struct Binary *binary, enum Kind kind,
                size_t size) {
  struct Entry *made = calloc(1, sizeof *made), **bucket = bucket_of(host);
  char *copy = strdup(name);
  if (!made || !copy || !binary) { /* then the first use of it says that it is not registered */
    free(made);
    free(copy);
    return;
  }
  *made = (struct Entry){host, copy, binary, kind, size, NULL, NULL};
  pthread_mutex_lock(&registered.lock);
  made->next = *bucket;
  *bucket = made;
  pthread_mutex_unlock(&registered.lock);
}

/* Load anew what an emulator had that is gone. */
static void forget_loaded(void) {
  unsigned emulator = lanemap_emulator();
  if (__atomic_load_n(&registered.emulator, __ATOMIC_ACQUIRE) == emulator) return;
  pthread_mutex_lock(&registered.lock);
  for (int i = 0; i < BUCKETS; i++)
    for (struct Entry *each = registered.entries[i]; each; each = each->next)
      each->found = NULL, each->binary->module = NULL;
  __atomic_store_n(&registered.emulator, emulator, __ATOMIC_RELEASE);
  pthread_mutex_unlock(&registered.lock);
}

API void **__cudaRegisterFatBinary(void *wrapper) {
  struct Binary *made = calloc(1, sizeof *made);
  if (made) made->wrapper = wrapper;
  return (void **)made;
}

API void __cudaRegisterFatBinaryEnd(void **binary) {}

/* A library with kernels is closed, or the program ends. The module stays: at the end of a program
   there may be nobody any more who could unload it. */
API void __cudaUnregisterFatBinary(void **binary) {
  pthread_mutex_lock(&registered.lock);
  for (int i = 0; i < BUCKETS; i++) {
    struct Entry **place = &registered.entries[i];
    while (*place) {
      struct Entry *each = *place;
      if (each->binary != (struct Binary *)binary) {
        place = &each->next;
        continue;
      }
      *place = each->next;
      free(each->name);
      free(each);
    }
  }
  pthread_mutex_unlock(&registered.lock);
  free(binary);
}

API void __cudaRegisterFunction(void **binary, const char *host, char *device, const char *name,
                                int thread_limit, uint3 *thread, uint3 *block, dim3 *block_size,
                                dim3 *grid_size, int *warp_size) {
  add(host, name, (struct Binary *)binary, FUNCTION, 0);
}

API void __cudaRegisterVar(void **binary, char *host, char *device, const char *name, int external,
                           size_t size, int constant, int global) {
  add(host, name, (struct Binary *)binary, VARIABLE, size);
}

/* The host reaches a managed variable by a pointer, which __cudaInitModule sets. */
API void __cudaRegisterManagedVar(void **binary, void **host, char *device, const char *name,
                                  int external, size_t size, int constant, int global) {
  add(host, name, (struct Binary *)binary, MANAGED, size);
}

static int load(struct Binary *binary, CUmodule *module) {
  pthread_mutex_lock(&registered.lock);
  *module = binary->module;
  pthread_mutex_unlock(&registered.lock);
  if (*module) return cudaSuccess;
  /* No lock is held meanwhile: in a process of Python's the emulator may wait for one of its own.
   */
  int status = (int)cuModuleLoadData(module, binary->wrapper);
  if (status) return status;
  pthread_mutex_lock(&registered.lock);
  if (binary->module) *module = binary->module; /* another thread was faster */
  else binary->module = *module;
  pthread_mutex_unlock(&registered.lock);
  return cudaSuccess;
}

/* The address of a variable; kernels and copies have it. */
static int address_of(struct Entry *entry, CUdeviceptr *address) {
  CUmodule module;
  size_t size;
  int status = begin();
  *address = (CUdeviceptr)entry->found;
  if (!status && !*address) status = load(entry->binary, &module);
  if (status || entry->found) return status;
  status = (int)cuModuleGetGlobal_v2(address, &size, module, entry->name);
  if (!status) entry->found = (void *)*address;
  return status;
}

/* Set the pointers by which the host reaches managed variables; nvcc's code asks for this before it
   reads one. Not zero where that went well. */
API char __cudaInitModule(void **binary) {
  for (int i = 0; i < BUCKETS; i++) {
    for (struct Entry *each = registered.entries[i]; each; each = each->next) {
      if (each->kind != MANAGED || each->binary != (struct Binary *)binary) continue;
      CUdeviceptr address;
      int status = address_of(each, &address);
      if (status) return ended(status), 0;
      *(void **)each->host = (void *)address;
      if (!entry_of((void *)address, false)) /* the host's `&variable` is that address */
        add((void *)address, each->name, each->binary, VARIABLE, each->size);
    }
  }
  return 1;
}

/* -- kernels ------------------------------------------------------------------------------------
 */
/* The driver's function of what a program calls a kernel by: a stub, or a handle of a kernel that
   it got from a library. */
static int function_of(const void *host, CUfunction *function) {
  struct Entry *entry = entry_of(host, true);
  int status = begin();
  *function = entry ? entry->found : (CUfunction)host;
  if (status || *function != (entry ? NULL : host)) return status;
  const char *name;
  if (!entry) return (int)cuFuncGetName(&name, *function);
  CUmodule module;
  status = load(entry->binary, &module);
  if (!status) status = (int)cuModuleGetFunction(function, module, entry->name);
  if (!status) entry->found = *function;
  return status == CUDA_ERROR_NOT_FOUND ? cudaErrorInvalidDeviceFunction : status;
}

#define FIND_FUNCTION(found, host)                                                                 \
  CUfunction found;                                                                                \
  do {                                                                                             \
    int status_ = function_of(host, &found);                                                       \
    if (status_) return ended(status_);                                                            \
  } while (0)

API cudaError_t cudaGetFuncBySymbol(cudaFunction_t *function, const void *host) {
  FIND_FUNCTION(found, host);
  *function = (cudaFunction_t)found;
  return cudaSuccess;
}

API cudaError_t cudaGetKernel(cudaKernel_t *kernel, const void *host) {
  return cudaGetFuncBySymbol((cudaFunction_t *)kernel, host);
}

/* nvcc's host code asks once, before the first launch; the launch itself then has to fail too. */
static __thread int why_no_kernel;
API cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *host) {
  CUfunction found = NULL;
  why_no_kernel = function_of(host, &found);
  *kernel = (cudaKernel_t)(why_no_kernel ? NULL : found);
  return ended(why_no_kernel);
}

/* Hosts keep handles of kernels: those of a module that is not there say why. */
static int of_handle(cudaKernel_t kernel, CUfunction *function) {
  *function = (CUfunction)kernel;
  if (kernel) return begin();
  return why_no_kernel ? why_no_kernel : cudaErrorInvalidDeviceFunction;
}

/* -- variables ----------------------------------------------------------------------------------
 */
static int symbol(const void *host, CUdeviceptr *address, size_t *size) {
  struct Entry *entry = entry_of(host, false);
  if (!entry) return cudaErrorInvalidSymbol;
  *size = entry->size;
  return address_of(entry, address);
}

API cudaError_t cudaGetSymbolAddress(void **address, const void *host) {
  size_t size;
  REQUIRE(address, cudaErrorInvalidValue);
  return ended(symbol(host, (CUdeviceptr *)address, &size));
}

API cudaError_t cudaGetSymbolSize(size_t *size, const void *host) {
  CUdeviceptr address;
  REQUIRE(size, cudaErrorInvalidValue);
  return ended(symbol(host, &address, size));
}

/* -- libraries that a program loads itself -------------------------------------------------------
 */
API cudaError_t cudaLibraryLoadData(cudaLibrary_t *library, const void *code,
                                    enum cudaJitOption *options, void **values, unsigned count,
                                    enum cudaLibraryOption *library_options, void **library_values,
                                    unsigned library_count) {
  SAME_AS(cuLibraryLoadData((CUlibrary *)library, code, (CUjit_option *)options, values, count,
                            (CUlibraryOption *)library_options, library_values, library_count));
}

API cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t *library, const char *name,
                                        enum cudaJitOption *options, void **values, unsigned count,
                                        enum cudaLibraryOption *library_options,
                                        void **library_values, unsigned library_count) {
  SAME_AS(cuLibraryLoadFromFile((CUlibrary *)library, name, (CUjit_option *)options, values, count,
                                (CUlibraryOption *)library_options, library_values, library_count));
}

API cudaError_t cudaLibraryUnload(cudaLibrary_t library) {
  SAME_AS(cuLibraryUnload((CUlibrary)library));
}

API cudaError_t cudaLibraryGetKernel(cudaKernel_t *kernel, cudaLibrary_t library,
                                     const char *name) {
  SAME_AS(cuLibraryGetKernel((CUkernel *)kernel, (CUlibrary)library, name));
}

API cudaError_t cudaLibraryGetGlobal(void **address, size_t *size, cudaLibrary_t library,
                                     const char *name) {
  SAME_AS(cuLibraryGetGlobal((CUdeviceptr *)address, size, (CUlibrary)library, name));
}

API cudaError_t cudaLibraryGetManaged(void **address, size_t *size, cudaLibrary_t library,
                                      const char *name) {
  SAME_AS(cuLibraryGetManaged((CUdeviceptr *)address, size, (CUlibrary)library, name));
}

API cudaError_t cudaLibraryGetKernelCount(unsigned *count, cudaLibrary_t library) {
  SAME_AS(cuLibraryGetKernelCount(count, (CUlibrary)library));
}

API cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t *kernels, unsigned most,
                                            cudaLibrary_t library) {
  SAME_AS(cuLibraryEnumerateKernels((CUkernel *)kernels, most, (CUlibrary)library));
}

API cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel,
                                                enum cudaFuncAttribute attribute, int value,
                                                int device) {
  SAME_AS(cuKernelSetAttribute((CUfunction_attribute)attribute, value, (CUkernel)kernel, device));
}
