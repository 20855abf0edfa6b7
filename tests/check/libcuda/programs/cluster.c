#include "program.h"

int main(int count, char **arguments) {
  CUfunction exchange = kernel(begin(arguments[1]), "exchange");
  int back[8], most;
  CUdeviceptr out = device_copy(NULL, sizeof back);
  CUlaunchAttribute attributes[2] = {{.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION},
                                     {.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION}};
  attributes[0].value.clusterDim.x = 4;
  attributes[0].value.clusterDim.y = attributes[0].value.clusterDim.z = 1;
  attributes[1].value.programmaticStreamSerializationAllowed = 1;
  CUlaunchConfig config = {.gridDimX = 8,
                           .gridDimY = 1,
                           .gridDimZ = 1,
                           .blockDimX = 32,
                           .blockDimY = 1,
                           .blockDimZ = 1,
                           .attrs = attributes,
                           .numAttrs = 2};
  OK(cuOccupancyMaxActiveClusters(&most, exchange, &config));
  REQUIRE(most > 0);
  void *given[] = {&out};
  OK(cuLaunchKernelEx(&config, exchange, given, NULL));
  OK(cuMemcpyDtoH(back, out, sizeof back));
  for (int i = 0; i < 8; i++) REQUIRE(back[i] == 100 + (i + 1) % 4);
  attributes[0].value.clusterDim.x = 3;
  REQUIRE(cuLaunchKernelEx(&config, exchange, given, NULL) == CUDA_ERROR_INVALID_CLUSTER_SIZE);
  puts("right");
  return 0;
}
