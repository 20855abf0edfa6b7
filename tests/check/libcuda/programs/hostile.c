/* What a program may do beside CUDA: argv[2] says what. */
#include "program.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static CUfunction add;
static CUcontext context;
static int threads_right;

static int launch(void) {
  int a[32], c[32], n = 32;
  for (int i = 0; i < 32; i++) a[i] = i;
  float *f = (float *)a;
  for (int i = 0; i < 32; i++) f[i] = i;
  CUdeviceptr x = device_copy(a, sizeof a), z = device_copy(NULL, sizeof c);
  void *given[] = {&x, &x, &z, &n};
  OK(cuLaunchKernel(add, 1, 1, 1, 32, 1, 1, 0, NULL, given, NULL));
  OK(cuMemcpyDtoH(c, z, sizeof c));
  for (int i = 0; i < 32; i++)
    if (((float *)c)[i] != 2.0f * i) return 0;
  OK(cuMemFree(x));
  return 1;
}

static void *in_thread(void *data) {
  OK(cuCtxSetCurrent(context));
  for (int i = 0; i < 20; i++)
    if (!launch()) return NULL;
  __atomic_fetch_add(&threads_right, 1, __ATOMIC_SEQ_CST);
  return NULL;
}

/* Memory of the program's own, from the middle of a page on, that kernels read and write. */
static void register_memory(void) {
  int n = 5000, status;
  float *memory = malloc(2 * n * sizeof *memory), *in = memory + 1, *out = memory + n;
  CUdeviceptr first, second;
  for (int i = 0; i < 2 * n; i++) memory[i] = i;
  size_t bytes = (2 * n - 1) * sizeof *memory;
  OK(cuMemHostRegister(in, bytes, CU_MEMHOSTREGISTER_DEVICEMAP));
  REQUIRE(cuMemHostRegister(in, 4, 0) == CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
  OK(cuMemHostGetDevicePointer(&first, in, 0));
  OK(cuMemHostGetDevicePointer(&second, out, 0));
  void *given[] = {&first, &first, &second, &n};
  n -= 1;
  OK(cuLaunchKernel(add, 20, 1, 1, 256, 1, 1, 0, NULL, given, NULL));
  for (int i = 0; i < n; i++) REQUIRE(out[i] == 2 * in[i] && in[i] == i + 1);
  pid_t child = fork(); /* which has a copy of its own, as of all memory */
  if (!child) _exit((out[7] = 1) != 1);
  waitpid(child, &status, 0);
  REQUIRE(status == 0 && out[7] == 16);
  in[0] = 50;
  OK(cuLaunchKernel(add, 20, 1, 1, 256, 1, 1, 0, NULL, given, NULL));
  OK(cuMemHostUnregister(in));
  REQUIRE(memory[0] == 0 && in[0] == 50 && out[0] == 100 && out[n - 1] == 2.0f * n);
  REQUIRE(cuMemHostUnregister(in) == CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
  free(memory);
  void *shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  REQUIRE(cuMemHostRegister(shared, 4096, 0) == CUDA_ERROR_NOT_SUPPORTED);
}

int main(int count, char **arguments) {
  const char *what = arguments[2];
  if (!strcmp(what, "nothing")) return 5;
  add = kernel(begin(arguments[1]), "add");
  OK(cuCtxGetCurrent(&context));
  REQUIRE(launch());
  if (!strcmp(what, "abort")) abort();
  if (!strcmp(what, "segfault")) *(volatile int *)device_copy(NULL, 4) = 1;
  if (!strcmp(what, "kill")) raise(SIGKILL);
  if (!strcmp(what, "exit")) _exit(6);
  if (!strcmp(what, "fork")) {
    int status;
    fflush(stdout);
    pid_t child = fork();
    if (!child) _exit(cuCtxSynchronize() == CUDA_ERROR_NOT_INITIALIZED ? 0 : 1);
    waitpid(child, &status, 0);
    REQUIRE(status == 0 && launch());
  }
  if (!strcmp(what, "second")) {
    fflush(stdout);
    pid_t child = fork();
    if (!child) execl(arguments[0], arguments[0], arguments[1], "exit", NULL);
    int status;
    waitpid(child, &status, 0);
    REQUIRE(WEXITSTATUS(status) == 6 && launch());
  }
  if (!strcmp(what, "threads")) {
    pthread_t all[8];
    for (int i = 0; i < 8; i++) pthread_create(&all[i], NULL, in_thread, NULL);
    for (int i = 0; i < 8; i++) pthread_join(all[i], NULL);
    REQUIRE(threads_right == 8);
  }
  if (!strcmp(what, "register")) register_memory();
  if (!strcmp(what, "dlclose")) {
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    dlclose(library);
    dlclose(dlopen("libcuda.so.1", RTLD_NOW));
    REQUIRE(launch());
  }
  if (!strcmp(what, "truncated")) { /* its last page is not there */
    long page = sysconf(_SC_PAGESIZE);
    char *memory = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    munmap(memory + page, page);
    CUmodule module;
    unsigned magic = 0xBA55ED50;
    memset(memory, 'a', page);
    REQUIRE(cuModuleLoadData(&module, memory) == CUDA_ERROR_INVALID_IMAGE);
    memcpy(memory, &magic, 4);
    REQUIRE(cuModuleLoadData(&module, memory) == CUDA_ERROR_INVALID_IMAGE);
    memcpy(memory, "\177ELF", 4);
    REQUIRE(cuModuleLoadData(&module, memory) == CUDA_ERROR_INVALID_IMAGE);
    REQUIRE(launch());
  }
  puts("right");
  return 0;
}
