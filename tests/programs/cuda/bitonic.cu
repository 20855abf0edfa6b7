// Bitonic sort of one block, in the style of the textbooks.
#include <bits/stdc++.h>
using namespace std;

__device__ __forceinline__ void compare(int &a, int &b, bool up) {
  if ((a > b) == up) { int t = a; a = b; b = t; }
}

__global__ void bitonicSort(int *values, int n) {
  extern __shared__ int shared[];
  const unsigned tid = threadIdx.x;
  shared[tid] = values[tid];
  __syncthreads();
  for (unsigned k = 2; k <= n; k *= 2)
    for (unsigned j = k / 2; j > 0; j /= 2) {
      unsigned other = tid ^ j;
      if (other > tid) compare(shared[tid], shared[other], (tid & k) == 0);
      __syncthreads();
    }
  values[tid] = shared[tid];
}

int main() {
  vector<int> host(256);
  generate(host.begin(), host.end(), rand);
  int *d;
  cudaMalloc(&d, host.size() * sizeof(int));
  cudaMemcpy(d, host.data(), host.size() * sizeof(int), cudaMemcpyHostToDevice);
  bitonicSort<<<1, host.size(), sizeof(int) * host.size()>>>(d, host.size());
  cudaMemcpy(host.data(), d, host.size() * sizeof(int), cudaMemcpyDeviceToHost);
  cout << (is_sorted(host.begin(), host.end()) ? "sorted" : "not sorted") << endl;
}
