/* cuLink: texts of PTX become one image, which the emulator's side makes. */

#include "core.h"

#include "packing.h"

struct Linked {
  struct Inputs inputs;
  void *image;
  unsigned options;
  CUjit_option *option_names;
  void **option_values;
};

API int lanemap_link(const struct Inputs *inputs, void *image, size_t room, uint64_t *bytes) {
  TRY(start());
  struct Request request = {.operation = LINK,
                            .in = inputs->data,
                            .in_bytes = inputs->size,
                            .out = image,
                            .out_bytes = room};
  CUresult status = ask(&request);
  *bytes = request.words[0];
  return (int)status;
}

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
  return pack_input(&linked->inputs, kind, data, size, name) ? CUDA_SUCCESS
                                                             : CUDA_ERROR_OUT_OF_MEMORY;
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

API CUresult cuLinkComplete(CUlinkState state, void **image, size_t *size) {
  TRY(enter());
  struct Object object;
  REQUIRE(image, CUDA_ERROR_INVALID_VALUE);
  REQUIRE(find(state, LINKER, &object), CUDA_ERROR_INVALID_HANDLE);
  struct Linked *linked = object.data;
  REQUIRE(linked->inputs.size && !linked->image, CUDA_ERROR_INVALID_VALUE);
  size_t room = room_for(&linked->inputs);
  uint64_t bytes;
  linked->image = calloc(1, room);
  REQUIRE(linked->image, CUDA_ERROR_OUT_OF_MEMORY);
  CUresult status = (CUresult)lanemap_link(&linked->inputs, linked->image, room, &bytes);
  if (status) {
    fill_log(linked->options, linked->option_names, linked->option_values, linked->image);
    free(linked->image);
    linked->image = NULL;
    return status;
  }
  *image = linked->image;
  if (size) *size = bytes;
  return CUDA_SUCCESS;
}

API CUresult cuLinkDestroy(CUlinkState state) {
  TRY(enter());
  struct Object object;
  REQUIRE(drop(state, LINKER, &object), CUDA_ERROR_INVALID_HANDLE);
  struct Linked *gone = object.data;
  free(gone->inputs.data);
  free(gone->image);
  free(gone);
  return CUDA_SUCCESS;
}
