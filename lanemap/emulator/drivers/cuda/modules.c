/* Modules, which are libraries too; their functions, which are kernels too; their variables. */

#include "core.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LOG_BUFFER = 5, LOG_BYTES = 6, MOST_OPTIONS = 64 }; /* CUjit_option: errors */
enum { SENTENCE = 2048 };

struct Function {
  char *name;
  CUfunction handle;
  CUmodule module;
  uint64_t remote;
  struct About about; /* attributes that can be set are set here */
  struct Function *next;
};
struct Module {
  uint64_t remote;
  struct Function *functions;
};

/* Write what is wrong with an image where the program wants it. */
static void fill_log(unsigned count, CUjit_option *options, void **values, const char *sentence) {
  size_t room = 0;
  char *log = NULL;
  if (!options || !values || count > MOST_OPTIONS) return;
  for (unsigned i = 0; i < count; i++) {
    if (options[i] == LOG_BUFFER) log = values[i];
    if (options[i] == LOG_BYTES) room = (size_t)values[i] & UINT32_MAX;
  }
  if (log && room) snprintf(log, room, "%s", sentence);
}

static CUresult load(CUmodule *module, const void *image, size_t size, unsigned count,
                     CUjit_option *options, void **values) {
  char sentence[SENTENCE] = "";
  struct Request request = {
      .operation = LOAD, .in = image, .in_bytes = size, .out = sentence, .out_bytes = SENTENCE - 1};
  CUresult status = ask(&request);
  if (status) {
    fill_log(count, options, values, sentence);
    return status;
  }
  struct Module *made = calloc(1, sizeof *made);
  if (!made) return CUDA_ERROR_OUT_OF_MEMORY;
  made->remote = request.words[0];
  *module = keep((struct Object){.kind = MODULE, .remote = made->remote, .data = made});
  return *module ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

API CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned count,
                                CUjit_option *options, void **values) {
  TRY(enter());
  REQUIRE(module && image, CUDA_ERROR_INVALID_VALUE);
  size_t size;
  void *copy = image_copy(image, &size);
  if (!copy) {
    say("cuModuleLoadData: the image is cut off, or is none");
    return CUDA_ERROR_INVALID_IMAGE;
  }
  CUresult status = load(module, copy, size, count, options, values);
  free(copy);
  return status;
}

API CUresult cuModuleLoadData(CUmodule *module, const void *image) {
  return cuModuleLoadDataEx(module, image, 0, NULL, NULL);
}

API CUresult cuModuleLoadFatBinary(CUmodule *module, const void *image) {
  return cuModuleLoadDataEx(module, image, 0, NULL, NULL);
}

/* Read a file whole, with a 0 behind it. */
static char *file_contents(const char *name, size_t *size) {
  FILE *file = name ? fopen(name, "rb") : NULL;
  char *data = NULL;
  size_t room = 0;
  *size = 0;
  while (file) {
    if (*size + 1 >= room) {
      char *more = realloc(data, room = room ? 2 * room : 1 << 16);
      if (!more) break;
      data = more;
    }
    size_t got = fread(data + *size, 1, room - *size - 1, file);
    *size += got;
    if (got) continue;
    data[*size] = 0;
    fclose(file);
    return data;
  }
  if (file) fclose(file);
  free(data);
  return NULL;
}

static CUresult load_file(CUmodule *module, const char *name, unsigned count, CUjit_option *options,
                          void **values) {
  TRY(enter());
  REQUIRE(module && name, CUDA_ERROR_INVALID_VALUE);
  size_t size;
  char *data = file_contents(name, &size);
  if (!data) {
    say("cuModuleLoad: %s cannot be read", name);
    return CUDA_ERROR_FILE_NOT_FOUND;
  }
  CUresult status = load(module, data, size, count, options, values);
  free(data);
  return status;
}

API CUresult cuModuleLoad(CUmodule *module, const char *name) {
  return load_file(module, name, 0, NULL, NULL);
}

