// mbarriers, tensor copies (TMA), fences and barriers of clusters, as one line of PTX each.
// PTX ISA 9.0: "mbarrier", "cp.async.bulk.tensor", "Async proxy", "barrier.cluster".
// Addresses are 32-bit addresses of shared memory; of the cluster's window where a CTA is named.
#pragma once

#define DEVICE static __device__ __forceinline__

// 128 bytes that the host encodes (cuTensorMapEncodeTiled); the hardware reads it at 64-byte steps.
struct alignas(64) TensorMap {
  unsigned long long words[16];
};

DEVICE unsigned shared_address(const void *pointer) {
  return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

DEVICE void mbarrier_init(unsigned barrier, unsigned arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals) : "memory");
}

// Makes initialized mbarriers known to the other CTAs of the cluster and to the async proxy.
DEVICE void fence_mbarrier_init() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

// Arrives, and lets the phase wait for so many bytes of asynchronous copies.
DEVICE void mbarrier_expect(unsigned barrier, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes)
               : "memory");
}

// Arrives at the mbarrier at the same place in another CTA of the cluster, or in this one.
DEVICE void mbarrier_arrive(unsigned barrier, unsigned cta) {
  asm volatile("{\n"
               ".reg .b32 remote;\n"
               "mapa.shared::cluster.u32 remote, %0, %1;\n"
               "mbarrier.arrive.shared::cluster.b64 _, [remote];\n"
               "}" ::"r"(barrier), "r"(cta) : "memory");
}

// Waits until the phase of this parity is complete.
DEVICE void mbarrier_wait(unsigned barrier, unsigned parity) {
  unsigned done;
  do {
    asm volatile("{\n"
                 ".reg .pred done;\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 done, [%1], %2;\n"
                 "selp.u32 %0, 1, 0, done;\n"
                 "}" : "=r"(done) : "r"(barrier), "r"(parity) : "memory");
  } while (!done);
}

// Copies a box of a matrix, whose first element is (row, column), to shared memory.
DEVICE void tma_load(unsigned to, const TensorMap &map, unsigned column, unsigned row,
                     unsigned barrier) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes"
               " [%0], [%1, {%2, %3}], [%4];"
               ::"r"(to), "l"(&map), "r"(column), "r"(row), "r"(barrier) : "memory");
}

// The same of tensors of three and four dimensions; x is along the innermost one.
DEVICE void tma_load_3d(unsigned to, const TensorMap &map, unsigned x, unsigned y, unsigned z,
                        unsigned barrier) {
  asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes"
               " [%0], [%1, {%2, %3, %4}], [%5];"
               ::"r"(to), "l"(&map), "r"(x), "r"(y), "r"(z), "r"(barrier) : "memory");
}

DEVICE void tma_load_4d(unsigned to, const TensorMap &map, int x, int y, int z, int w,
                        unsigned barrier) {
  asm volatile("cp.async.bulk.tensor.4d.shared::cluster.global.mbarrier::complete_tx::bytes"
               " [%0], [%1, {%2, %3, %4, %5}], [%6];"
               ::"r"(to), "l"(&map), "r"(x), "r"(y), "r"(z), "r"(w), "r"(barrier) : "memory");
}

// Copies a box of a matrix to the same place in every CTA of the mask; each CTA's mbarrier counts
// its own bytes.
DEVICE void tma_load_multicast(unsigned to, const TensorMap &map, unsigned column, unsigned row,
                               unsigned barrier, unsigned short ctas) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes"
               ".multicast::cluster [%0], [%1, {%2, %3}], [%4], %5;"
               ::"r"(to), "l"(&map), "r"(column), "r"(row), "r"(barrier), "h"(ctas) : "memory");
}

DEVICE void tma_load_3d_multicast(unsigned to, const TensorMap &map, unsigned x, unsigned y,
                                  unsigned z, unsigned barrier, unsigned short ctas) {
  asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes"
               ".multicast::cluster [%0], [%1, {%2, %3, %4}], [%5], %6;"
               ::"r"(to), "l"(&map), "r"(x), "r"(y), "r"(z), "r"(barrier), "h"(ctas) : "memory");
}

// Stores a box, and lets the thread wait for it by `tma_store_wait_read`.
DEVICE void tma_store(const TensorMap &map, unsigned column, unsigned row, unsigned from) {
  asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];"
               ::"l"(&map), "r"(column), "r"(row), "r"(from) : "memory");
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

DEVICE void tma_store_3d(const TensorMap &map, unsigned x, unsigned y, unsigned z, unsigned from) {
  asm volatile("cp.async.bulk.tensor.3d.global.shared::cta.bulk_group [%0, {%1, %2, %3}], [%4];"
               ::"l"(&map), "r"(x), "r"(y), "r"(z), "r"(from) : "memory");
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

DEVICE void tma_store_4d(const TensorMap &map, int x, int y, int z, int w, unsigned from) {
  asm volatile("cp.async.bulk.tensor.4d.global.shared::cta.bulk_group"
               " [%0, {%1, %2, %3, %4}], [%5];"
               ::"l"(&map), "r"(x), "r"(y), "r"(z), "r"(w), "r"(from) : "memory");
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

// Copies contiguous bytes, a multiple of 16, to shared memory.
DEVICE void bulk_load(unsigned to, const void *from, unsigned bytes, unsigned barrier) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
               " [%0], [%1], %2, [%3];"
               ::"r"(to), "l"(__cvta_generic_to_global(from)), "r"(bytes), "r"(barrier) : "memory");
}

// Adds contiguous f32 of shared memory to those in memory; each addition is atomic.
DEVICE void bulk_add(float *to, unsigned from, unsigned bytes) {
  asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%0], [%1], %2;"
               ::"l"(__cvta_generic_to_global(to)), "r"(from), "r"(bytes) : "memory");
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

// Waits until all stores and additions of this thread are in memory.
DEVICE void bulk_wait() {
  asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

// Waits until all but the newest `pending` stores of this thread have read shared memory.
template <int pending>
DEVICE void tma_store_wait_read() {
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(pending) : "memory");
}

DEVICE void prefetch_tensor_map(const TensorMap &map) {
  asm volatile("prefetch.tensormap [%0];" ::"l"(&map) : "memory");
}

// Ordinary accesses of shared memory before, asynchronous ones after.
DEVICE void fence_proxy_async() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

DEVICE unsigned cluster_rank() {
  unsigned rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}

DEVICE void cluster_barrier() {
  asm volatile("barrier.cluster.arrive.release;\nbarrier.cluster.wait.acquire;" ::: "memory");
}

template <int registers>
DEVICE void give_registers() {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(registers));
}

template <int registers>
DEVICE void take_registers() {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(registers));
}
