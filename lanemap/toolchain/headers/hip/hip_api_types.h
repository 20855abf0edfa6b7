/* The types and constants of HIP's host API; names and numbers are HIP's. */
#pragma once
#include <stddef.h>

typedef enum hipError_t {
  hipSuccess = 0, hipErrorInvalidValue = 1, hipErrorOutOfMemory = 2, hipErrorNotInitialized = 3,
  hipErrorDeinitialized = 4, hipErrorProfilerDisabled = 5, hipErrorProfilerNotInitialized = 6,
  hipErrorProfilerAlreadyStarted = 7, hipErrorProfilerAlreadyStopped = 8,
  hipErrorInvalidConfiguration = 9, hipErrorInvalidPitchValue = 12, hipErrorInvalidSymbol = 13,
  hipErrorInvalidDevicePointer = 17, hipErrorInvalidMemcpyDirection = 21,
  hipErrorInsufficientDriver = 35, hipErrorMissingConfiguration = 52, hipErrorPriorLaunchFailure =
  53, hipErrorInvalidDeviceFunction = 98, hipErrorNoDevice = 100, hipErrorInvalidDevice = 101,
  hipErrorInvalidImage = 200, hipErrorInvalidContext = 201, hipErrorContextAlreadyCurrent = 202,
  hipErrorMapFailed = 205, hipErrorUnmapFailed = 206, hipErrorArrayIsMapped = 207,
  hipErrorAlreadyMapped = 208, hipErrorNoBinaryForGpu = 209, hipErrorAlreadyAcquired = 210,
  hipErrorNotMapped = 211, hipErrorNotMappedAsArray = 212, hipErrorNotMappedAsPointer = 213,
  hipErrorECCNotCorrectable = 214, hipErrorUnsupportedLimit = 215, hipErrorContextAlreadyInUse =
  216, hipErrorPeerAccessUnsupported = 217, hipErrorInvalidKernelFile = 218,
  hipErrorInvalidGraphicsContext = 219, hipErrorInvalidSource = 300, hipErrorFileNotFound = 301,
  hipErrorSharedObjectSymbolNotFound = 302, hipErrorSharedObjectInitFailed = 303,
  hipErrorOperatingSystem = 304, hipErrorInvalidHandle = 400, hipErrorIllegalState = 401,
  hipErrorNotFound = 500, hipErrorNotReady = 600, hipErrorIllegalAddress = 700,
  hipErrorLaunchOutOfResources = 701, hipErrorLaunchTimeOut = 702,
  hipErrorPeerAccessAlreadyEnabled = 704, hipErrorPeerAccessNotEnabled = 705,
  hipErrorSetOnActiveProcess = 708, hipErrorContextIsDestroyed = 709, hipErrorAssert = 710,
  hipErrorHostMemoryAlreadyRegistered = 712, hipErrorHostMemoryNotRegistered = 713,
  hipErrorLaunchFailure = 719, hipErrorCooperativeLaunchTooLarge = 720, hipErrorNotSupported =
  801, hipErrorStreamCaptureUnsupported = 900, hipErrorStreamCaptureInvalidated = 901,
  hipErrorStreamCaptureMerge = 902, hipErrorStreamCaptureUnmatched = 903,
  hipErrorStreamCaptureUnjoined = 904, hipErrorStreamCaptureIsolation = 905,
  hipErrorStreamCaptureImplicit = 906, hipErrorCapturedEvent = 907,
  hipErrorStreamCaptureWrongThread = 908, hipErrorGraphExecUpdateFailure = 910,
  hipErrorInvalidChannelDescriptor = 911, hipErrorInvalidTexture = 912,
  hipErrorInvalidResourceType = 914, hipErrorInvalidResourceConfiguration = 915,
  hipErrorStreamDetached = 916, hipErrorUnknown = 999, hipErrorRuntimeMemory = 1052,
  hipErrorRuntimeOther = 1053, hipErrorInvalidClusterSize = 1054, hipErrorTbd = 1055,
  hipErrorMemoryAllocation = 2, hipErrorInitializationError = 3
} hipError_t;

