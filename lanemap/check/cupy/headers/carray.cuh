// Arrays and indices as the kernels of cupy.ElementwiseKernel and cupy.ReductionKernel see them.
// CuPy documents what these offer: [], size(), shape(), strides(), ndim; _ind.size(), _ind.get().
#pragma once

// The layout is what parameters.py packs: address, elements, then shape and strides in bytes.
template <typename T, int dimensions, bool contiguous>
class CArray {
 public:
  static const int ndim = dimensions;

  __device__ ptrdiff_t size() const { return size_; }
  __device__ const ptrdiff_t *shape() const { return shape_; }
  __device__ const ptrdiff_t *strides() const { return strides_; }

  // Element i in C order, whatever the strides are.
  __device__ T &operator[](ptrdiff_t i) const {
    if (contiguous) return data_[i];
    ptrdiff_t offset = 0;
#pragma unroll
    for (int d = dimensions - 1; d > 0; --d) {
      offset += i % shape_[d] * strides_[d];
      i /= shape_[d];
    }
    return at(offset + i * strides_[0]);
  }

  // The element at an index of every dimension.
  template <typename I>
  __device__ T &operator[](const I (&index)[dimensions]) const {
    return (*this)[static_cast<const I *>(index)];
  }
  template <typename I>
  __device__ T &operator[](const I *index) const {
    ptrdiff_t offset = 0;
#pragma unroll
    for (int d = 0; d < dimensions; ++d) offset += index[d] * strides_[d];
    return at(offset);
  }

 private:
  __device__ T &at(ptrdiff_t offset) const {
    return *reinterpret_cast<T *>((unsigned long long)data_ + offset);
  }

  T *data_;
  ptrdiff_t size_;
  ptrdiff_t shape_[dimensions];
  ptrdiff_t strides_[dimensions];
};

// The indices that a loop goes over.
template <int dimensions>
class CIndexer {
 public:
  static const int ndim = dimensions;

  __device__ ptrdiff_t size() const { return size_; }
  __device__ const ptrdiff_t *shape() const { return shape_; }
  __device__ const ptrdiff_t *get() const { return index_; }

  __device__ void set(ptrdiff_t i) {
#pragma unroll
    for (int d = dimensions - 1; d > 0; --d) {
      index_[d] = i % shape_[d];
      i /= shape_[d];
    }
    index_[0] = i;
  }

 private:
  ptrdiff_t size_;
  ptrdiff_t shape_[dimensions];
  ptrdiff_t index_[dimensions];
};
