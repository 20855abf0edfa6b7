// Kernels of the kinds that collections of HIP examples have, with a host side that starts them.
#include "check.hpp"

#include <hip/hip_cooperative_groups.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

#ifndef TILE
#define TILE 8
#endif

__constant__ float mask_weights[9] = {1, 2, 1, 0, 0, 0, -1, -2, -1};
__device__ unsigned int launches = 5;

template <typename T>
__global__ void saxpy(const T a, const T* x, T* y, const unsigned int size)
{
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if(i < size)
        y[i] = a * x[i] + y[i];
}

template <unsigned int BlockSize>
__global__ __launch_bounds__(BlockSize) void multiply(const float* a, const float* b, float* c, int n)
{
    __shared__ float tile_a[BlockSize][BlockSize];
    __shared__ float tile_b[BlockSize][BlockSize];
    const int row = blockIdx.y * BlockSize + threadIdx.y;
    const int column = blockIdx.x * BlockSize + threadIdx.x;
    float sum = 0;
    for(int k = 0; k < n; k += BlockSize)
    {
        tile_a[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x];
        tile_b[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + column];
        __syncthreads();
        for(unsigned int i = 0; i < BlockSize; ++i)
            sum += tile_a[threadIdx.y][i] * tile_b[i][threadIdx.x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}
template __global__ void multiply<TILE>(const float*, const float*, float*, int);

__global__ void histogram(const std::uint8_t* values, unsigned int* bins, int size)
{
    extern __shared__ unsigned int local[];
    for(int bin = threadIdx.x; bin < 256; bin += blockDim.x)
        local[bin] = 0;
    __syncthreads();
    for(int i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += gridDim.x * blockDim.x)
        atomicAdd(&local[values[i]], 1u);
    __syncthreads();
    for(int bin = threadIdx.x; bin < 256; bin += blockDim.x)
        atomicAdd(bins + bin, local[bin]);
}

__global__ void bitonic_step(int* values, unsigned int distance, unsigned int size)
{
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x, other = i ^ distance;
    if(other <= i)
        return;
    const bool ascending = (i & size) == 0;
    if((values[i] > values[other]) == ascending)
    {
        const int kept = values[i];
        values[i] = values[other];
        values[other] = kept;
    }
}

__global__ void floyd_warshall(unsigned int* distance, const unsigned int through)
{
    const unsigned int nodes = blockDim.x * gridDim.x;
    const unsigned int x = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned int y = blockIdx.y * blockDim.y + threadIdx.y;
    const unsigned int by_way = distance[y * nodes + through] + distance[through * nodes + x];
    if(x != through && y != through)
        distance[y * nodes + x] = min(distance[y * nodes + x], by_way);
}

__global__ void prefix_sum(const float* in, float* out, int size)
{
    HIP_DYNAMIC_SHARED(float, block)
    const int i = threadIdx.x;
    block[2 * i] = in[2 * i];
    block[2 * i + 1] = in[2 * i + 1];
    int offset = 1;
    for(int active = size >> 1; active > 0; active >>= 1, offset <<= 1)
    {
        __syncthreads();
        if(i < active)
            block[offset * (2 * i + 2) - 1] += block[offset * (2 * i + 1) - 1];
    }
    if(i == 0)
        block[size - 1] = 0;
    for(int active = 1; active < size; active <<= 1)
    {
        offset >>= 1;
        __syncthreads();
        if(i < active)
        {
            const int a = offset * (2 * i + 1) - 1, b = offset * (2 * i + 2) - 1;
            const float moved = block[a];
            block[a] = block[b];
            block[b] += moved;
        }
    }
    __syncthreads();
    out[2 * i] = block[2 * i];
    out[2 * i + 1] = block[2 * i + 1];
}

template <typename T>
__device__ T sum_of_wave(T value)
{
    for(int delta = warpSize / 2; delta > 0; delta /= 2)
        value += __shfl_down(value, delta);
    return value;
}

__global__ void reduce(const double* in, double* out, int size)
{
    __shared__ double of_wave[16];
    double sum = 0;
    for(int i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += blockDim.x * gridDim.x)
        sum += in[i];
    sum = sum_of_wave(sum);
    const int lane = threadIdx.x % warpSize, wave = threadIdx.x / warpSize;
    if(lane == 0)
        of_wave[wave] = sum;
    __syncthreads();
    if(wave == 0)
    {
        sum = sum_of_wave(lane < (int)blockDim.x / warpSize ? of_wave[lane] : 0.0);
        if(lane == 0)
            atomicAdd(out, sum);
    }
}

__global__ void transpose(const float4* in, float4* out)
{
    float4 row = in[threadIdx.x], column = {};
    for(int i = 0; i < 4; ++i)
    {
        const float4 from = {__shfl(row.x, i, 4), __shfl(row.y, i, 4), __shfl(row.z, i, 4),
                             __shfl(row.w, i, 4)};
        const int c = threadIdx.x % 4;
        (&column.x)[i] = c == 0 ? from.x : c == 1 ? from.y : c == 2 ? from.z : from.w;
    }
    out[threadIdx.x] = 2.f * column;
}

__global__ void softmax(const float* in, float* out, int columns)
{
    namespace cg = cooperative_groups;
    const auto row = cg::tiled_partition<32>(cg::this_thread_block());
    const int at = row.meta_group_rank() * columns;
    float most = -INFINITY, sum = 0;
    for(int i = row.thread_rank(); i < columns; i += row.size())
        most = std::max(most, in[at + i]);
    for(int mask = row.size() / 2; mask > 0; mask /= 2)
        most = fmaxf(most, row.shfl_xor(most, mask));
    for(int i = row.thread_rank(); i < columns; i += row.size())
        sum += expf(in[at + i] - most);
    for(int mask = row.size() / 2; mask > 0; mask /= 2)
        sum += row.shfl_xor(sum, mask);
    for(int i = row.thread_rank(); i < columns; i += row.size())
        out[at + i] = std::exp(in[at + i] - most) / sum;
}

__global__ void convolve(const float* in, float* out, int width, int height)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    for(int i = 0; i < 9; ++i)
    {
        const int from_x = x + i % 3 - 1, from_y = y + i / 3 - 1;
        if(from_x >= 0 && from_x < width && from_y >= 0 && from_y < height)
            sum += mask_weights[i] * in[from_y * width + from_x];
    }
    out[y * width + x] = sum;
    if(x == 0 && y == 0)
        launches += 1;
}

__global__ void votes(const int* in, unsigned long long* ballots, int* counts)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned long long set = __ballot(in[i] & 1);
    if(__lane_id() == 0)
        ballots[i / warpSize] = set;
    const int before = __popcll(set & ((1ull << __lane_id()) - 1));
    counts[i] = before + 100 * (__any(in[i] > 6) ? 1 : 0) + 1000 * __all(in[i] >= 0)
              + 10000 * __clz(in[i]) + 1000000 * __ffs(in[i]);
}