API CUresult cuModuleUnload(CUmodule module) {
  TRY(enter());
  struct Object object;
  REQUIRE(drop(module, MODULE, &object), CUDA_ERROR_INVALID_HANDLE);
  struct Module *gone = object.data;
  for (struct Function *each = gone->functions, *next; each; each = next) {
    next = each->next;
    drop(each->handle, FUNCTION, NULL);
    free(each->name);
    free(each);
  }
  free(gone);
  return ask_words(UNLOAD, object.remote, 0, 0, 0);
}

API CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode *mode) {
  REQUIRE(mode, CUDA_ERROR_INVALID_VALUE);
  *mode = 2; /* CU_MODULE_LAZY_LOADING: what a kernel needs is looked at when it is asked for */
  return CUDA_SUCCESS;
}

/* -- functions ----------------------------------------------------------------------------------
 */
static struct Function *named(struct Module *module, const char *name) {
  for (struct Function *each = module->functions; each; each = each->next)
    if (!strcmp(each->name, name)) return each;
  return NULL;
}

API CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
  TRY(enter());
  struct Object object;
  REQUIRE(function && name, CUDA_ERROR_INVALID_VALUE);
  REQUIRE(find(module, MODULE, &object), CUDA_ERROR_INVALID_HANDLE);
  struct Module *owner = object.data;
  lock();
  struct Function *known = named(owner, name);
  unlock();
  if (known) {
    *function = known->handle;
    return CUDA_SUCCESS;
  }
  struct Function *made = calloc(1, sizeof *made);
  REQUIRE(made, CUDA_ERROR_OUT_OF_MEMORY);
  struct Request request = {.operation = KERNEL,
                            .words = {object.remote},
                            .in = name,
                            .in_bytes = strlen(name),
                            .out = &made->about,
                            .out_bytes = sizeof made->about};
  CUresult status = ask(&request);
  made->name = status ? NULL : strdup(name);
  if (made->name) {
    made->module = module, made->remote = request.words[0];
    made->handle = keep((struct Object){.kind = FUNCTION, .remote = made->remote, .data = made});
  }
  if (!made->handle) {
    free(made->name);
    free(made);
    return status ? status : CUDA_ERROR_OUT_OF_MEMORY;
  }
  lock();
  made->next = owner->functions, owner->functions = made;
  unlock();
  *function = made->handle;
  return CUDA_SUCCESS;
}

/* The names of a module's kernels, each with its 0 behind it; the caller frees them. */
static CUresult names_of(CUmodule module, char **names, size_t *size) {
  struct Object object;
  REQUIRE(find(module, MODULE, &object), CUDA_ERROR_INVALID_HANDLE);
  for (size_t room = 1 << 16;; room *= 2) {
    *names = malloc(room);
    if (!*names) return CUDA_ERROR_OUT_OF_MEMORY;
    struct Request request = {
        .operation = ENTRIES, .words = {object.remote}, .out = *names, .out_bytes = room};
    CUresult status = ask(&request);
    *size = request.words[0];
    if (!status && *size <= room) return CUDA_SUCCESS;
    free(*names);
    if (status) return status;
  }
}

API CUresult cuModuleGetFunctionCount(unsigned *count, CUmodule module) {
  TRY(enter());
  REQUIRE(count, CUDA_ERROR_INVALID_VALUE);
  char *names;
  size_t size;
  TRY(names_of(module, &names, &size));
  *count = 0;
  for (size_t i = 0; i < size; i++) *count += !names[i];
  free(names);
  return CUDA_SUCCESS;
}

API CUresult cuModuleEnumerateFunctions(CUfunction *functions, unsigned most, CUmodule module) {
  TRY(enter());
  REQUIRE(functions, CUDA_ERROR_INVALID_VALUE);
  char *names;
  size_t size;
  unsigned count = 0;
  CUresult status = names_of(module, &names, &size);
  if (status) return status;
  for (size_t i = 0; i < size && count < most && !status; i += strlen(names + i) + 1)
    status = cuModuleGetFunction(&functions[count++], module, names + i);
  free(names);
  return status;
}

/* What a handle of a function stands for; it lives as long as its module. */
static struct Function *function_of(const void *handle) {
  struct Object object;
  return find(handle, FUNCTION, &object) ? object.data : NULL;
}

#define FIND_FUNCTION(found, handle)                                                               \
  ENTER;                                                                                           \
  struct Function *found = function_of(handle);                                                    \
  REQUIRE(found, CUDA_ERROR_INVALID_HANDLE)

API CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction handle) {
  FIND_FUNCTION(function, handle);
  REQUIRE(value && (unsigned)attribute < CU_FUNC_ATTRIBUTE_MAX, CUDA_ERROR_INVALID_VALUE);
  *value = function->about.attributes[attribute];
  return CUDA_SUCCESS;
}

API CUresult cuFuncSetAttribute(CUfunction handle, CUfunction_attribute attribute, int value) {
  FIND_FUNCTION(function, handle);
  unsigned number = (unsigned)attribute;
  REQUIRE(number >= CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES &&
              number < CU_FUNC_ATTRIBUTE_MAX,
          CUDA_ERROR_INVALID_VALUE);
  int most = gpu_attribute(97) - function->about.attributes[CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES];
  if (number == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES)
    REQUIRE(value >= 0 && value <= most, CUDA_ERROR_INVALID_VALUE);
  function->about.attributes[number] = value;
  return CUDA_SUCCESS;
}

API CUresult cuFuncSetCacheConfig(CUfunction handle, CUfunc_cache preference) {
  FIND_FUNCTION(function, handle);
  return CUDA_SUCCESS;
}

API CUresult cuFuncSetSharedMemConfig(CUfunction handle, CUsharedconfig preference) {
  FIND_FUNCTION(function, handle);
  return CUDA_SUCCESS;
}

API CUresult cuFuncGetModule(CUmodule *module, CUfunction handle) {
  FIND_FUNCTION(function, handle);
  REQUIRE(module, CUDA_ERROR_INVALID_VALUE);
  *module = function->module;
  return CUDA_SUCCESS;
}

API CUresult cuFuncGetName(const char **name, CUfunction handle) {
  FIND_FUNCTION(function, handle);
  REQUIRE(name, CUDA_ERROR_INVALID_VALUE);
  *name = function->name;
  return CUDA_SUCCESS;
}

API CUresult cuFuncGetParamInfo(CUfunction handle, size_t index, size_t *offset, size_t *size) {
  FIND_FUNCTION(function, handle);
  REQUIRE(index < function->about.count, CUDA_ERROR_INVALID_VALUE);
  if (offset) *offset = function->about.parameters[index].offset;
  if (size) *size = function->about.parameters[index].size;
  return CUDA_SUCCESS;
}

API CUresult cuFuncIsLoaded(CUfunctionLoadingState *state, CUfunction handle) {
  FIND_FUNCTION(function, handle);
  REQUIRE(state, CUDA_ERROR_INVALID_VALUE);
  *state = 1; /* CU_FUNCTION_LOADING_STATE_LOADED */
  return CUDA_SUCCESS;
}

API CUresult cuFuncLoad(CUfunction handle) {
  FIND_FUNCTION(function, handle);
  return CUDA_SUCCESS;
}

/* -- variables ----------------------------------------------------------------------------------
 */
API CUresult cuModuleGetGlobal_v2(CUdeviceptr *address, size_t *size, CUmodule module,
                                  const char *name) {
  TRY(enter());
  struct Object object;
  REQUIRE(name, CUDA_ERROR_INVALID_VALUE);
  REQUIRE(find(module, MODULE, &object), CUDA_ERROR_INVALID_HANDLE);
  struct Request request = {
      .operation = SYMBOL, .words = {object.remote}, .in = name, .in_bytes = strlen(name)};
  TRY(ask(&request));
  uint64_t base = request.words[0], bytes = request.words[1], managed = request.words[2];
  enum RegionKind kind = managed ? MANAGED : GLOBAL;
  struct State state = state_of(request.words + 3);
  add_region((struct Region){base, bytes, managed ? base : 0, kind, 0, 0, state});
  if (managed) open_to_host(base, bytes, true);
  if (address) *address = base;
  if (size) *size = bytes;
  return CUDA_SUCCESS;
}

/* -- libraries and their kernels: modules and functions by other names ---------------------------
 */
