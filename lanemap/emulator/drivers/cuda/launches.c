/* Launches, occupancy and tensor maps. */

#include "core.h"

#include <stdlib.h>
#include <string.h>

struct Launch {
  unsigned grid[3], block[3], cluster[3], shared_bytes;
  bool cooperative, clustered;
};
enum { PARAMETER_BYTES = 32764, PORTABLE_CTAS = 8, MOST_CTAS = 16 };
/* CU_LAUNCH_PARAM_BUFFER_POINTER, _SIZE, _END */
enum { BUFFER_END = 0, BUFFER_POINTER = 1, BUFFER_BYTES = 2 };

/* Pack arguments as a kernel declares them; the bytes, or -1. */
static long pack(const struct Function *function, void **pointers, void **extra, char *block) {
  const struct About *about = &function->about;
  size_t end = 0;
  for (unsigned i = 0; i < about->count; i++) {
    size_t last = about->parameters[i].offset + about->parameters[i].size;
    if (last > end) end = last;
  }
  if (end > PARAMETER_BYTES) return -1;
  if (pointers) {
    for (unsigned i = 0; i < about->count; i++) {
      if (!pointers[i]) return -1;
      memcpy(block + about->parameters[i].offset, pointers[i], about->parameters[i].size);
    }
    return (long)end;
  }
  const void *buffer = NULL;
  size_t size = 0;
  for (void **each = extra; each && (uint64_t)each[0] != BUFFER_END; each += 2) {
    if ((uint64_t)each[0] == BUFFER_POINTER) buffer = each[1];
    if ((uint64_t)each[0] == BUFFER_BYTES) size = *(const size_t *)each[1];
  }
  if (size < end || (end && !buffer)) return -1;
  if (end) memcpy(block, buffer, end);
  return (long)end;
}

static uint64_t product(const unsigned *sizes) { return (uint64_t)sizes[0] * sizes[1] * sizes[2]; }

static int blocks_of_sm(const struct Function *function, int threads, size_t shared_bytes);

/* What CUDA refuses with a status of its own; a sentence says why. */
static CUresult check(const struct Function *function, const struct Launch *launch) {
  const int32_t *about = function->about.attributes;
  const char *name = function->name;
  for (int i = 0; i < 3; i++) { /* MAX_BLOCK_DIM_X is 2, MAX_GRID_DIM_X is 5 */
    bool fits = launch->block[i] && launch->grid[i] &&
                launch->block[i] <= (unsigned)gpu_attribute((unsigned)(2 + i)) &&
                launch->grid[i] <= (unsigned)gpu_attribute((unsigned)(5 + i));
    if (fits) continue;
    say("%s: a grid of (%u, %u, %u) CTAs of (%u, %u, %u) threads cannot be launched", name,
        launch->grid[0], launch->grid[1], launch->grid[2], launch->block[0], launch->block[1],
        launch->block[2]);
    return CUDA_ERROR_INVALID_VALUE;
  }
  if (product(launch->block) > (uint64_t)about[CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK]) {
    say("%s: a CTA of %llu threads is launched where %d are the most", name,
        (unsigned long long)product(launch->block), about[CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK]);
    return CUDA_ERROR_INVALID_VALUE;
  }
  int most = about[CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES];
  if (launch->shared_bytes > (unsigned)most) {
    say("%s: %u bytes of dynamic shared memory are asked for, and %d are allowed: raise "
        "CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES first (cudaFuncSetAttribute)",
        name, launch->shared_bytes, most);
    return CUDA_ERROR_INVALID_VALUE;
  }
  uint64_t ctas = product(launch->cluster);
  bool larger = about[CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED] != 0;
  bool whole = ctas > 0 && ctas <= (larger ? MOST_CTAS : PORTABLE_CTAS);
  for (int i = 0; i < 3 && whole; i++) whole = launch->grid[i] % launch->cluster[i] == 0;
  if (!whole) {
    say("%s: clusters of (%u, %u, %u) CTAs cannot be launched in a grid of (%u, %u, %u)", name,
        launch->cluster[0], launch->cluster[1], launch->cluster[2], launch->grid[0],
        launch->grid[1], launch->grid[2]);
    return CUDA_ERROR_INVALID_CLUSTER_SIZE;
  }
  if (launch->cooperative) {
    uint64_t room =
        (uint64_t)gpu_attribute(16) *
        (uint64_t)blocks_of_sm(function, (int)product(launch->block), launch->shared_bytes);
    if (product(launch->grid) > room) {
      say("%s: a cooperative launch of %llu CTAs is larger than the %llu that run at once", name,
          (unsigned long long)product(launch->grid), (unsigned long long)room);
      return CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE;
    }
  }
  return CUDA_SUCCESS;
}

