#include "program.h"

int main(int count, char **arguments) {
  CUfunction counting = kernel(begin(arguments[1]), "count");
  const char *text = "a kernel reads what the host wrote, in place";
  int n = (int)strlen(text), kind;
  CUdeviceptr letters, counts;
  OK(cuMemAllocManaged(&letters, n, CU_MEM_ATTACH_GLOBAL));
  OK(cuMemAllocManaged(&counts, 256 * sizeof(int), CU_MEM_ATTACH_GLOBAL));
  memcpy((void *)letters, text, n);
  OK(cuPointerGetAttribute(&kind, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, letters + 3));
  REQUIRE(kind == CU_MEMORYTYPE_DEVICE);
  void *given[] = {&letters, &counts, &n};
  OK(cuLaunchKernel(counting, 2, 1, 1, 32, 1, 1, 0, NULL, given, NULL));
  OK(cuCtxSynchronize());
  const int *found = (const int *)counts;
  int wanted[256] = {0};
  for (int i = 0; i < n; i++) wanted[(unsigned char)text[i]]++;
  for (int i = 0; i < 256; i++) REQUIRE(found[i] == wanted[i]);
  puts("right");
  return 0;
}
