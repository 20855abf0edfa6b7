// Complex numbers as kernels of CuPy name them: complex<float>, complex<double>, thrust::complex.
#pragma once

template <typename T>
struct __align__(2 * sizeof(T)) complex {
  typedef T value_type;

  __host__ __device__ complex(T re = T(), T im = T()) : re_(re), im_(im) {}
  template <typename U>
  __host__ __device__ complex(const complex<U> &z) : re_(T(z.real())), im_(T(z.imag())) {}

  __host__ __device__ T real() const { return re_; }
  __host__ __device__ T imag() const { return im_; }
  __host__ __device__ void real(T re) { re_ = re; }
  __host__ __device__ void imag(T im) { im_ = im; }

  __host__ __device__ complex &operator+=(const complex &z) { return *this = *this + z; }
  __host__ __device__ complex &operator-=(const complex &z) { return *this = *this - z; }
  __host__ __device__ complex &operator*=(const complex &z) { return *this = *this * z; }
  __host__ __device__ complex &operator/=(const complex &z) { return *this = *this / z; }

  // Friends, so that numbers on either side are converted.
  friend __host__ __device__ complex operator+(const complex &a) { return a; }
  friend __host__ __device__ complex operator-(const complex &a) {
    return complex(-a.re_, -a.im_);
  }
  friend __host__ __device__ complex operator+(const complex &a, const complex &b) {
    return complex(a.re_ + b.re_, a.im_ + b.im_);
  }
  friend __host__ __device__ complex operator-(const complex &a, const complex &b) {
    return complex(a.re_ - b.re_, a.im_ - b.im_);
  }
  friend __host__ __device__ complex operator*(const complex &a, const complex &b) {
    return complex(a.re_ * b.re_ - a.im_ * b.im_, a.re_ * b.im_ + a.im_ * b.re_);
  }
  // By Smith's way, which does not overflow where the quotient is in range.
  friend __host__ __device__ complex operator/(const complex &a, const complex &b) {
    if (fabs(b.re_) >= fabs(b.im_)) {
      T ratio = b.im_ / b.re_, under = b.re_ + b.im_ * ratio;
      return complex((a.re_ + a.im_ * ratio) / under, (a.im_ - a.re_ * ratio) / under);
    }
    T ratio = b.re_ / b.im_, under = b.re_ * ratio + b.im_;
    return complex((a.re_ * ratio + a.im_) / under, (a.im_ * ratio - a.re_) / under);
  }
  friend __host__ __device__ bool operator==(const complex &a, const complex &b) {
    return a.re_ == b.re_ && a.im_ == b.im_;
  }
  friend __host__ __device__ bool operator!=(const complex &a, const complex &b) {
    return !(a == b);
  }

 private:
  T re_, im_;
};

template <typename T>
__device__ T real(const complex<T> &z) { return z.real(); }
template <typename T>
__device__ T imag(const complex<T> &z) { return z.imag(); }
template <typename T>
__device__ complex<T> conj(const complex<T> &z) { return complex<T>(z.real(), -z.imag()); }
template <typename T>
__device__ T norm(const complex<T> &z) { return z.real() * z.real() + z.imag() * z.imag(); }
template <typename T>
__device__ T abs(const complex<T> &z) { return hypot(z.real(), z.imag()); }
template <typename T>
__device__ T arg(const complex<T> &z) { return atan2(z.imag(), z.real()); }
template <typename T>
__device__ complex<T> polar(T radius, T angle = T()) {
  return complex<T>(radius * cos(angle), radius * sin(angle));
}
template <typename T>
__device__ complex<T> exp(const complex<T> &z) { return polar(exp(z.real()), z.imag()); }
template <typename T>
__device__ complex<T> log(const complex<T> &z) { return complex<T>(log(abs(z)), arg(z)); }
template <typename T>
__device__ complex<T> sqrt(const complex<T> &z) { return polar(sqrt(abs(z)), arg(z) / T(2)); }
template <typename T>
__device__ complex<T> pow(const complex<T> &z, const complex<T> &w) {
  return z == complex<T>() ? complex<T>() : exp(w * log(z));
}
template <typename T>
__device__ complex<T> pow(const complex<T> &z, T w) { return pow(z, complex<T>(w)); }
template <typename T>
__device__ complex<T> sin(const complex<T> &z) {
  return complex<T>(sin(z.real()) * cosh(z.imag()), cos(z.real()) * sinh(z.imag()));
}
template <typename T>
__device__ complex<T> cos(const complex<T> &z) {
  return complex<T>(cos(z.real()) * cosh(z.imag()), -sin(z.real()) * sinh(z.imag()));
}

namespace thrust {
using ::abs;
using ::arg;
using ::complex;
using ::conj;
using ::norm;
using ::polar;
}  // namespace thrust
