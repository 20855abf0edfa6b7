/* nvJitLink: texts of PTX become one image, a stand-in for a cubin, which libcuda.so.1 loads.

   The functions are those of nvJitLink.h of CUDA 13, which calls them by names that end in a
   release. */

#include "../cuda/packing.h"

#include <stdbool.h>
#include <stdio.h>

#define API __attribute__((visibility("default")))

#ifdef CUDA_HEADER
#include <nvJitLink.h>
#else
typedef struct nvJitLink *nvJitLinkHandle;
typedef unsigned nvJitLinkResult, nvJitLinkInputType;
enum {
  NVJITLINK_SUCCESS = 0,
  NVJITLINK_ERROR_UNRECOGNIZED_OPTION = 1,
  NVJITLINK_ERROR_MISSING_ARCH = 2,
  NVJITLINK_ERROR_INVALID_INPUT = 3,
  NVJITLINK_ERROR_PTX_COMPILE = 4,
  NVJITLINK_ERROR_INTERNAL = 6,
  NVJITLINK_ERROR_UNRECOGNIZED_INPUT = 8,
  NVJITLINK_ERROR_NULL_INPUT = 10,
};
enum { NVJITLINK_INPUT_LTOIR = 3, NVJITLINK_INPUT_INDEX = 7, NVJITLINK_INPUT_ANY = 10 };
#endif

enum { MAJOR = 13, MINOR = 0, SENTENCE = 2048 };
struct nvJitLink {
  struct Inputs inputs;
  char *image;
  uint64_t bytes;
  char log[SENTENCE];
};

static nvJitLinkResult fail(nvJitLinkHandle handle, nvJitLinkResult result, const char *what,
                            const char *why) {
  snprintf(handle->log, sizeof handle->log, "%s: %s", what, why);
  return result;
}

API nvJitLinkResult __nvJitLinkCreate_13_0(nvJitLinkHandle *handle, uint32_t count,
                                           const char *const *options) {
  if (!handle || (count && !options)) return NVJITLINK_ERROR_NULL_INPUT;
  bool architecture = false;
  for (uint32_t i = 0; i < count; i++) {
    if (!options[i] || *options[i] != '-') return NVJITLINK_ERROR_UNRECOGNIZED_OPTION;
    architecture |= !strncmp(options[i], "-arch=", 6);
  }
  if (!architecture) return NVJITLINK_ERROR_MISSING_ARCH;
  *handle = calloc(1, sizeof **handle);
  return *handle ? NVJITLINK_SUCCESS : NVJITLINK_ERROR_INTERNAL;
}

API nvJitLinkResult __nvJitLinkDestroy_13_0(nvJitLinkHandle *handle) {
  if (!handle || !*handle) return NVJITLINK_ERROR_NULL_INPUT;
  free((*handle)->inputs.data);
  free((*handle)->image);
  free(*handle);
  *handle = NULL;
  return NVJITLINK_SUCCESS;
}

API nvJitLinkResult __nvJitLinkAddData_13_0(nvJitLinkHandle handle, nvJitLinkInputType type,
                                            const void *data, size_t size, const char *name) {
  if (!handle || !data || !size) return NVJITLINK_ERROR_NULL_INPUT;
  if (!name || !*name) name = "an input of nvJitLink";
  bool known = (unsigned)type >= 1 && (unsigned)type <= NVJITLINK_INPUT_INDEX;
  if (!known && type != NVJITLINK_INPUT_ANY)
    return fail(handle, NVJITLINK_ERROR_UNRECOGNIZED_INPUT, name, "its type is not known");
  if (type == NVJITLINK_INPUT_LTOIR)
    return fail(handle, NVJITLINK_ERROR_INVALID_INPUT, name,
                "LTO-IR is NVIDIA's own and not imitated: compile to PTX, without -dlto");
  bool packed = pack_input(&handle->inputs, (unsigned)type, data, size, name);
  return packed ? NVJITLINK_SUCCESS : NVJITLINK_ERROR_INTERNAL;
}

