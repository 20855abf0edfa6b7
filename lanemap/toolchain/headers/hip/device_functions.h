/* What a thread knows of its place, how threads of a block and of a wave act together, and integer
 * functions (HIP documentation, "HIP C++ language extensions" and "Warp cross-lane functions"). */
#pragma once
#include <cstdlib>
#include <cstring>

#include <hip/hip_vector_types.h>

/* The hidden arguments of a kernel begin with the grid's blocks (three 32-bit words) and the
 * block's threads (three 16-bit words): LLVM, "User Guide for AMDGPU Backend", Code Object V5
 * Metadata. */
__LANEMAP_DEVICE unsigned __lanemap_blocks(int axis) {
  typedef const __attribute__((address_space(4))) unsigned constant;
  return ((constant*)__builtin_amdgcn_implicitarg_ptr())[axis];
}

#define __LANEMAP_PLACE(name, getx, gety, getz)                                                   \
  struct __lanemap_##name {                                                                       \
    __declspec(property(get = __x)) unsigned x;                                                   \
    __declspec(property(get = __y)) unsigned y;                                                   \
    __declspec(property(get = __z)) unsigned z;                                                   \
    __device__ __attribute__((always_inline, nodebug)) unsigned __x() const { return getx; }    \
    __device__ __attribute__((always_inline, nodebug)) unsigned __y() const { return gety; }    \
    __device__ __attribute__((always_inline, nodebug)) unsigned __z() const { return getz; }    \
    __device__ operator dim3() const { return dim3(getx, gety, getz); }                           \
    __device__ operator uint3() const { return uint3{getx, gety, getz}; }                         \
  };                                                                                              \
  static const __device__ __lanemap_##name name = {};
__LANEMAP_PLACE(threadIdx, __builtin_amdgcn_workitem_id_x(), __builtin_amdgcn_workitem_id_y(),
                __builtin_amdgcn_workitem_id_z())
__LANEMAP_PLACE(blockIdx, __builtin_amdgcn_workgroup_id_x(), __builtin_amdgcn_workgroup_id_y(),
                __builtin_amdgcn_workgroup_id_z())
__LANEMAP_PLACE(blockDim, __builtin_amdgcn_workgroup_size_x(), __builtin_amdgcn_workgroup_size_y(),
                __builtin_amdgcn_workgroup_size_z())
__LANEMAP_PLACE(gridDim, __lanemap_blocks(0), __lanemap_blocks(1), __lanemap_blocks(2))
#undef __LANEMAP_PLACE

#define hipThreadIdx_x threadIdx.x
#define hipThreadIdx_y threadIdx.y
#define hipThreadIdx_z threadIdx.z
#define hipBlockIdx_x blockIdx.x
#define hipBlockIdx_y blockIdx.y
#define hipBlockIdx_z blockIdx.z
#define hipBlockDim_x blockDim.x
#define hipBlockDim_y blockDim.y
#define hipBlockDim_z blockDim.z
#define hipGridDim_x gridDim.x
#define hipGridDim_y gridDim.y
#define hipGridDim_z gridDim.z

/* Lanes of a wave; every gfx9 has 64. */
constexpr int warpSize = 64;

/* What clang makes of a call is records in a buffer (LLVM, AMDGPUEmitPrintf.cpp,
 * -mprintf-kind=buffered). The address of the buffer is the hidden argument at byte 72 (LLVM, "User
 * Guide for AMDGPU Backend", Code Object V5 Metadata). It begins with the bytes that records have
 * taken and those that there are. Sources that print get this function. */
extern "C" __device__ int printf(const char* format, ...);
#ifdef __LANEMAP_PRINTS
extern "C" __device__ void* __printf_alloc(unsigned bytes) {
  typedef __attribute__((address_space(1))) unsigned global;
  typedef global* const __attribute__((address_space(4))) hidden;
  global* buffer = ((hidden*)__builtin_amdgcn_implicitarg_ptr())[9];
  unsigned at = __hip_atomic_fetch_add(buffer, bytes, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  if (at + bytes > buffer[1] || at + bytes < at) return nullptr;
  return (void*)((__attribute__((address_space(1))) char*)(buffer + 2) + at);
}
#endif

/* Objects in global memory. The emulator provides both functions. */
extern "C" __device__ void* malloc(size_t bytes);
extern "C" __device__ void free(void* object);
#define __LANEMAP_NEW __device__ inline __attribute__((always_inline, nodebug)) void*
__LANEMAP_NEW operator new(size_t bytes) { return malloc(bytes); }
__LANEMAP_NEW operator new[](size_t bytes) { return malloc(bytes); }
#undef __LANEMAP_NEW
#define __LANEMAP_DELETE __device__ inline __attribute__((always_inline, nodebug)) void
__LANEMAP_DELETE operator delete(void* object) noexcept { free(object); }
__LANEMAP_DELETE operator delete[](void* object) noexcept { free(object); }
__LANEMAP_DELETE operator delete(void* object, size_t) noexcept { free(object); }
__LANEMAP_DELETE operator delete[](void* object, size_t) noexcept { free(object); }
#undef __LANEMAP_DELETE

/* Fields of bits: `width` bits from `offset` on. */
#define __LANEMAP_FIELDS(type, name, bits)                                                        \
  __LANEMAP_DEVICE type __bitextract_##name(type x, unsigned offset, unsigned width) {          \
    offset &= bits - 1, width &= bits - 1;                                                        \
    return width ? (x << (bits - (offset + width < bits ? offset + width : bits))) >>           \
                       (bits - (offset + width < bits ? width : bits - offset))                   \
                 : 0;                                                                             \
  }                                                                                               \
  __LANEMAP_DEVICE type __bitinsert_##name(type x, type y, unsigned offset, unsigned width) {   \
    offset &= bits - 1, width &= bits - 1;                                                        \
    type mask = ((type)1 << width) - 1;                                                           \
    return (x & ~(mask << offset)) | (y & mask) << offset;                                       \
  }