typedef enum hipMemcpyKind {
  hipMemcpyHostToHost = 0,
  hipMemcpyHostToDevice = 1,
  hipMemcpyDeviceToHost = 2,
  hipMemcpyDeviceToDevice = 3,
  hipMemcpyDefault = 4,
  hipMemcpyDeviceToDeviceNoCU = 1024
} hipMemcpyKind;

/* Not with ROCm's numbers: the host's side, which alone would need them, is not compiled. */
typedef enum hipDeviceAttribute_t {
  hipDeviceAttributeAccessPolicyMaxWindowSize, hipDeviceAttributeAsicRevision,
  hipDeviceAttributeAsyncEngineCount, hipDeviceAttributeCanMapHostMemory,
  hipDeviceAttributeCanUseHostPointerForRegisteredMem, hipDeviceAttributeCanUseStreamWaitValue,
  hipDeviceAttributeClockRate, hipDeviceAttributeComputeCapabilityMajor,
  hipDeviceAttributeComputeCapabilityMinor, hipDeviceAttributeComputeMode,
  hipDeviceAttributeComputePreemptionSupported, hipDeviceAttributeConcurrentKernels,
  hipDeviceAttributeConcurrentManagedAccess, hipDeviceAttributeCooperativeLaunch,
  hipDeviceAttributeCooperativeMultiDeviceLaunch,
  hipDeviceAttributeCooperativeMultiDeviceUnmatchedBlockDim,
  hipDeviceAttributeCooperativeMultiDeviceUnmatchedFunc,
  hipDeviceAttributeCooperativeMultiDeviceUnmatchedGridDim,
  hipDeviceAttributeCooperativeMultiDeviceUnmatchedSharedMem, hipDeviceAttributeDeviceOverlap,
  hipDeviceAttributeDirectManagedMemAccessFromHost, hipDeviceAttributeDmaBufSupported,
  hipDeviceAttributeExpertSchedMode, hipDeviceAttributeFineGrainSupport,
  hipDeviceAttributeGPUDirectRDMAWithHipVMMSupported, hipDeviceAttributeGlobalL1CacheSupported,
  hipDeviceAttributeHandleTypeFabricSupported, hipDeviceAttributeHdpMemFlushCntl,
  hipDeviceAttributeHdpRegFlushCntl, hipDeviceAttributeHostNativeAtomicSupported,
  hipDeviceAttributeHostNumaId, hipDeviceAttributeHostRegisterSupported,
  hipDeviceAttributeImageSupport, hipDeviceAttributeIntegrated, hipDeviceAttributeIsLargeBar,
  hipDeviceAttributeIsMultiGpuBoard, hipDeviceAttributeKernelExecTimeout,
  hipDeviceAttributeL2CacheSize, hipDeviceAttributeLocalL1CacheSupported, hipDeviceAttributeLuid,
  hipDeviceAttributeLuidDeviceNodeMask, hipDeviceAttributeManagedMemory,
  hipDeviceAttributeMaxAvailableVgprsPerThread, hipDeviceAttributeMaxBlockDimX,
  hipDeviceAttributeMaxBlockDimY, hipDeviceAttributeMaxBlockDimZ,
  hipDeviceAttributeMaxBlocksPerMultiProcessor, hipDeviceAttributeMaxDynDataPrefetchRegions,
  hipDeviceAttributeMaxGridDimX, hipDeviceAttributeMaxGridDimY, hipDeviceAttributeMaxGridDimZ,
  hipDeviceAttributeMaxPitch, hipDeviceAttributeMaxRegistersPerBlock,
  hipDeviceAttributeMaxRegistersPerMultiprocessor, hipDeviceAttributeMaxSharedMemoryPerBlock,
  hipDeviceAttributeMaxSharedMemoryPerMultiprocessor, hipDeviceAttributeMaxSurface1D,
  hipDeviceAttributeMaxSurface1DLayered, hipDeviceAttributeMaxSurface2D,
  hipDeviceAttributeMaxSurface2DLayered, hipDeviceAttributeMaxSurface3D,
  hipDeviceAttributeMaxSurfaceCubemap, hipDeviceAttributeMaxSurfaceCubemapLayered,
  hipDeviceAttributeMaxTexture1DLayered, hipDeviceAttributeMaxTexture1DLinear,
  hipDeviceAttributeMaxTexture1DMipmap, hipDeviceAttributeMaxTexture1DWidth,
  hipDeviceAttributeMaxTexture2DGather, hipDeviceAttributeMaxTexture2DHeight,
  hipDeviceAttributeMaxTexture2DLayered, hipDeviceAttributeMaxTexture2DLinear,
  hipDeviceAttributeMaxTexture2DMipmap, hipDeviceAttributeMaxTexture2DWidth,
  hipDeviceAttributeMaxTexture3DAlt, hipDeviceAttributeMaxTexture3DDepth,
  hipDeviceAttributeMaxTexture3DHeight, hipDeviceAttributeMaxTexture3DWidth,
  hipDeviceAttributeMaxTextureCubemap, hipDeviceAttributeMaxTextureCubemapLayered,
  hipDeviceAttributeMaxThreadsDim, hipDeviceAttributeMaxThreadsPerBlock,
  hipDeviceAttributeMaxThreadsPerMultiProcessor, hipDeviceAttributeMemoryBusWidth,
  hipDeviceAttributeMemoryClockRate, hipDeviceAttributeMemoryPoolSupportedHandleTypes,
  hipDeviceAttributeMemoryPoolsSupported, hipDeviceAttributeMultiGpuBoardGroupID,
  hipDeviceAttributeMultiprocessorCount, hipDeviceAttributeNumberOfXccs,
  hipDeviceAttributePageableMemoryAccess,
  hipDeviceAttributePageableMemoryAccessUsesHostPageTables, hipDeviceAttributePciBusId,
  hipDeviceAttributePciChipId, hipDeviceAttributePciDeviceId, hipDeviceAttributePciDomainId,
  hipDeviceAttributePersistingL2CacheMaxSize, hipDeviceAttributePhysicalMultiProcessorCount,
  hipDeviceAttributeReservedSharedMemPerBlock, hipDeviceAttributeSharedMemPerBlockOptin,
  hipDeviceAttributeSharedMemPerMultiprocessor,
  hipDeviceAttributeSingleToDoublePrecisionPerfRatio, hipDeviceAttributeStreamPrioritiesSupported,
  hipDeviceAttributeSurfaceAlignment, hipDeviceAttributeTccDriver,
  hipDeviceAttributeTextureAlignment, hipDeviceAttributeTexturePitchAlignment,
  hipDeviceAttributeTotalConstantMemory, hipDeviceAttributeTotalGlobalMem,
  hipDeviceAttributeUnifiedAddressing, hipDeviceAttributeVirtualMemoryManagementSupported,
  hipDeviceAttributeWallClockRate, hipDeviceAttributeWarpSize
} hipDeviceAttribute_t;

