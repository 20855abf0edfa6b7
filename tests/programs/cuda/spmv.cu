// Sparse matrix times vector, a warp for each row, in a namespace and a class template.
#include <cuda_runtime.h>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace sparse {

template <typename Index, typename Value>
struct Csr {
  const Index *rows, *columns;
  const Value *values;
};

template <typename Index, typename Value>
__global__ void __launch_bounds__(128, 4) spmv(Csr<Index, Value> m, const Value *__restrict__ x,
                                               Value *__restrict__ y, Index n) {
  const Index row = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
  const int lane = threadIdx.x & 31;
  if (row >= n) return;
  Value sum = 0;
  for (Index i = m.rows[row] + lane; i < m.rows[row + 1]; i += 32)
    sum += m.values[i] * __ldg(&x[m.columns[i]]);
  for (int d = 16; d; d >>= 1) sum += __shfl_down_sync(~0u, sum, d);
  if (lane == 0) y[row] = sum;
}

}  // namespace sparse

using Row = std::tuple<int, double>;

int main() {
  std::map<std::string, std::vector<Row>> matrices;
  sparse::Csr<int, double> m{};
  sparse::Csr<long long, float> l{};
  sparse::spmv<<<4, 128>>>(m, (double *)nullptr, (double *)nullptr, 10);
  sparse::spmv<<<4, 128>>>(l, (float *)nullptr, (float *)nullptr, 10ll);
  return int(matrices.size());
}
