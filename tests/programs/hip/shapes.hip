// Objects that the device makes: new, delete, virtual functions.
#include <cstdio>
#include <hip/hip_runtime.h>

class Shape {
 public:
  __device__ virtual float area() const = 0;
  __device__ virtual ~Shape() {}
};

class Circle : public Shape {
  float r;

 public:
  __device__ explicit Circle(float r) : r(r) {}
  __device__ float area() const override { return 3.14159265f * r * r; }
};

class Square : public Shape {
  float *side;

 public:
  __device__ explicit Square(float s) : side(new float[1]) { *side = s; }
  __device__ ~Square() override { delete[] side; }
  __device__ float area() const override { return *side * *side; }
};

__global__ void create(Shape **shapes, const float *sizes, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (i % 2)
    shapes[i] = new Circle(sizes[i]);
  else
    shapes[i] = new Square(sizes[i]);
}

__global__ void areas(Shape **shapes, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = shapes[i]->area();
}

__global__ void destroy(Shape **shapes, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) delete shapes[i];
}

int main() {
  const int n = 64;
  Shape **shapes;
  float *sizes, *out;
  hipMalloc(&shapes, n * sizeof(Shape *));
  hipMalloc(&sizes, n * sizeof(float));
  hipMallocManaged(&out, n * sizeof(float));
  hipDeviceSetLimit(hipLimitMallocHeapSize, 1 << 24);
  create<<<1, n>>>(shapes, sizes, n);
  areas<<<1, n>>>(shapes, out, n);
  destroy<<<1, n>>>(shapes, n);
  hipDeviceSynchronize();
  printf("%f\n", out[0]);
}
