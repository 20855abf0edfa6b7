#include "program.h"

int main(int count, char **arguments) {
  CUfunction load = kernel(begin(arguments[1]), "load");
  int values[8][64], back[8][64];
  for (int i = 0; i < 8 * 64; i++) ((int *)values)[i] = i;
  CUdeviceptr x = device_copy(values, sizeof values), out = device_copy(NULL, sizeof back);
  CUtensorMap map;
  cuuint64_t sizes[2] = {64, 8}, strides[1] = {sizeof *values};
  cuuint32_t box[2] = {32, 8}, steps[2] = {1, 1};
  OK(cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_INT32, 2, (void *)x, sizes, strides, box,
                            steps, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                            CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE));
  box[0] = 300;
  CUtensorMap other;
  REQUIRE(cuTensorMapEncodeTiled(&other, CU_TENSOR_MAP_DATA_TYPE_INT32, 2, (void *)x, sizes,
                                 strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
                                 CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                                 CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_ERROR_INVALID_VALUE);
  void *given[] = {&map, &out};
  OK(cuLaunchKernel(load, 2, 1, 1, 32, 1, 1, 0, NULL, given, NULL));
  OK(cuMemcpyDtoH(back, out, sizeof back));
  for (int i = 0; i < 8 * 64; i++) REQUIRE(((int *)back)[i] == 2 * i);
  puts("right");
  return 0;
}
