/* What a program of the CUDA runtime may do beside it: argv[1] is a fat binary with the kernel add,
   argv[2] says what, and further ones are fat binaries that nobody should load. */
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define REQUIRE(condition)                                                                         \
  do {                                                                                             \
    if (condition) break;                                                                          \
    printf("line %d: wrong: %s\n", __LINE__, #condition);                                          \
    exit(7);                                                                                       \
  } while (0)

/* What nvcc's host code calls (crt/host_runtime.h of CUDA). */
extern void **__cudaRegisterFatBinary(void *);
extern void __cudaUnregisterFatBinary(void **);
extern void __cudaRegisterFunction(void **, const char *, char *, const char *, int, void *, void *,
                                   void *, void *, int *);

struct Wrapper {
  int magic, version;
  const void *data;
  void *unused;
};

/* Read a file to where memory ends, so that nobody can read beyond it. */
static void *image_of(const char *path) {
  FILE *file = fopen(path, "rb");
  REQUIRE(file && !fseek(file, 0, SEEK_END));
  size_t page = (size_t)sysconf(_SC_PAGESIZE), size = (size_t)ftell(file);
  size_t room = (size + page - 1) / page * page;
  char *memory = mmap(NULL, room + page, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  munmap(memory + room, page);
  rewind(file);
  REQUIRE(fread(memory + room - size, 1, size, file) == size);
  fclose(file);
  return memory + room - size;
}

/* Register a fat binary, and ask for its kernel, as a program does that is loaded. */
static char stubs[32];
static cudaError_t registered(int number, const char *path) {
  static struct Wrapper wrappers[32];
  cudaFunction_t function;
  wrappers[number] = (struct Wrapper){0x466243b1, 1, image_of(path), NULL};
  void **binary = __cudaRegisterFatBinary(&wrappers[number]);
  __cudaRegisterFunction(binary, &stubs[number], "add", "add", -1, 0, 0, 0, 0, 0);
  return cudaGetFuncBySymbol(&function, &stubs[number]);
}

static int launch(void) {
  float a[32], c[32] = {0}, *x, *z;
  int n = 32;
  for (int i = 0; i < 32; i++) a[i] = (float)i;
  if (cudaMalloc((void **)&x, sizeof a) || cudaMalloc((void **)&z, sizeof c)) return 0;
  cudaMemcpy(x, a, sizeof a, cudaMemcpyHostToDevice);
  void *given[] = {&x, &x, &z, &n};
  dim3 one = {1, 1, 1}, block = {32, 1, 1};
  if (cudaLaunchKernel(&stubs[0], one, block, given, 0, NULL)) return 0;
  cudaMemcpy(c, z, sizeof c, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 32; i++)
    if (c[i] != 2.0f * i) return 0;
  return !cudaFree(x) && !cudaFree(z);
}

static void *in_thread(void *right) {
  for (int i = 0; i < 10; i++)
    if (!launch()) return NULL;
  __atomic_fetch_add((int *)right, 1, __ATOMIC_SEQ_CST);
  return NULL;
}

int main(int count, char **arguments) {
  int right = 0, status;
  pthread_t all[4];
  REQUIRE(registered(0, arguments[1]) == cudaSuccess && launch());
  if (!strcmp(arguments[2], "exit")) _exit(6);
  for (int i = 3; i < count; i++) {
    cudaError_t refused = registered(i - 2, arguments[i]);
    REQUIRE(refused != cudaSuccess && cudaGetLastError() == refused);
    REQUIRE(cudaLaunchKernel(&stubs[i - 2], (dim3){1, 1, 1}, (dim3){1, 1, 1}, NULL, 0, NULL));
    cudaGetLastError();
    REQUIRE(launch());
  }
  for (int i = 0; i < 4; i++) pthread_create(&all[i], NULL, in_thread, &right);
  for (int i = 0; i < 4; i++) pthread_join(all[i], NULL);
  REQUIRE(right == 4);
  dlclose(dlopen("libcudart.so.13", RTLD_NOW));
  dlclose(dlopen("libcudart.so.13", RTLD_NOW));
  REQUIRE(launch());
  fflush(stdout);
  pid_t child = fork(); /* the GPU is its parent's */
  if (!child) _exit(cudaDeviceSynchronize() == cudaErrorInitializationError ? 0 : 1);
  waitpid(child, &status, 0);
  REQUIRE(status == 0 && launch());
  child = fork();
  if (!child) execl(arguments[0], arguments[0], arguments[1], "exit", NULL);
  waitpid(child, &status, 0);
  REQUIRE(WEXITSTATUS(status) == 6 && launch());
  puts("right");
  return 0;
}
