/* Streams and events: the driver's, by the runtime's names. */

#include "core.h"

API cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority) {
  SAME_AS(cuStreamCreateWithPriority((CUstream *)stream, flags, priority));
}

API cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) {
  return cudaStreamCreateWithPriority(stream, flags, 0);
}

API cudaError_t cudaStreamCreate(cudaStream_t *stream) {
  return cudaStreamCreateWithPriority(stream, 0, 0);
}

API cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  SAME_AS(cuStreamDestroy_v2((CUstream)stream));
}

API cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority) {
  SAME_AS(cuStreamGetPriority((CUstream)stream, priority));
}

API cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned *flags) {
  SAME_AS(cuStreamGetFlags((CUstream)stream, flags));
}

API cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long *id) {
  SAME_AS(cuStreamGetId((CUstream)stream, id));
}

API cudaError_t cudaStreamGetDevice(cudaStream_t stream, int *device) {
  SAME_AS(cuStreamGetDevice((CUstream)stream, device));
}

API cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  SAME_AS(cuStreamWaitEvent((CUstream)stream, (CUevent)event, flags));
}

API cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback,
                                      void *data, unsigned flags) {
  SAME_AS(cuStreamAddCallback((CUstream)stream, (CUstreamCallback)callback, data, flags));
}

API cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  SAME_AS(cuStreamSynchronize((CUstream)stream));
}

API cudaError_t cudaStreamQuery(cudaStream_t stream) { SAME_AS(cuStreamQuery((CUstream)stream)); }

API cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *address, size_t size,
                                         unsigned flags) {
  SAME_AS(cuStreamAttachMemAsync((CUstream)stream, (CUdeviceptr)address, size, flags));
}

API cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status) {
  SAME_AS(cuStreamIsCapturing((CUstream)stream, (CUstreamCaptureStatus *)status));
}

API cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode) {
  SAME_AS(cuThreadExchangeStreamCaptureMode((CUstreamCaptureMode *)mode));
}

API cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags) {
  SAME_AS(cuEventCreate((CUevent *)event, flags));
}

API cudaError_t cudaEventCreate(cudaEvent_t *event) { return cudaEventCreateWithFlags(event, 0); }

API cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
  SAME_AS(cuEventRecordWithFlags((CUevent)event, (CUstream)stream, flags));
}

API cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return cudaEventRecordWithFlags(event, stream, 0);
}

API cudaError_t cudaEventQuery(cudaEvent_t event) { SAME_AS(cuEventQuery((CUevent)event)); }

API cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  SAME_AS(cuEventSynchronize((CUevent)event));
}

API cudaError_t cudaEventDestroy(cudaEvent_t event) { SAME_AS(cuEventDestroy_v2((CUevent)event)); }

API cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end) {
  SAME_AS(cuEventElapsedTime_v2(milliseconds, (CUevent)start, (CUevent)end));
}
