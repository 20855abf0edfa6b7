#include "program.h"

enum { CTAS = 4, THREADS = 64, N = CTAS * THREADS };
int main(int count, char **arguments) {
  CUfunction shift = kernel(begin(arguments[1]), "shift");
  int back[N], n = N, blocks;
  CUdeviceptr values = device_copy(NULL, sizeof back), out = device_copy(NULL, sizeof back);
  OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, shift, THREADS, 0));
  REQUIRE(blocks > 0);
  void *given[] = {&values, &out, &n};
  REQUIRE(cuLaunchCooperativeKernel(shift, 1 << 20, 1, 1, THREADS, 1, 1, 0, NULL, given) ==
          CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
  OK(cuLaunchCooperativeKernel(shift, CTAS, 1, 1, THREADS, 1, 1, 0, NULL, given));
  OK(cuMemcpyDtoH(back, out, sizeof back));
  for (int i = 0; i < N; i++) REQUIRE(back[i] == 10 * ((i + THREADS) % N));
  puts("right");
  return 0;
}