API nvJitLinkResult __nvJitLinkAddFile_13_0(nvJitLinkHandle handle, nvJitLinkInputType type,
                                            const char *name) {
  if (!handle || !name) return NVJITLINK_ERROR_NULL_INPUT;
  FILE *file = fopen(name, "rb");
  char *data = NULL;
  long size = file && !fseek(file, 0, SEEK_END) ? ftell(file) : -1;
  if (size > 0 && !fseek(file, 0, SEEK_SET)) data = malloc((size_t)size);
  bool whole = data && fread(data, 1, (size_t)size, file) == (size_t)size;
  if (file) fclose(file);
  nvJitLinkResult result =
      whole ? __nvJitLinkAddData_13_0(handle, type, data, (size_t)size, name)
            : fail(handle, NVJITLINK_ERROR_INVALID_INPUT, name, "the file cannot be read");
  free(data);
  return result;
}

API nvJitLinkResult __nvJitLinkComplete_13_0(nvJitLinkHandle handle) {
  if (!handle) return NVJITLINK_ERROR_NULL_INPUT;
  if (!handle->inputs.size || handle->image)
    return fail(handle, NVJITLINK_ERROR_INVALID_INPUT, "nvJitLink", "there is nothing to link");
  size_t room = room_for(&handle->inputs);
  char *image = calloc(1, room);
  if (!image) return NVJITLINK_ERROR_INTERNAL;
  if (!lanemap_link(&handle->inputs, image, room, &handle->bytes)) {
    handle->image = image;
    return NVJITLINK_SUCCESS;
  }
  fail(handle, NVJITLINK_ERROR_PTX_COMPILE, "nvJitLink", image);
  free(image);
  return NVJITLINK_ERROR_PTX_COMPILE;
}

/* -- what came of it ----------------------------------------------------------------------------
 */
API nvJitLinkResult __nvJitLinkGetLinkedCubinSize_13_0(nvJitLinkHandle handle, size_t *size) {
  if (!handle || !size) return NVJITLINK_ERROR_NULL_INPUT;
  *size = handle->bytes;
  return handle->image ? NVJITLINK_SUCCESS : NVJITLINK_ERROR_INVALID_INPUT;
}

API nvJitLinkResult __nvJitLinkGetLinkedCubin_13_0(nvJitLinkHandle handle, void *cubin) {
  if (!handle || !cubin) return NVJITLINK_ERROR_NULL_INPUT;
  if (!handle->image) return NVJITLINK_ERROR_INVALID_INPUT;
  memcpy(cubin, handle->image, handle->bytes);
  return NVJITLINK_SUCCESS;
}

/* PTX comes of LTO-IR alone, which is refused. */
API nvJitLinkResult __nvJitLinkGetLinkedPtxSize_13_0(nvJitLinkHandle handle, size_t *size) {
  if (!handle || !size) return NVJITLINK_ERROR_NULL_INPUT;
  *size = 0;
  return NVJITLINK_ERROR_INVALID_INPUT;
}

API nvJitLinkResult __nvJitLinkGetLinkedPtx_13_0(nvJitLinkHandle handle, char *ptx) {
  return handle && ptx ? NVJITLINK_ERROR_INVALID_INPUT : NVJITLINK_ERROR_NULL_INPUT;
}

API nvJitLinkResult __nvJitLinkGetErrorLogSize_13_0(nvJitLinkHandle handle, size_t *size) {
  if (!handle || !size) return NVJITLINK_ERROR_NULL_INPUT;
  *size = strlen(handle->log) + 1;
  return NVJITLINK_SUCCESS;
}

API nvJitLinkResult __nvJitLinkGetErrorLog_13_0(nvJitLinkHandle handle, char *log) {
  if (!handle || !log) return NVJITLINK_ERROR_NULL_INPUT;
  strcpy(log, handle->log);
  return NVJITLINK_SUCCESS;
}

API nvJitLinkResult __nvJitLinkGetInfoLogSize_13_0(nvJitLinkHandle handle, size_t *size) {
  if (!handle || !size) return NVJITLINK_ERROR_NULL_INPUT;
  *size = 1;
  return NVJITLINK_SUCCESS;
}

API nvJitLinkResult __nvJitLinkGetInfoLog_13_0(nvJitLinkHandle handle, char *log) {
  if (!handle || !log) return NVJITLINK_ERROR_NULL_INPUT;
  *log = 0;
  return NVJITLINK_SUCCESS;
}

API nvJitLinkResult nvJitLinkVersion(unsigned *major, unsigned *minor) {
  if (!major || !minor) return NVJITLINK_ERROR_NULL_INPUT;
  *major = MAJOR, *minor = MINOR;
  return NVJITLINK_SUCCESS;
}
