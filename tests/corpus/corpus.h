/* One source, three machines: the host (C), gfx950 (C, clang), PTX (C++, NVRTC).
 *
 *   CASE(name, IN, OUT, NI, NO) { .. }
 *       one element: the body sees `in` (NI values), `out` (NO values) and its number `item`.
 *   GROUP(name, IN, OUT, NI, NO) { .. }
 *       one group of LANES elements that share memory: the body sees the group's `in`
 *       (LANES * NI), `out` (LANES * NO), the group's number `item`, and works in phases,
 *       EACH(t) { .. }, each of which runs for every lane t before the next begins.
 *
 * The language is what C11 and C++17 have in common. Behaviour must be defined: arithmetic that
 * may wrap is unsigned, shifts are masked, conversions are in range.
 */
#define LANES 64

typedef signed char i8;
typedef unsigned char u8;
typedef short i16;
typedef unsigned short u16;
typedef int i32;
typedef unsigned int u32;
typedef long long i64;
typedef unsigned long long u64;
typedef float f32;
typedef double f64;
/* The same types under names that tell the harness what to feed them. */
typedef i32 small;  /* -100 to 100 */
typedef f32 tame;   /* finite, 2^-20 to 2^20 in magnitude, or zero */
typedef f64 dtame;  /* the same, in f64 */
typedef u8 text;    /* lower-case letters, digits, blanks */

#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
#define BODY static __device__ __forceinline__
#define HELPER static __device__ __noinline__
#define TABLE static __device__ const
#define SHARED(type, name, count) __shared__ type name[count]
#define KERNEL(name) extern "C" __global__ void __launch_bounds__(LANES) name
#define LANE ((i32)threadIdx.x)
#define BLOCK ((i32)blockIdx.x)
#define BARRIER() __syncthreads()
#define ATOMIC_ADD(p, v) atomicAdd((p), (v))
#define ATOMIC_MAX(p, v) atomicMax((p), (v))
#define ATOMIC_MIN(p, v) atomicMin((p), (v))
#define ATOMIC_OR(p, v) atomicOr((p), (v))
#define ATOMIC_AND(p, v) atomicAnd((p), (v))
#define ATOMIC_XOR(p, v) atomicXor((p), (v))
#define ATOMIC_CAS(p, old, v) atomicCAS((p), (old), (v))
#define ATOMIC_SWAP(p, v) atomicExch((p), (v))
#define FMAF(a, b, c) __fmaf_rn((a), (b), (c))
#define FMA(a, b, c) __fma_rn((a), (b), (c))
#define SQRTF(x) __fsqrt_rn(x)
#define SQRT(x) __dsqrt_rn(x)
#define FLOORF(x) floorf(x)
#define CEILF(x) ceilf(x)
#define TRUNCF(x) truncf(x)
#define RINTF(x) rintf(x)
#define FLOOR(x) floor(x)
#define CEIL(x) ceil(x)
#define TRUNC(x) trunc(x)
#define RINT(x) rint(x)
#define POPCOUNT(x) ((i32)__popc(x))
#define POPCOUNT64(x) ((i32)__popcll(x))
#define CLZ(x) ((i32)__clz((int)(x)))
#define CTZ(x) ((i32)__ffs((int)(x)) - 1)
#define F32_BITS(x) __float_as_uint(x)
#define BITS_F32(x) __uint_as_float(x)
#define F64_BITS(x) ((u64)__double_as_longlong(x))
#define BITS_F64(x) __longlong_as_double((i64)(x))
#else
#define BODY static inline __attribute__((always_inline))
#define HELPER static __attribute__((noinline))
#define FMAF(a, b, c) __builtin_fmaf((a), (b), (c))
#define FMA(a, b, c) __builtin_fma((a), (b), (c))
#define SQRTF(x) __builtin_sqrtf(x)
#define SQRT(x) __builtin_sqrt(x)
#define FLOORF(x) __builtin_floorf(x)
#define CEILF(x) __builtin_ceilf(x)
#define TRUNCF(x) __builtin_truncf(x)
#define RINTF(x) __builtin_rintf(x)
#define FLOOR(x) __builtin_floor(x)
#define CEIL(x) __builtin_ceil(x)
#define TRUNC(x) __builtin_trunc(x)
#define RINT(x) __builtin_rint(x)
#define POPCOUNT(x) __builtin_popcount(x)
#define POPCOUNT64(x) __builtin_popcountll(x)
#define CLZ(x) __builtin_clz(x)
#define CTZ(x) __builtin_ctz(x)
BODY u32 F32_BITS(f32 x) { u32 b; __builtin_memcpy(&b, &x, 4); return b; }
BODY f32 BITS_F32(u32 b) { f32 x; __builtin_memcpy(&x, &b, 4); return x; }
BODY u64 F64_BITS(f64 x) { u64 b; __builtin_memcpy(&b, &x, 8); return b; }
BODY f64 BITS_F64(u64 b) { f64 x; __builtin_memcpy(&x, &b, 8); return x; }
#define TABLE static const
#endif

