/* cuLink: texts of PTX become one image, which the emulator's side makes. */

#include "core.h"

#include <stdlib.h>
#include <string.h>

struct Linked {
  char *inputs; /* of each: bytes, kind, name with its 0, then the bytes */
  size_t size;
  void *image;
  unsigned options;
  CUjit_option *option_names;
  void **option_values;
};

API CUresult cuLinkCreate_v2(unsigned count, CUjit_option *options, void **values,
                             CUlinkState *state) {
  TRY(enter());
  REQUIRE(state, CUDA_ERROR_INVALID_VALUE);
  struct Linked *made = calloc(1, sizeof *made);
  REQUIRE(made, CUDA_ERROR_OUT_OF_MEMORY);
  made->options = count, made->option_names = options, made->option_values = values;
  *state = keep((struct Object){.kind = LINKER, .data = made});
  return *state ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

static CUresult add(CUlinkState state, unsigned kind, const void *data, size_t size,
                    const char *name) {
  struct Object object;
  REQUIRE(find(state, LINKER, &object), CUDA_ERROR_INVALID_HANDLE);
  struct Linked *linked = object.data;
  if (!name || !*name) name = "an input of cuLink";
  uint64_t header[2] = {size, kind};
  size_t named = strlen(name) + 1, more = sizeof header + named + size;
  char *inputs = realloc(linked->inputs, linked->size + more), *at = inputs + linked->size;
  REQUIRE(inputs, CUDA_ERROR_OUT_OF_MEMORY);
  memcpy(at, header, sizeof header);
  memcpy(at + sizeof header, name, named);
  memcpy(at + sizeof header + named, data, size);
  linked->inputs = inputs, linked->size += more;
  return CUDA_SUCCESS;
}

API CUresult cuLinkAddData_v2(CUlinkState state, CUjitInputType kind, void *data, size_t size,
                              const char *name, unsigned count, CUjit_option *options,
                              void **values) {
  TRY(enter());
  REQUIRE(data && size, CUDA_ERROR_INVALID_VALUE);
  return add(state, (unsigned)kind, data, size, name);
}

API CUresult cuLinkAddFile_v2(CUlinkState state, CUjitInputType kind, const char *name,
                              unsigned count, CUjit_option *options, void **values) {
  TRY(enter());
  size_t size;
  char *data = file_contents(name, &size);
  if (!data) {
    say("cuLinkAddFile: %s cannot be read", name ? name : "a file without a name");
    return CUDA_ERROR_FILE_NOT_FOUND;
  }
  CUresult status = add(state, (unsigned)kind, data, size, name);
  free(data);
  return status;
}

enum { ROOM_BESIDE_TEXT = 1 << 16 };
API CUresult cuLinkComplete(CUlinkState state, void **image, size_t *size) {
  TRY(enter());
  struct Object object;
  REQUIRE(image, CUDA_ERROR_INVALID_VALUE);
  REQUIRE(find(state, LINKER, &object), CUDA_ERROR_INVALID_HANDLE);
  struct Linked *linked = object.data;
  REQUIRE(linked->size && !linked->image, CUDA_ERROR_INVALID_VALUE);
  size_t room = linked->size * 8 + ROOM_BESIDE_TEXT; /* a fat binary's text may be compressed */
  linked->image = calloc(1, room);
  REQUIRE(linked->image, CUDA_ERROR_OUT_OF_MEMORY);
  struct Request request = {.operation = LINK,
                            .in = linked->inputs,
                            .in_bytes = linked->size,
                            .out = linked->image,
                            .out_bytes = room};
  CUresult status = ask(&request);
  if (status) {
    fill_log(linked->options, linked->option_names, linked->option_values, linked->image);
    free(linked->image);
    linked->image = NULL;
    return status;
  }
  *image = linked->image;
  if (size) *size = request.words[0];
  return CUDA_SUCCESS;
}

API CUresult cuLinkDestroy(CUlinkState state) {
  TRY(enter());
  struct Object object;
  REQUIRE(drop(state, LINKER, &object), CUDA_ERROR_INVALID_HANDLE);
  struct Linked *gone = object.data;
  free(gone->inputs);
  free(gone->image);
  free(gone);
  return CUDA_SUCCESS;
}
