/* Templates over types and functors, lambdas, classes with members for the GPU. */
#include "samples.h"

template <typename T> class Span {
public:
  Span(T *start, int count) : start_(start), count_(count) {}
  __host__ __device__ int count() const { return count_; }
  __device__ T &operator[](int i) const { return start_[i]; }

private:
  T *start_;
  int count_;
};

template <typename T> struct Axpy {
  T a;
  __device__ T operator()(T x, T y) const { return a * x + y; }
};

template <typename T, typename F> __global__ void apply(Span<T> x, Span<T> y, F f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  // broken: out-of-bounds: if (i <= x.count()) y[i] = f(x[i], y[i]);
  if (i < x.count()) y[i] = f(x[i], y[i]);
}

template <typename T> void check() {
  const int count = 130;
  std::vector<T> x(count), y(count, T(1));
  for (int i = 0; i < count; i++) x[i] = T(i);
  T *to = on_gpu(y);
  apply<<<3, 64>>>(Span<T>(on_gpu(x), count), Span<T>(to, count), Axpy<T>{T(3)});
  CUDA(cudaGetLastError());
  std::vector<T> found = from_gpu(to, count);
  for (int i = 0; i < count; i++) REQUIRE(found[i] == T(3 * i + 1));
}

int main() {
  check<float>();
  check<double>();
  check<int>();
  check<unsigned long long>();
  printf("templates: right\n");
  return 0;
}