#if defined(__AMDGCN__)
#define LDS __attribute__((address_space(3)))
#define SHARED(type, name, count) \
    static LDS __attribute__((loader_uninitialized)) type name[count]
/* Room for several waves, or clang would drop the barriers of a group that is one wave. */
#define KERNEL(name) \
    __attribute__((amdgpu_kernel, amdgpu_flat_work_group_size(LANES, 4 * LANES))) void name
#define LANE ((i32)__builtin_amdgcn_workitem_id_x())
#define BLOCK ((i32)__builtin_amdgcn_workgroup_id_x())
BODY void group_barrier(void) {
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
#define BARRIER() group_barrier()
#define SCOPED(op, p, v) \
    __scoped_atomic_fetch_##op((p), (v), __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP)
#define ATOMIC_ADD(p, v) SCOPED(add, p, v)
#define ATOMIC_MAX(p, v) SCOPED(max, p, v)
#define ATOMIC_MIN(p, v) SCOPED(min, p, v)
#define ATOMIC_OR(p, v) SCOPED(or, p, v)
#define ATOMIC_AND(p, v) SCOPED(and, p, v)
#define ATOMIC_XOR(p, v) SCOPED(xor, p, v)
#define ATOMIC_SWAP(p, v) \
    __scoped_atomic_exchange_n((p), (v), __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP)
BODY u32 lanemap_cas(LDS u32 *p, u32 old, u32 v) {
    __scoped_atomic_compare_exchange_n(
        p, &old, v, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP);
    return old;
}
#define ATOMIC_CAS(p, old, v) lanemap_cas((p), (old), (v))
#elif !defined(BARRIER)
#define HOST 1
#define SHARED(type, name, count) type name[count]
#define KERNEL(name) __attribute__((visibility("default"))) void name
BODY u32 host_add(u32 *p, u32 v) { u32 old = *p; *p += v; return old; }
BODY u32 host_swap(u32 *p, u32 v) { u32 old = *p; *p = v; return old; }
#define ATOMIC_ADD(p, v) host_add((p), (v))
#define ATOMIC_MAX(p, v) (*(p) = *(p) > (v) ? *(p) : (v))
#define ATOMIC_MIN(p, v) (*(p) = *(p) < (v) ? *(p) : (v))
#define ATOMIC_OR(p, v) (*(p) |= (v))
#define ATOMIC_AND(p, v) (*(p) &= (v))
#define ATOMIC_XOR(p, v) (*(p) ^= (v))
#define ATOMIC_SWAP(p, v) host_swap((p), (v))
#define ATOMIC_CAS(p, old, v) host_swap((p), *(p) == (old) ? (v) : *(p))
#endif

#ifdef HOST
#define EACH(t) for (i32 t = 0; t < LANES; t++)
#define RUN_CASE(name, NI, NO) \
    for (i32 item = 0; item < n; item++) name##_body(in + item * (NI), out + item * (NO), item);
#define RUN_GROUP(name, NI, NO) \
    for (i32 item = 0; item < n / LANES; item++) \
        name##_body(in + item * LANES * (NI), out + item * LANES * (NO), item);
#else
/* A phase is over when all lanes have come to its end. */
#define EACH(t) for (i32 t = LANE, again_ = 1; again_; again_ = 0, BARRIER())
#define RUN_CASE(name, NI, NO) \
    i32 item = BLOCK * LANES + LANE; \
    if (item < n) name##_body(in + item * (NI), out + item * (NO), item);
#define RUN_GROUP(name, NI, NO) \
    if (BLOCK * LANES < n) \
        name##_body(in + BLOCK * LANES * (NI), out + BLOCK * LANES * (NO), BLOCK);
#endif

#define DEFINE_(run, name, IN, OUT, NI, NO) \
    BODY void name##_body(const IN *in, OUT *out, i32 item); \
    KERNEL(name)(const IN *in, OUT *out, i32 n) { run(name, NI, NO) } \
    BODY void name##_body(const IN *in, OUT *out, i32 item)
#define CASE(name, IN, OUT, NI, NO) DEFINE_(RUN_CASE, name, IN, OUT, NI, NO)
#define GROUP(name, IN, OUT, NI, NO) DEFINE_(RUN_GROUP, name, IN, OUT, NI, NO)
