/* NVRTC: NVIDIA's library compiles, and a cubin of ours carries its PTX, which libcuda.so.1 loads.

   LANEMAP_NVRTC says where NVIDIA's library is, since this one has its name. */

#include "../cuda/packing.h"

#include <dirent.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

#define API __attribute__((visibility("default")))
enum { INTERNAL_ERROR = 11, MOST_PATH_BYTES = 4096 }; /* nvrtcResult */
typedef long (*Function)(long, long, long, long, long, long);

static void *library;

/* NVRTC finds its file of built-in functions only if that is loaded already, or on the path. */
static void load_builtins(const char *path) {
  static const char PREFIX[] = "libnvrtc-builtins.so.";
  char folder[MOST_PATH_BYTES], file[2 * MOST_PATH_BYTES];
  const char *end = strrchr(path, '/');
  if (!end || end - path >= (long)sizeof folder) return;
  memcpy(folder, path, (size_t)(end - path));
  folder[end - path] = 0;
  DIR *opened = opendir(*folder ? folder : "/");
  for (struct dirent *each; opened && (each = readdir(opened));) {
    if (strncmp(each->d_name, PREFIX, sizeof PREFIX - 1)) continue;
    snprintf(file, sizeof file, "%s/%s", folder, each->d_name);
    dlopen(file, RTLD_NOW | RTLD_GLOBAL);
  }
  if (opened) closedir(opened);
}

static void open_library(void) {
  const char *path = secure_getenv("LANEMAP_NVRTC");
  if (path && *path) {
    load_builtins(path);
    library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  }
  if (!library)
    fprintf(stderr,
            "lanemap: NVIDIA's libnvrtc.so.13 is not found%s%s: install nvidia-cuda-nvrtc\n",
            path ? " at " : "", path ? path : "");
}

static Function passed_on(const char *name) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, open_library);
  return library ? (Function)dlsym(library, name) : NULL;
}

#define PASS_ON(name)                                                                              \
  API long name(long a, long b, long c, long d, long e, long f) {                                  \
    Function function = passed_on(#name);                                                          \
    return function ? function(a, b, c, d, e, f) : INTERNAL_ERROR;                                 \
  }

/* The stand-in for a program's cubin; the caller frees it. A program that was compiled for a
   virtual architecture has no cubin, which is one of no bytes. */
static int cubin_of(long program, char **cubin, size_t *size) {
  Function cubin_size = passed_on("nvrtcGetCUBINSize"), ptx_size = passed_on("nvrtcGetPTXSize");
  Function ptx = passed_on("nvrtcGetPTX");
  *cubin = NULL, *size = 0;
  if (!cubin_size || !ptx_size || !ptx) return INTERNAL_ERROR;
  int status = (int)cubin_size(program, (long)size, 0, 0, 0, 0);
  if (status || !*size) return status;
  size_t text_bytes = 0;
  if ((status = (int)ptx_size(program, (long)&text_bytes, 0, 0, 0, 0))) return status;
  char *text = calloc(1, text_bytes + 1);
  struct Inputs inputs = {NULL, 0};
  status = text ? (int)ptx(program, (long)text, 0, 0, 0, 0) : INTERNAL_ERROR;
  if (!status && !pack_input(&inputs, 1, text, strlen(text), "NVRTC's PTX"))
    status = INTERNAL_ERROR;
  uint64_t bytes = 0;
  size_t room = room_for(&inputs);
  *cubin = status ? NULL : calloc(1, room);
  if (!status && (!*cubin || lanemap_link(&inputs, *cubin, room, &bytes))) status = INTERNAL_ERROR;
  free(text);
  free(inputs.data);
  *size = bytes;
  return status;
}

API int nvrtcGetCUBINSize(long program, size_t *size) {
  char *cubin;
  int status = cubin_of(program, &cubin, size);
  free(cubin);
  return status;
}

API int nvrtcGetCUBIN(long program, char *to) {
  char *cubin;
  size_t size;
  int status = cubin_of(program, &cubin, &size);
  if (!status && cubin) memcpy(to, cubin, size);
  free(cubin);
  return status;
}
