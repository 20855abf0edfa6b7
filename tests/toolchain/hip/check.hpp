// What the sources beside it share, as files that are meant to be run have it.
#pragma once
#include <cstdlib>
#include <iostream>
#include <vector>

#include <hip/hip_runtime.h>

#define CHECK(call)                                                              \
    do                                                                           \
    {                                                                            \
        const hipError_t status = (call);                                        \
        if(status != hipSuccess)                                                 \
        {                                                                        \
            std::cerr << hipGetErrorName(status) << " at line " << __LINE__      \
                      << ": " << hipGetErrorString(status) << std::endl;         \
            std::exit(EXIT_FAILURE);                                             \
        }                                                                        \
    } while(0)

template <class T>
class DeviceVector
{
    T* data_ = nullptr;

public:
    explicit DeviceVector(const std::vector<T>& host)
    {
        CHECK(hipMalloc(&data_, host.size() * sizeof(T)));
        CHECK(hipMemcpy(data_, host.data(), host.size() * sizeof(T), hipMemcpyHostToDevice));
    }
    ~DeviceVector() { (void)hipFree(data_); }
    T* get() { return data_; }
};