/* A library needs no context: the whole of a function that borrows the GPU's own. */
#define IN_ANY_CONTEXT(call)                                                                       \
  ENTER;                                                                                           \
  bool borrowed = !stack()->depth;                                                                 \
  CUcontext context;                                                                               \
  if (borrowed) TRY(cuDevicePrimaryCtxRetain(&context, GPU));                                      \
  if (borrowed) TRY(cuCtxPushCurrent_v2(context));                                                 \
  CUresult status = (call);                                                                        \
  if (borrowed) cuCtxPopCurrent_v2(NULL), cuDevicePrimaryCtxRelease_v2(GPU);                       \
  return status

API CUresult cuLibraryLoadData(CUlibrary *library, const void *code, CUjit_option *options,
                               void **values, unsigned count, CUlibraryOption *library_options,
                               void **library_values, unsigned library_count) {
  IN_ANY_CONTEXT(cuModuleLoadDataEx((CUmodule *)library, code, count, options, values));
}

API CUresult cuLibraryLoadFromFile(CUlibrary *library, const char *name, CUjit_option *options,
                                   void **values, unsigned count, CUlibraryOption *library_options,
                                   void **library_values, unsigned library_count) {
  IN_ANY_CONTEXT(load_file((CUmodule *)library, name, count, options, values));
}

API CUresult cuLibraryUnload(CUlibrary library) { return cuModuleUnload((CUmodule)library); }

API CUresult cuLibraryGetKernel(CUkernel *kernel, CUlibrary library, const char *name) {
  return cuModuleGetFunction((CUfunction *)kernel, (CUmodule)library, name);
}

API CUresult cuLibraryGetKernelCount(unsigned *count, CUlibrary library) {
  return cuModuleGetFunctionCount(count, (CUmodule)library);
}

API CUresult cuLibraryEnumerateKernels(CUkernel *kernels, unsigned most, CUlibrary library) {
  return cuModuleEnumerateFunctions((CUfunction *)kernels, most, (CUmodule)library);
}

API CUresult cuLibraryGetModule(CUmodule *module, CUlibrary library) {
  TRY(enter());
  REQUIRE(module, CUDA_ERROR_INVALID_VALUE);
  REQUIRE(find(library, MODULE, NULL), CUDA_ERROR_INVALID_HANDLE);
  *module = (CUmodule)library;
  return CUDA_SUCCESS;
}

API CUresult cuLibraryGetGlobal(CUdeviceptr *address, size_t *size, CUlibrary library,
                                const char *name) {
  return cuModuleGetGlobal_v2(address, size, (CUmodule)library, name);
}

API CUresult cuLibraryGetManaged(CUdeviceptr *address, size_t *size, CUlibrary library,
                                 const char *name) {
  CUdeviceptr found;
  struct Region region;
  TRY(cuModuleGetGlobal_v2(&found, size, (CUmodule)library, name));
  REQUIRE(region_at(found, &region) && region.kind == MANAGED, CUDA_ERROR_NOT_FOUND);
  if (address) *address = found;
  return CUDA_SUCCESS;
}

API CUresult cuKernelGetFunction(CUfunction *function, CUkernel kernel) {
  FIND_FUNCTION(found, kernel);
  REQUIRE(function, CUDA_ERROR_INVALID_VALUE);
  *function = (CUfunction)kernel;
  return CUDA_SUCCESS;
}

API CUresult cuKernelGetLibrary(CUlibrary *library, CUkernel kernel) {
  return cuFuncGetModule((CUmodule *)library, (CUfunction)kernel);
}

API CUresult cuKernelGetAttribute(int *value, CUfunction_attribute attribute, CUkernel kernel,
                                  CUdevice device) {
  return cuFuncGetAttribute(value, attribute, (CUfunction)kernel);
}

API CUresult cuKernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel kernel,
                                  CUdevice device) {
  return cuFuncSetAttribute((CUfunction)kernel, attribute, value);
}

API CUresult cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache preference, CUdevice device) {
  return cuFuncSetCacheConfig((CUfunction)kernel, preference);
}

API CUresult cuKernelGetName(const char **name, CUkernel kernel) {
  return cuFuncGetName(name, (CUfunction)kernel);
}

API CUresult cuKernelGetParamInfo(CUkernel kernel, size_t index, size_t *offset, size_t *size) {
  return cuFuncGetParamInfo((CUfunction)kernel, index, offset, size);
}
