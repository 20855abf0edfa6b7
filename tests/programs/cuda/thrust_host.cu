// Thrust's vectors and algorithms on the host's side, and a kernel on their memory.
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/sort.h>
#include <thrust/transform_reduce.h>

#include <iostream>

struct square {
  __host__ __device__ float operator()(float x) const { return x * x; }
};

__global__ void shift(float *x, float by, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    x[i] = square()(x[i]) + by;
}

int main() {
  thrust::host_vector<float> host(1000);
  for (size_t i = 0; i < host.size(); i++) host[i] = float(i % 17);
  thrust::device_vector<float> x = host;
  shift<<<4, 128>>>(thrust::raw_pointer_cast(x.data()), 1.0f, (int)x.size());
  thrust::sort(x.begin(), x.end());
  float norm = thrust::transform_reduce(x.begin(), x.end(), square(), 0.0f, thrust::plus<float>());
  std::cout << norm << std::endl;
}
