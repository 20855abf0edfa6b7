/* Streams and events: everything has happened when a call returns, in the order of the calls. */

#include "core.h"

#include <math.h>

static bool is_default(CUstream stream) { return (uint64_t)stream <= LAST_DEFAULT_STREAM; }

static CUresult require_stream(CUstream stream) {
  TRY(enter());
  if (is_default(stream) || find(stream, STREAM, NULL)) return CUDA_SUCCESS;
  return CUDA_ERROR_INVALID_HANDLE;
}

API CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned flags, int priority) {
  TRY(enter());
  REQUIRE(stream && flags < 2, CUDA_ERROR_INVALID_VALUE);
  *stream = keep((struct Object){.kind = STREAM, .words = {flags, 0}});
  return *stream ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

API CUresult cuStreamCreate(CUstream *stream, unsigned flags) {
  return cuStreamCreateWithPriority(stream, flags, 0);
}

API CUresult cuStreamDestroy_v2(CUstream stream) {
  TRY(enter());
  return drop(stream, STREAM, NULL) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

API CUresult cuStreamQuery(CUstream stream) { return require_stream(stream); }
API CUresult cuStreamSynchronize(CUstream stream) { return require_stream(stream); }

API CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags) {
  TRY(require_stream(stream));
  return find(event, EVENT, NULL) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

API CUresult cuStreamGetFlags(CUstream stream, unsigned *flags) {
  TRY(require_stream(stream));
  REQUIRE(flags, CUDA_ERROR_INVALID_VALUE);
  struct Object object = {0};
  if (!is_default(stream)) find(stream, STREAM, &object);
  *flags = (unsigned)object.words[0];
  return CUDA_SUCCESS;
}

API CUresult cuStreamGetPriority(CUstream stream, int *priority) {
  TRY(require_stream(stream));
  REQUIRE(priority, CUDA_ERROR_INVALID_VALUE);
  *priority = 0;
  return CUDA_SUCCESS;
}

API CUresult cuStreamGetId(CUstream stream, unsigned long long *id) {
  TRY(require_stream(stream));
  REQUIRE(id, CUDA_ERROR_INVALID_VALUE);
  *id = (unsigned long long)stream;
  return CUDA_SUCCESS;
}

API CUresult cuStreamGetCtx(CUstream stream, CUcontext *context) {
  TRY(require_stream(stream));
  REQUIRE(context, CUDA_ERROR_INVALID_VALUE);
  return cuCtxGetCurrent(context);
}

API CUresult cuStreamGetDevice(CUstream stream, CUdevice *device) {
  TRY(require_stream(stream));
  REQUIRE(device, CUDA_ERROR_INVALID_VALUE);
  *device = GPU;
  return CUDA_SUCCESS;
}

/* No stream is ever captured: graphs are refused. */
API CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus *status) {
  TRY(require_stream(stream));
  REQUIRE(status, CUDA_ERROR_INVALID_VALUE);
  *status = 0;
  return CUDA_SUCCESS;
}

API CUresult cuStreamGetCaptureInfo_v2(CUstream stream, CUstreamCaptureStatus *status,
                                       cuuint64_t *id, CUgraph *graph, const CUgraphNode **nodes,
                                       size_t *count) {
  TRY(cuStreamIsCapturing(stream, status));
  if (count) *count = 0;
  return CUDA_SUCCESS;
}

API CUresult cuStreamGetCaptureInfo_v3(CUstream stream, CUstreamCaptureStatus *status,
                                       cuuint64_t *id, CUgraph *graph, const CUgraphNode **nodes,
                                       const CUgraphEdgeData **edges, size_t *count) {
  return cuStreamGetCaptureInfo_v2(stream, status, id, graph, nodes, count);
}

API CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode) {
  static __thread CUstreamCaptureMode own;
  REQUIRE(mode, CUDA_ERROR_INVALID_VALUE);
  CUstreamCaptureMode before = own;
  own = *mode, *mode = before;
  return CUDA_SUCCESS;
}

API CUresult cuStreamAttachMemAsync(CUstream stream, CUdeviceptr address, size_t size,
                                    unsigned flags) {
  TRY(require_stream(stream));
  struct Region region;
  return region_at(address, &region) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

API CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void *data,
                                 unsigned flags) {
  TRY(require_stream(stream));
  REQUIRE(callback && !flags, CUDA_ERROR_INVALID_VALUE);
  callback(stream, CUDA_SUCCESS, data);
  return CUDA_SUCCESS;
}

API CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void *data) {
  TRY(require_stream(stream));
  REQUIRE(function, CUDA_ERROR_INVALID_VALUE);
  function(data);
  return CUDA_SUCCESS;
}

/* -- events: words[0] are the flags, words[1] says whether one was recorded ----------------------
 */
enum { EVENT_FLAGS = 7, DISABLE_TIMING = 2, INTERPROCESS = 4 };

API CUresult cuEventCreate(CUevent *event, unsigned flags) {
  TRY(enter());
  REQUIRE(event && flags <= EVENT_FLAGS, CUDA_ERROR_INVALID_VALUE);
  if (flags & INTERPROCESS) {
    say("cuEventCreate: events that several processes share are not supported");
    return CUDA_ERROR_NOT_SUPPORTED;
  }
  *event = keep((struct Object){.kind = EVENT, .words = {flags, 0}});
  return *event ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

API CUresult cuEventDestroy_v2(CUevent event) {
  TRY(enter());
  return drop(event, EVENT, NULL) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

API CUresult cuEventRecord(CUevent event, CUstream stream) {
  TRY(require_stream(stream));
  struct Object object;
  REQUIRE(find(event, EVENT, &object), CUDA_ERROR_INVALID_HANDLE);
  object.words[1] = 1;
  return replace(event, object) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

API CUresult cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned flags) {
  return cuEventRecord(event, stream);
}

API CUresult cuEventQuery(CUevent event) {
  TRY(enter());
  return find(event, EVENT, NULL) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

API CUresult cuEventSynchronize(CUevent event) { return cuEventQuery(event); }

/* NaN: the emulator has no clock. The emulator's side says so, once. */
API CUresult cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end) {
  TRY(enter());
  struct Object first, last;
  REQUIRE(milliseconds, CUDA_ERROR_INVALID_VALUE);
  REQUIRE(find(start, EVENT, &first) && find(end, EVENT, &last), CUDA_ERROR_INVALID_HANDLE);
  REQUIRE(!((first.words[0] | last.words[0]) & DISABLE_TIMING), CUDA_ERROR_INVALID_HANDLE);
  REQUIRE(first.words[1] && last.words[1], CUDA_ERROR_INVALID_HANDLE);
  *milliseconds = NAN;
  return ask_words(TELL_NO_TIME, 0, 0, 0, 0);
}

API CUresult cuEventElapsedTime_v2(float *milliseconds, CUevent start, CUevent end) {
  return cuEventElapsedTime(milliseconds, start, end);
}
