// Somme des éléments, par préfixe.
#include <cstdio>
// début
__global__ void somme(const int *x, int *y) {
  int s = 0;
  for (int i = 0; i <= threadIdx.x; ++i) s += x[i];
  y[threadIdx.x] = s;  // écrit
}

int main() { somme<<<1, 32>>>(nullptr, nullptr); puts("terminé"); }