__LANEMAP_FIELDS(unsigned, u32, 32)
__LANEMAP_FIELDS(unsigned long long, u64, 64)
#undef __LANEMAP_FIELDS

/* Barriers and fences. */
__LANEMAP_DEVICE void __threadfence() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent"); }
__LANEMAP_DEVICE void __threadfence_block() {
  __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup");
}
__LANEMAP_DEVICE void __threadfence_system() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, ""); }
__LANEMAP_DEVICE void __syncthreads() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
__LANEMAP_DEVICE void __syncwarp(unsigned long long = ~0ull) {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
  __builtin_amdgcn_wave_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
}

/* Votes of a wave's active lanes. */
__LANEMAP_DEVICE unsigned __lane_id() {
  return __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0));
}
__LANEMAP_DEVICE unsigned long long __ballot(int predicate) {
  return __builtin_amdgcn_ballot_w64(predicate != 0);
}
__LANEMAP_DEVICE unsigned long long __activemask() { return __ballot(1); }
__LANEMAP_DEVICE int __any(int predicate) { return __ballot(predicate) != 0; }
__LANEMAP_DEVICE int __all(int predicate) { return __ballot(!predicate) == 0; }
__LANEMAP_DEVICE unsigned long long __ballot_sync(unsigned long long mask, int predicate) {
  return __ballot(predicate) & mask;
}
__LANEMAP_DEVICE int __any_sync(unsigned long long mask, int predicate) {
  return __ballot_sync(mask, predicate) != 0;
}
__LANEMAP_DEVICE int __all_sync(unsigned long long mask, int predicate) {
  return __ballot_sync(mask, !predicate) == 0;
}