static CUresult run(CUfunction handle, const struct Launch *launch, CUstream stream,
                    void **pointers, void **extra) {
  TRY(require_stream(stream));
  struct Function *function = function_of(handle);
  REQUIRE(function, CUDA_ERROR_INVALID_HANDLE);
  const int32_t *required = &function->about.attributes[CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH];
  struct Launch whole = *launch;
  for (int i = 0; i < 3 && required[0] && !launch->clustered; i++)
    whole.cluster[i] = (unsigned)required[i];
  launch = &whole;
  TRY(check(function, launch));
  char block[PARAMETER_BYTES + 1];
  long size = pack(function, pointers, extra, block);
  if (size < 0) {
    say("%s: the launch does not give all %u arguments", function->name, function->about.count);
    return CUDA_ERROR_INVALID_VALUE;
  }
  const unsigned *g = launch->grid, *b = launch->block, *c = launch->cluster;
  struct Request request = {.operation = LAUNCH,
                            .words = {function->remote, g[0], g[1], g[2], b[0], b[1], b[2], c[0],
                                      c[1], c[2], launch->shared_bytes, launch->cooperative},
                            .in = block,
                            .in_bytes = (uint64_t)size};
  return ask(&request);
}

API CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                            unsigned block_x, unsigned block_y, unsigned block_z,
                            unsigned shared_bytes, CUstream stream, void **parameters,
                            void **extra) {
  struct Launch launch = {
      {grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, {1, 1, 1}, shared_bytes, false, false};
  return run(function, &launch, stream, parameters, extra);
}

API CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned grid_x, unsigned grid_y,
                                       unsigned grid_z, unsigned block_x, unsigned block_y,
                                       unsigned block_z, unsigned shared_bytes, CUstream stream,
                                       void **parameters) {
  struct Launch launch = {
      {grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, {1, 1, 1}, shared_bytes, true, false};
  return run(function, &launch, stream, parameters, NULL);
}

/* Attributes that only change when something runs change nothing: launches run in order. */
API CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function, void **parameters,
                              void **extra) {
  REQUIRE(config && (config->attrs || !config->numAttrs), CUDA_ERROR_INVALID_VALUE);
  struct Launch launch = {{config->gridDimX, config->gridDimY, config->gridDimZ},
                          {config->blockDimX, config->blockDimY, config->blockDimZ},
                          {1, 1, 1},
                          config->sharedMemBytes,
                          false,
                          false};
  for (unsigned i = 0; i < config->numAttrs; i++) {
    const CUlaunchAttribute *each = &config->attrs[i];
    if (each->id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE) launch.cooperative = each->value.cooperative;
    if (each->id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION) {
      launch.cluster[0] = each->value.clusterDim.x;
      launch.cluster[1] = each->value.clusterDim.y;
      launch.cluster[2] = each->value.clusterDim.z;
      launch.clustered = true;
    }
  }
  return run(function, &launch, config->hStream, parameters, extra);
}

/* -- occupancy: by threads and shared memory; the registers of a kernel are not known -------------
 */
static int blocks_of_sm(const struct Function *function, int threads, size_t shared_bytes) {
  int lanes = gpu_attribute(10), warps = (threads + lanes - 1) / lanes;
  int of_static = function ? function->about.attributes[CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES] : 0;
  size_t taken = (size_t)of_static + shared_bytes + (size_t)gpu_attribute(111);
  int most_threads = gpu_attribute(39);
  if (function) most_threads = function->about.attributes[CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK];
  if (threads < 1 || threads > most_threads || warps * lanes > gpu_attribute(39)) return 0;
  size_t by_shared = taken ? (size_t)gpu_attribute(81) / taken : SIZE_MAX;
  size_t by_warps = (size_t)(gpu_attribute(39) / (warps * lanes)),
         most = (size_t)gpu_attribute(106);
  size_t found = by_shared < by_warps ? by_shared : by_warps;
  return (int)(found < most ? found : most);
}

API CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, CUfunction handle,
                                                                  int threads, size_t shared_bytes,
                                                                  unsigned flags) {
  FIND_FUNCTION(function, handle);
  REQUIRE(blocks && threads > 0, CUDA_ERROR_INVALID_VALUE);
  *blocks = blocks_of_sm(function, threads, shared_bytes);
  return CUDA_SUCCESS;
}

API CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction handle,
                                                         int threads, size_t shared_bytes) {
  return cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, handle, threads, shared_bytes,
                                                              0);
}

API CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block, CUfunction handle,
                                                       CUoccupancyB2DSize shared_of,
                                                       size_t shared_bytes, int limit,
                                                       unsigned flags) {
  FIND_FUNCTION(function, handle);
  REQUIRE(grid && block, CUDA_ERROR_INVALID_VALUE);
  int most = function->about.attributes[CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK];
  int lanes = gpu_attribute(10), best = 0;
  if (limit > 0 && limit < most) most = limit;
  for (int threads = most / lanes * lanes; threads >= lanes; threads -= lanes) {
    size_t shared = shared_of ? shared_of(threads) : shared_bytes;
    int blocks = blocks_of_sm(function, threads, shared);
    if (blocks * threads <= best) continue;
    best = blocks * threads;
    *block = threads, *grid = blocks * gpu_attribute(16);
  }
  return best ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

API CUresult cuOccupancyMaxPotentialBlockSize(int *grid, int *block, CUfunction handle,
                                              CUoccupancyB2DSize shared_of, size_t shared_bytes,
                                              int limit) {
  return cuOccupancyMaxPotentialBlockSizeWithFlags(grid, block, handle, shared_of, shared_bytes,
                                                   limit, 0);
}

API CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, CUfunction handle, int blocks,
                                                     int threads) {
  FIND_FUNCTION(function, handle);
  REQUIRE(bytes && blocks > 0 && threads > 0, CUDA_ERROR_INVALID_VALUE);
  int taken = function->about.attributes[CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES] + gpu_attribute(111);
  int room = gpu_attribute(81) / blocks - taken, most = gpu_attribute(97) - taken;
  *bytes = (size_t)(room < 0 ? 0 : room < most ? room : most);
  return CUDA_SUCCESS;
}

API CUresult cuOccupancyMaxPotentialClusterSize(int *size, CUfunction handle,
                                                const CUlaunchConfig *config) {
  FIND_FUNCTION(function, handle);
  REQUIRE(size && config, CUDA_ERROR_INVALID_VALUE);
  bool larger = function->about.attributes[CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED];
  *size = gpu_attribute(120) > 0 ? larger ? MOST_CTAS : PORTABLE_CTAS : 1;
  return CUDA_SUCCESS;
}

API CUresult cuOccupancyMaxActiveClusters(int *count, CUfunction handle,
                                          const CUlaunchConfig *config) {
  FIND_FUNCTION(function, handle);
  REQUIRE(count && config, CUDA_ERROR_INVALID_VALUE);
  uint64_t ctas = 1;
  for (unsigned i = 0; i < config->numAttrs; i++)
    if (config->attrs[i].id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)
      ctas = product(&config->attrs[i].value.clusterDim.x);
  REQUIRE(ctas, CUDA_ERROR_INVALID_VALUE);
  int threads = (int)(config->blockDimX * config->blockDimY * config->blockDimZ);
  int blocks = blocks_of_sm(function, threads, config->sharedMemBytes);
  *count = (int)((uint64_t)(blocks * gpu_attribute(16)) / ctas);
  return CUDA_SUCCESS;
}

/* -- tensor maps: modes as lanemap numbers them (tensor_maps.FUNCTIONS) ---------------------------
 */
enum MapMode { TILED, IM2COL, IM2COL_WIDE };
enum { MOST_DIMENSIONS = 5, LISTS = 4, MAP_BYTES = 128 };
struct MapLists {
  uint64_t sizes[MOST_DIMENSIONS], strides[MOST_DIMENSIONS];
  uint32_t box[MOST_DIMENSIONS], steps[MOST_DIMENSIONS];
  int32_t lower[MOST_DIMENSIONS], upper[MOST_DIMENSIONS];
};

