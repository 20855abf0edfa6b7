/* Textures and surfaces, declared: the host's side compiles, and a kernel that reads one is refused
 * by name, since the emulator has no textures. Signatures as in HIP's documentation, "HIP runtime
 * API reference", Texture management. */
#pragma once
#include <hip/hip_api_types.h>
#include <hip/host_defines.h>
#include <hip/hip_vector_types.h>

typedef struct __hip_texture* hipTextureObject_t;
typedef struct __hip_surface* hipSurfaceObject_t;
typedef struct hipArray* hipArray_t;
typedef const struct hipArray* hipArray_const_t;
enum hipChannelFormatKind {
  hipChannelFormatKindSigned, hipChannelFormatKindUnsigned, hipChannelFormatKindFloat,
  hipChannelFormatKindNone
};
struct hipChannelFormatDesc { int x, y, z, w; hipChannelFormatKind f; };
enum hipTextureReadMode { hipReadModeElementType, hipReadModeNormalizedFloat };
enum hipTextureFilterMode { hipFilterModePoint, hipFilterModeLinear };
enum hipTextureAddressMode {
  hipAddressModeWrap, hipAddressModeClamp, hipAddressModeMirror, hipAddressModeBorder
};
enum hipResourceType {
  hipResourceTypeArray, hipResourceTypeMipmappedArray, hipResourceTypeLinear, hipResourceTypePitch2D
};
struct hipResourceDesc {
  hipResourceType resType;
  union {
    struct { hipArray_t array; } array;
    struct { void* devPtr; hipChannelFormatDesc desc; size_t sizeInBytes; } linear;
    struct {
      void* devPtr;
      hipChannelFormatDesc desc;
      size_t width, height, pitchInBytes;
    } pitch2D;
  } res;
};
struct hipResourceViewDesc { int format; size_t width, height, depth; };
struct hipTextureDesc {
  hipTextureAddressMode addressMode[3];
  hipTextureFilterMode filterMode;
  hipTextureReadMode readMode;
  int sRGB;
  float borderColor[4];
  int normalizedCoords;
  unsigned maxAnisotropy;
  hipTextureFilterMode mipmapFilterMode;
  float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
};

#pragma push_macro("CALL")
#define CALL(name, ...) extern "C" __host__ hipError_t name(__VA_ARGS__);
CALL(hipCreateTextureObject, hipTextureObject_t* texture, const hipResourceDesc* resource,
     const hipTextureDesc* description, const hipResourceViewDesc* view)
CALL(hipDestroyTextureObject, hipTextureObject_t texture)
CALL(hipCreateSurfaceObject, hipSurfaceObject_t* surface, const hipResourceDesc* resource)
CALL(hipDestroySurfaceObject, hipSurfaceObject_t surface)
CALL(hipMallocArray, hipArray_t* array, const hipChannelFormatDesc* format, size_t width,
     size_t height = 0, unsigned flags = 0)
CALL(hipFreeArray, hipArray_t array)
CALL(hipMemcpyToArray, hipArray_t to, size_t x, size_t y, const void* from, size_t bytes,
     hipMemcpyKind kind)
CALL(hipMemcpy2DToArray, hipArray_t to, size_t x, size_t y, const void* from, size_t pitch,
     size_t width, size_t height, hipMemcpyKind kind)
CALL(hipMemcpy2DFromArray, void* to, size_t pitch, hipArray_const_t from, size_t x, size_t y,
     size_t width, size_t height, hipMemcpyKind kind)
#pragma pop_macro("CALL")
__host__ hipChannelFormatDesc hipCreateChannelDesc(int x, int y, int z, int w,
                                                   hipChannelFormatKind kind);
template <class T> __host__ hipChannelFormatDesc hipCreateChannelDesc();

template <class T> __device__ T tex1D(hipTextureObject_t texture, float x);
template <class T> __device__ T tex1Dfetch(hipTextureObject_t texture, int x);
template <class T> __device__ T tex2D(hipTextureObject_t texture, float x, float y);
template <class T> __device__ T tex2DLod(hipTextureObject_t texture, float x, float y, float level);
template <class T> __device__ T tex2DLayered(hipTextureObject_t texture, float x, float y, int layer);
template <class T> __device__ T tex3D(hipTextureObject_t texture, float x, float y, float z);
template <class T> __device__ void surf2Dread(T* value, hipSurfaceObject_t surface, int x, int y);
template <class T> __device__ void surf2Dwrite(T value, hipSurfaceObject_t surface, int x, int y);
