/* What the programs have in common: a context, a module from the file argv[1], checked calls. */

#pragma once

#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OK(call)                                                                                   \
  do {                                                                                             \
    CUresult status_ = (call);                                                                     \
    const char *name_ = "?";                                                                       \
    if (!status_) break;                                                                           \
    cuGetErrorName(status_, &name_);                                                               \
    fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, name_);                          \
    exit(9);                                                                                       \
  } while (0)
#define REQUIRE(condition)                                                                         \
  do {                                                                                             \
    if (condition) break;                                                                          \
    printf("wrong: %s\n", #condition);                                                             \
    exit(7);                                                                                       \
  } while (0)

static CUmodule begin(const char *image) {
  CUdevice device;
  CUcontext context;
  CUmodule module;
  OK(cuInit(0));
  OK(cuDeviceGet(&device, 0));
  OK(cuDevicePrimaryCtxRetain(&context, device));
  OK(cuCtxSetCurrent(context));
  OK(cuModuleLoad(&module, image));
  return module;
}

static CUfunction kernel(CUmodule module, const char *name) {
  CUfunction function;
  OK(cuModuleGetFunction(&function, module, name));
  return function;
}

static CUdeviceptr device_copy(const void *data, size_t size) {
  CUdeviceptr address;
  OK(cuMemAlloc(&address, size));
  if (data) OK(cuMemcpyHtoD(address, data, size));
  return address;
}