static CUresult encode(CUtensorMap *map, struct Request request, cuuint32_t rank, void *address,
                       const cuuint64_t *sizes, const cuuint64_t *strides, const cuuint32_t *steps,
                       struct MapLists lists) {
  TRY(enter());
  REQUIRE(map && address && sizes && steps, CUDA_ERROR_INVALID_VALUE);
  REQUIRE(rank >= 1 && rank <= MOST_DIMENSIONS && (strides || rank == 1), CUDA_ERROR_INVALID_VALUE);
  memcpy(lists.sizes, sizes, rank * sizeof *sizes);
  if (rank > 1) memcpy(lists.strides, strides, (rank - 1) * sizeof *strides);
  memcpy(lists.steps, steps, rank * sizeof *steps);
  char data[MAP_BYTES];
  request.operation = ENCODE;
  request.words[2] = rank, request.words[3] = (uint64_t)address;
  request.in = &lists, request.in_bytes = sizeof lists;
  request.out = data, request.out_bytes = sizeof data;
  TRY(ask(&request));
  memcpy(map, data, sizeof data);
  return CUDA_SUCCESS;
}

API CUresult cuTensorMapEncodeTiled(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank,
                                    void *address, const cuuint64_t *sizes,
                                    const cuuint64_t *strides, const cuuint32_t *box,
                                    const cuuint32_t *steps, CUtensorMapInterleave interleave,
                                    CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion,
                                    CUtensorMapFloatOOBfill filled) {
  struct MapLists lists = {0};
  REQUIRE(box && rank >= 1 && rank <= MOST_DIMENSIONS, CUDA_ERROR_INVALID_VALUE);
  memcpy(lists.box, box, rank * sizeof *box);
  struct Request request = {
      .words = {TILED, type, 0, 0, interleave, swizzle, promotion, filled, 0, 0, 0}};
  return encode(map, request, rank, address, sizes, strides, steps, lists);
}

API CUresult cuTensorMapEncodeIm2col(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank,
                                     void *address, const cuuint64_t *sizes,
                                     const cuuint64_t *strides, const int *lower, const int *upper,
                                     cuuint32_t channels, cuuint32_t pixels,
                                     const cuuint32_t *steps, CUtensorMapInterleave interleave,
                                     CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion,
                                     CUtensorMapFloatOOBfill filled) {
  struct MapLists lists = {0};
  REQUIRE(lower && upper && rank >= 3 && rank <= MOST_DIMENSIONS, CUDA_ERROR_INVALID_VALUE);
  memcpy(lists.lower, lower, (rank - 2) * sizeof *lower);
  memcpy(lists.upper, upper, (rank - 2) * sizeof *upper);
  struct Request request = {
      .words = {IM2COL, type, 0, 0, interleave, swizzle, promotion, filled, channels, pixels, 0}};
  return encode(map, request, rank, address, sizes, strides, steps, lists);
}

API CUresult cuTensorMapEncodeIm2colWide(CUtensorMap *map, CUtensorMapDataType type,
                                         cuuint32_t rank, void *address, const cuuint64_t *sizes,
                                         const cuuint64_t *strides, int lower, int upper,
                                         cuuint32_t channels, cuuint32_t pixels,
                                         const cuuint32_t *steps, CUtensorMapInterleave interleave,
                                         CUtensorMapIm2ColWideMode mode, CUtensorMapSwizzle swizzle,
                                         CUtensorMapL2promotion promotion,
                                         CUtensorMapFloatOOBfill filled) {
  struct MapLists lists = {.lower = {lower}, .upper = {upper}};
  struct Request request = {.words = {IM2COL_WIDE, type, 0, 0, interleave, swizzle, promotion,
                                      filled, channels, pixels, mode}};
  return encode(map, request, rank, address, sizes, strides, steps, lists);
}

API CUresult cuTensorMapReplaceAddress(CUtensorMap *map, void *address) {
  TRY(enter());
  REQUIRE(map && address && (uint64_t)address % 16 == 0, CUDA_ERROR_INVALID_VALUE);
  map->opaque[0] = (cuuint64_t)address; /* its first eight bytes: `lanemap descriptor` */
  return CUDA_SUCCESS;
}
