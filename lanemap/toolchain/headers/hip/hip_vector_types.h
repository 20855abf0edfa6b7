/* dim3 and the vectors of one to four components, with make_ functions and arithmetic by
 * component. */
#pragma once
#include <hip/host_defines.h>

/* glibc's sys/types.h has these names, and sources for ROCm rely on them. */
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;

struct dim3 {
  unsigned x, y, z;
  constexpr __host__ __device__ dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1)
      : x(x), y(y), z(z) {}
};

template <class T, int N> struct HIP_vector_type;
template <class T> struct HIP_vector_type<T, 1> { T x; typedef T value_type; };
template <class T> struct alignas(2 * sizeof(T)) HIP_vector_type<T, 2> {
  T x, y;
  typedef T value_type;
};
template <class T> struct HIP_vector_type<T, 3> { T x, y, z; typedef T value_type; };
template <class T> struct alignas(4 * sizeof(T)) HIP_vector_type<T, 4> {
  T x, y, z, w;
  typedef T value_type;
};

#define __LANEMAP_VECTORS(type, name)                                                             \
  typedef HIP_vector_type<type, 1> name##1;                                                       \
  typedef HIP_vector_type<type, 2> name##2;                                                       \
  typedef HIP_vector_type<type, 3> name##3;                                                       \
  typedef HIP_vector_type<type, 4> name##4;                                                       \
  __LANEMAP_BOTH name##1 make_##name##1(type x) { return {x}; }                                   \
  __LANEMAP_BOTH name##2 make_##name##2(type x, type y) { return {x, y}; }                        \
  __LANEMAP_BOTH name##3 make_##name##3(type x, type y, type z) { return {x, y, z}; }             \
  __LANEMAP_BOTH name##4 make_##name##4(type x, type y, type z, type w) { return {x, y, z, w}; }
__LANEMAP_VECTORS(char, char)
__LANEMAP_VECTORS(unsigned char, uchar)
__LANEMAP_VECTORS(short, short)
__LANEMAP_VECTORS(unsigned short, ushort)
__LANEMAP_VECTORS(int, int)
__LANEMAP_VECTORS(unsigned, uint)
__LANEMAP_VECTORS(long, long)
__LANEMAP_VECTORS(unsigned long, ulong)
__LANEMAP_VECTORS(long long, longlong)
__LANEMAP_VECTORS(unsigned long long, ulonglong)
__LANEMAP_VECTORS(float, float)
__LANEMAP_VECTORS(double, double)
#undef __LANEMAP_VECTORS

/* Component by component; a scalar stands for a vector of that value. */
#define __LANEMAP_OPERATOR(op)                                                                    \
  template <class T>                                                                              \
  __LANEMAP_BOTH HIP_vector_type<T, 1> operator op(HIP_vector_type<T, 1> a,                       \
                                                   HIP_vector_type<T, 1> b) {                     \
    return {T(a.x op b.x)};                                                                       \
  }                                                                                               \
  template <class T>                                                                              \
  __LANEMAP_BOTH HIP_vector_type<T, 2> operator op(HIP_vector_type<T, 2> a,                       \
                                                   HIP_vector_type<T, 2> b) {                     \
    return {T(a.x op b.x), T(a.y op b.y)};                                                        \
  }                                                                                               \
  template <class T>                                                                              \
  __LANEMAP_BOTH HIP_vector_type<T, 3> operator op(HIP_vector_type<T, 3> a,                       \
                                                   HIP_vector_type<T, 3> b) {                     \
    return {T(a.x op b.x), T(a.y op b.y), T(a.z op b.z)};                                         \
  }                                                                                               \
  template <class T>                                                                              \
  __LANEMAP_BOTH HIP_vector_type<T, 4> operator op(HIP_vector_type<T, 4> a,                       \
                                                   HIP_vector_type<T, 4> b) {                     \
    return {T(a.x op b.x), T(a.y op b.y), T(a.z op b.z), T(a.w op b.w)};                          \
  }                                                                                               \
  template <class T, int N>                                                                       \
  __LANEMAP_BOTH HIP_vector_type<T, N> operator op(                                               \
      HIP_vector_type<T, N> a, typename HIP_vector_type<T, N>::value_type b) {                    \
    return a op __lanemap_splat<T, N>(b);                                                         \
  }                                                                                               \
  template <class T, int N>                                                                       \
  __LANEMAP_BOTH HIP_vector_type<T, N> operator op(                                               \
      typename HIP_vector_type<T, N>::value_type a, HIP_vector_type<T, N> b) {                    \
    return __lanemap_splat<T, N>(a) op b;                                                         \
  }                                                                                               \
  template <class T, int N, class B>                                                              \
  __LANEMAP_BOTH HIP_vector_type<T, N>& operator op##=(HIP_vector_type<T, N>& a, B b) {           \
    return a = a op b;                                                                            \
  }
template <class T, int N> __LANEMAP_BOTH HIP_vector_type<T, N> __lanemap_splat(T value) {
  if constexpr (N == 1) return {value};
  else if constexpr (N == 2) return {value, value};
  else if constexpr (N == 3) return {value, value, value};
  else return {value, value, value, value};
}
__LANEMAP_OPERATOR(+)
__LANEMAP_OPERATOR(-)
__LANEMAP_OPERATOR(*)
__LANEMAP_OPERATOR(/)
#undef __LANEMAP_OPERATOR

template <class T, int N>
__LANEMAP_BOTH HIP_vector_type<T, N> operator-(HIP_vector_type<T, N> a) {
  return __lanemap_splat<T, N>(T(0)) - a;
}
template <class T, int N>
__LANEMAP_BOTH bool operator==(HIP_vector_type<T, N> a, HIP_vector_type<T, N> b) {
  bool same = a.x == b.x;
  if constexpr (N > 1) same = same && a.y == b.y;
  if constexpr (N > 2) same = same && a.z == b.z;
  if constexpr (N > 3) same = same && a.w == b.w;
  return same;
}
template <class T, int N>
__LANEMAP_BOTH bool operator!=(HIP_vector_type<T, N> a, HIP_vector_type<T, N> b) {
  return !(a == b);
}
