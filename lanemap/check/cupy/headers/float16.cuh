// CuPy's float16: it computes as float does, and is stored as 16 bits.
#pragma once
#include <cuda_fp16.h>

class float16 {
 public:
  __device__ float16() {}
  __device__ float16(float value) : data_(__float2half_rn(value)) {}
  __device__ operator float() const { return __half2float(data_); }
  __device__ float16 &operator+=(float value) { return *this = *this + value; }
  __device__ float16 &operator-=(float value) { return *this = *this - value; }
  __device__ float16 &operator*=(float value) { return *this = *this * value; }
  __device__ float16 &operator/=(float value) { return *this = *this / value; }

 private:
  __half data_;
};