int main()
{
    std::vector<float> x(1000), y(1000, 1.f);
    std::iota(x.begin(), x.end(), 0.f);
    DeviceVector<float> d_x(x), d_y(y);
    saxpy<<<dim3(16), dim3(64), 0, hipStreamDefault>>>(2.f, d_x.get(), d_y.get(), 1000u);
    CHECK(hipGetLastError());
    hipLaunchKernelGGL(saxpy<double>, dim3(1), dim3(64), 0, 0, 2.0, nullptr, nullptr, 0u);
    hipEvent_t start, stop;
    CHECK(hipEventCreate(&start));
    CHECK(hipEventCreate(&stop));
    CHECK(hipEventRecord(start, hipStreamDefault));
    histogram<<<4, 64, 256 * sizeof(unsigned int)>>>(nullptr, nullptr, 0);
    CHECK(hipEventRecord(stop, hipStreamDefault));
    CHECK(hipEventSynchronize(stop));
    float milliseconds = 0;
    CHECK(hipEventElapsedTime(&milliseconds, start, stop));
    CHECK(hipMemcpyToSymbol(HIP_SYMBOL(mask_weights), x.data(), sizeof(float) * 9));
    CHECK(hipDeviceSynchronize());
    std::cout << std::sqrt(x[4]) << ' ' << milliseconds << std::endl;
}
