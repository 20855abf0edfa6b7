// Linked lists in the device's heap: malloc and free in kernels.
#include <hip/hip_runtime.h>

#include <cstdlib>

struct Node {
  int value;
  Node *next;
};

__global__ void build(Node **heads, int length) {
  Node *head = NULL;
  for (int k = 0; k < length; k++) {
    Node *node = (Node *)malloc(sizeof(Node));
    if (node == NULL) return;
    node->value = threadIdx.x * 100 + k;
    node->next = head;
    head = node;
  }
  heads[blockIdx.x * blockDim.x + threadIdx.x] = head;
}

__global__ void sumAndFree(Node **heads, int *sums) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
  for (Node *node = heads[i]; node;) {
    sum += node->value;
    Node *next = node->next;
    free(node);
    node = next;
  }
  sums[i] = sum;
}

int main() {
  Node **heads;
  int *sums;
  hipMalloc(&heads, 64 * sizeof(Node *));
  hipMalloc(&sums, 64 * sizeof(int));
  build<<<2, 32>>>(heads, 5);
  sumAndFree<<<2, 32>>>(heads, sums);
  return hipDeviceSynchronize() == hipSuccess ? EXIT_SUCCESS : EXIT_FAILURE;
}