/* A vote and a sum of a whole block, each thread's predicate counted once. */
__LANEMAP_DEVICE int __syncthreads_count(int predicate) {
  static __shared__ int count;
  __syncthreads();
  if (threadIdx.x + threadIdx.y + threadIdx.z == 0) count = 0;
  __syncthreads();
  if (predicate)
    __hip_atomic_fetch_add(&count, 1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
  __syncthreads();
  return count;
}
__LANEMAP_DEVICE int __syncthreads_or(int predicate) { return __syncthreads_count(predicate) != 0; }
__LANEMAP_DEVICE int __syncthreads_and(int predicate) {
  return __syncthreads_count(!predicate) == 0;
}

/* Values of other lanes: any type of whole 32-bit words, or a smaller one. */
template <class T> __LANEMAP_DEVICE T __lanemap_from_lane(T value, int lane) {
  constexpr int words = (sizeof(T) + 3) / 4;
  int parts[words] = {};
  __builtin_memcpy(parts, &value, sizeof(T));
  for (int i = 0; i < words; i++) parts[i] = __builtin_amdgcn_ds_bpermute(4 * lane, parts[i]);
  __builtin_memcpy(&value, parts, sizeof(T));
  return value;
}
template <class T> __LANEMAP_DEVICE T __shfl(T value, int lane, int width = warpSize) {
  int self = (int)__lane_id();
  return __lanemap_from_lane(value, (lane & (width - 1)) + (self & ~(width - 1)));
}
template <class T> __LANEMAP_DEVICE T __shfl_up(T value, unsigned delta, int width = warpSize) {
  int self = (int)__lane_id(), from = self - (int)delta;
  return __lanemap_from_lane(value, from < (self & ~(width - 1)) ? self : from);
}
template <class T> __LANEMAP_DEVICE T __shfl_down(T value, unsigned delta, int width = warpSize) {
  int self = (int)__lane_id(), within = (self & (width - 1)) + (int)delta;
  return __lanemap_from_lane(value, within >= width ? self : self + (int)delta);
}
template <class T> __LANEMAP_DEVICE T __shfl_xor(T value, int mask, int width = warpSize) {
  int self = (int)__lane_id(), from = self ^ mask;
  return __lanemap_from_lane(value, from >= ((self + width) & ~(width - 1)) ? self : from);
}
template <class T>
__LANEMAP_DEVICE T __shfl_sync(unsigned long long, T value, int lane, int width = warpSize) {
  return __shfl(value, lane, width);
}
template <class T>
__LANEMAP_DEVICE T __shfl_up_sync(unsigned long long, T value, unsigned delta,
                                  int width = warpSize) {
  return __shfl_up(value, delta, width);
}
template <class T>
__LANEMAP_DEVICE T __shfl_down_sync(unsigned long long, T value, unsigned delta,
                                    int width = warpSize) {
  return __shfl_down(value, delta, width);
}
template <class T>
__LANEMAP_DEVICE T __shfl_xor_sync(unsigned long long, T value, int mask, int width = warpSize) {
  return __shfl_xor(value, mask, width);
}

/* Integers and bits. */
__LANEMAP_DEVICE int __popc(unsigned x) { return __builtin_popcount(x); }
__LANEMAP_DEVICE int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
__LANEMAP_DEVICE int __clz(int x) { return x ? __builtin_clz((unsigned)x) : 32; }
__LANEMAP_DEVICE int __clzll(long long x) {
  return x ? __builtin_clzll((unsigned long long)x) : 64;
}
__LANEMAP_DEVICE int __ffs(int x) { return x ? __builtin_ctz((unsigned)x) + 1 : 0; }
__LANEMAP_DEVICE int __ffsll(long long x) {
  return x ? __builtin_ctzll((unsigned long long)x) + 1 : 0;
}
__LANEMAP_DEVICE unsigned __brev(unsigned x) { return __builtin_bitreverse32(x); }
__LANEMAP_DEVICE unsigned long long __brevll(unsigned long long x) {
  return __builtin_bitreverse64(x);
}
__LANEMAP_DEVICE unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
  unsigned long long both = (unsigned long long)y << 32 | x;
  unsigned result = 0;
  for (int i = 0; i < 4; i++)
    result |= (unsigned)(both >> 8 * (selector >> 4 * i & 7) & 0xff) << 8 * i;
  return result;
}
__LANEMAP_DEVICE unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
  return (unsigned)(((unsigned long long)high << 32 | low) << (shift & 31) >> 32);
}
__LANEMAP_DEVICE unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
  return (unsigned)(((unsigned long long)high << 32 | low) >> (shift & 31));
}
__LANEMAP_DEVICE int __mulhi(int x, int y) { return (int)((long long)x * y >> 32); }
__LANEMAP_DEVICE unsigned __umulhi(unsigned x, unsigned y) {
  return (unsigned)((unsigned long long)x * y >> 32);
}
__LANEMAP_DEVICE long long __mul64hi(long long x, long long y) {
  return (long long)((__int128)x * y >> 64);
}
__LANEMAP_DEVICE unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
  return (unsigned long long)((unsigned __int128)x * y >> 64);
}
__LANEMAP_DEVICE int __mul24(int x, int y) { return (x << 8 >> 8) * (y << 8 >> 8); }
__LANEMAP_DEVICE unsigned __umul24(unsigned x, unsigned y) {
  return (x & 0xffffff) * (y & 0xffffff);
}
__LANEMAP_DEVICE unsigned __sad(int x, int y, unsigned z) {
  return z + (x > y ? (unsigned)x - (unsigned)y : (unsigned)y - (unsigned)x);
}
__LANEMAP_DEVICE unsigned __usad(unsigned x, unsigned y, unsigned z) {
  return z + (x > y ? x - y : y - x);
}
__LANEMAP_DEVICE int __hadd(int x, int y) { return (int)(((long long)x + y) >> 1); }
__LANEMAP_DEVICE int __rhadd(int x, int y) { return (int)(((long long)x + y + 1) >> 1); }
__LANEMAP_DEVICE unsigned __uhadd(unsigned x, unsigned y) {
  return (unsigned)(((unsigned long long)x + y) >> 1);
}

/* Clocks, and a stop: a failed assertion stops the wave. */
extern "C" __device__ inline __attribute__((weak)) void __assert_fail(const char*, const char*, int,
                                                                      const char*) {
  __builtin_trap();
}
__LANEMAP_DEVICE long long clock64() { return (long long)__builtin_readcyclecounter(); }
__LANEMAP_DEVICE long clock() { return (long)clock64(); }
__LANEMAP_DEVICE long long wall_clock64() { return (long long)__builtin_readsteadycounter(); }
__LANEMAP_DEVICE void __trap() { __builtin_trap(); }

__LANEMAP_DEVICE void abort() { __builtin_trap(); }

/* Bytes: loops, for nothing is linked; the compiler widens those of known size. */
__LANEMAP_DEVICE void* memcpy(void* to, const void* from, size_t bytes) {
  for (size_t i = 0; i < bytes; i++) ((char*)to)[i] = ((const char*)from)[i];
  return to;
}
__LANEMAP_DEVICE void* memset(void* to, int value, size_t bytes) {
  for (size_t i = 0; i < bytes; i++) ((char*)to)[i] = (char)value;
  return to;
}

template <class T> __LANEMAP_DEVICE T __ldg(const T* address) { return *address; }