typedef enum hipFuncAttribute {
  hipFuncAttributeMaxDynamicSharedMemorySize = 8,
  hipFuncAttributePreferredSharedMemoryCarveout = 9
} hipFuncAttribute;
typedef enum hipFuncCache_t {
  hipFuncCachePreferNone,
  hipFuncCachePreferShared,
  hipFuncCachePreferL1,
  hipFuncCachePreferEqual
} hipFuncCache_t;
typedef enum hipLimit_t {
  hipLimitStackSize = 0,
  hipLimitPrintfFifoSize = 1,
  hipLimitMallocHeapSize = 2
} hipLimit_t;
typedef enum hipStreamCaptureMode {
  hipStreamCaptureModeGlobal,
  hipStreamCaptureModeThreadLocal,
  hipStreamCaptureModeRelaxed
} hipStreamCaptureMode;
typedef enum hipMemoryAdvise {
  hipMemAdviseSetReadMostly = 1,
  hipMemAdviseUnsetReadMostly = 2,
  hipMemAdviseSetPreferredLocation = 3,
  hipMemAdviseUnsetPreferredLocation = 4,
  hipMemAdviseSetAccessedBy = 5,
  hipMemAdviseUnsetAccessedBy = 6
} hipMemoryAdvise;
typedef enum hipMemoryType {
  hipMemoryTypeUnregistered = 0,
  hipMemoryTypeHost = 1,
  hipMemoryTypeDevice = 2,
  hipMemoryTypeManaged = 3
} hipMemoryType;

