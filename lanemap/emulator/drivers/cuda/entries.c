/* cuGetProcAddress, over the table of all functions that functions.tsv makes. */

#include "core.h"

#include <string.h>

struct Row {
  const char *name, *symbol;
  int version;
  void *function;
};
static const struct Row ROWS[];

/* What a program gets for a function that is not served. */
static CUresult refused(const char *name) {
  if (driver.lost) return CUDA_ERROR_NOT_INITIALIZED;
  if (strcmp(name, "cuGetExportTable")) say("%s is not supported", name);
  else /* a runtime library that the program is linked to asks for tables */
    say_if_it_fails("cuGetExportTable is not supported: tables that only NVIDIA knows are not "
                    "imitated; link the program with nvcc's `-cudart shared`");
  return CUDA_ERROR_NOT_SUPPORTED;
}

/* What the stand-in for the runtime, another library, needs of this one. */
API void lanemap_say(const char *sentence) { say("%s", sentence); }
API int32_t lanemap_gpu_attribute(unsigned number) { return gpu_attribute(number); }

enum { FOUND = 0, NO_SYMBOL = 1, TOO_OLD = 2 }; /* CUdriverProcAddressQueryResult */

API CUresult cuGetProcAddress_v2(const char *symbol, void **function, int version, cuuint64_t flags,
                                 CUdriverProcAddressQueryResult *result) {
  REQUIRE(symbol && function, CUDA_ERROR_INVALID_VALUE);
  const struct Row *best = NULL;
  bool known = false;
  for (const struct Row *each = ROWS; each->name; each++) {
    if (strcmp(each->name, symbol) && strcmp(each->symbol, symbol)) continue;
    known = true;
    if (each->version <= version && (!best || each->version > best->version)) best = each;
  }
  *function = best ? best->function : NULL;
  if (result) *result = best ? FOUND : known ? TOO_OLD : NO_SYMBOL;
  return best || result ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

API CUresult cuGetProcAddress(const char *symbol, void **function, int version, cuuint64_t flags) {
  return cuGetProcAddress_v2(symbol, function, version, flags, NULL);
}
