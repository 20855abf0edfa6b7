// Clusters through inline PTX: addresses of other CTAs' shared memory, the barrier, who is who.
__device__ unsigned shared_address(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

__device__ unsigned mapped(unsigned address, unsigned rank) {
  unsigned result;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(result) : "r"(address), "r"(rank));
  return result;
}

template <typename T> __device__ T *mapped(T *p, unsigned rank) {
  unsigned long long result;
  asm("mapa.u64 %0, %1, %2;" : "=l"(result) : "l"(p), "r"(rank));
  return (T *)result;
}

__device__ unsigned owner(const void *p) {
  unsigned rank;
  asm("getctarank.u64 %0, %1;" : "=r"(rank) : "l"(p));
  return rank;
}

__device__ unsigned remote_load(unsigned address) {
  unsigned value;
  asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(value) : "r"(address) : "memory");
  return value;
}

__device__ void remote_store(unsigned address, unsigned value) {
  asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(address), "r"(value) : "memory");
}

__device__ void remote_add(unsigned address, unsigned value) {
  asm volatile("red.relaxed.cluster.shared::cluster.add.u32 [%0], %1;" ::"r"(address), "r"(value)
               : "memory");
}

__device__ void cluster_sync() {
  asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
}

#define SPECIAL(name)                            \
  __device__ unsigned name() {                   \
    unsigned value;                              \
    asm("mov.u32 %0, %%" #name ";" : "=r"(value)); \
    return value;                                \
  }
#define SPECIALS(name)              \
  __device__ uint3 name() {         \
    uint3 value;                    \
    asm("mov.u32 %0, %%" #name ".x;" : "=r"(value.x)); \
    asm("mov.u32 %0, %%" #name ".y;" : "=r"(value.y)); \
    asm("mov.u32 %0, %%" #name ".z;" : "=r"(value.z)); \
    return value;                   \
  }
SPECIAL(cluster_ctarank)
SPECIAL(cluster_nctarank)
SPECIALS(cluster_ctaid)
SPECIALS(cluster_nctaid)
SPECIALS(clusterid)
SPECIALS(nclusterid)