typedef struct ihipStream_t* hipStream_t;
typedef struct ihipEvent_t* hipEvent_t;
typedef struct ihipModule_t* hipModule_t;
typedef struct ihipModuleSymbol_t* hipFunction_t;
typedef struct ihipGraph* hipGraph_t;
typedef struct hipGraphExec* hipGraphExec_t;
typedef struct hipGraphNode* hipGraphNode_t;
typedef void* hipDeviceptr_t;
typedef int hipDevice_t;
typedef void (*hipStreamCallback_t)(hipStream_t stream, hipError_t status, void* data);
typedef void (*hipHostFn_t)(void* data);

typedef struct hipFuncAttributes {
  int binaryVersion, cacheModeCA;
  size_t constSizeBytes, localSizeBytes;
  int maxDynamicSharedSizeBytes, maxThreadsPerBlock, numRegs, preferredShmemCarveout, ptxVersion;
  size_t sharedSizeBytes;
} hipFuncAttributes;
typedef struct hipPointerAttribute_t {
  hipMemoryType type;
  int device;
  void *devicePointer, *hostPointer;
  int isManaged;
  unsigned allocationFlags;
} hipPointerAttribute_t;
typedef struct hipDeviceProp_t {
  char name[256];
  size_t totalGlobalMem, sharedMemPerBlock, totalConstMem, memPitch, sharedMemPerMultiprocessor;
  size_t maxSharedMemoryPerMultiProcessor, sharedMemPerBlockOptin, textureAlignment;
  int regsPerBlock, regsPerMultiprocessor, warpSize, maxThreadsPerBlock, maxThreadsDim[3];
  int maxGridSize[3], clockRate, memoryClockRate, memoryBusWidth, major, minor;
  int multiProcessorCount, l2CacheSize, maxThreadsPerMultiProcessor, maxBlocksPerMultiProcessor;
  int computeMode, concurrentKernels, asyncEngineCount, kernelExecTimeoutEnabled, ECCEnabled;
  int pciDomainID, pciBusID, pciDeviceID, canMapHostMemory, unifiedAddressing, managedMemory;
  int concurrentManagedAccess, pageableMemoryAccess, directManagedMemAccessFromHost, integrated;
  int cooperativeLaunch, cooperativeMultiDeviceLaunch, isMultiGpuBoard, isLargeBar;
  int clockInstructionRate, asicRevision;
  char gcnArchName[256];
} hipDeviceProp_t;

/* Macros, for a 0 converts to a stream's handle. */
#define hipEventDefault 0
#define hipEventBlockingSync 1
#define hipEventDisableTiming 2
#define hipStreamDefault 0
#define hipStreamNonBlocking 1
#define hipHostMallocDefault 0
#define hipHostMallocPortable 1
#define hipHostMallocMapped 2
#define hipHostMallocWriteCombined 4
#define hipHostMallocCoherent 0x40000000
#define hipHostRegisterDefault 0
#define hipMemAttachGlobal 1
#define hipDeviceScheduleAuto 0
#define hipStreamPerThread ((hipStream_t)2)
#define HIP_LAUNCH_PARAM_BUFFER_POINTER ((void*)1)
#define HIP_LAUNCH_PARAM_BUFFER_SIZE ((void*)2)
#define HIP_LAUNCH_PARAM_END ((void*)3)
