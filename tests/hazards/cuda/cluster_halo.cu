// A stencil on a plane that lies in the shared memory of a cluster's CTAs: edges are read from the
// neighbours, which stand in the cluster as their tiles do in the plane (a torus).
#define SIDE 16
extern "C" __global__ void cluster_halo(const int *in, int *out, int steps) {
  __shared__ int tile[2][SIDE][SIDE];
  uint3 at = cluster_ctaid(), all = cluster_nctaid();
  unsigned x = threadIdx.x, y = threadIdx.y, width = all.x * SIDE;
  unsigned plane = width * all.y * SIDE, where = (at.y * SIDE + y) * width + at.x * SIDE + x;
  unsigned cluster = clusterid().y * nclusterid().x + clusterid().x;
  tile[0][y][x] = in[cluster * plane + where];
  cluster_sync();
  for (int step = 0; step < steps; step++) {
    int sum = 0;
    for (int side = 0; side < 4; side++) {
      int dx = (side == 0) - (side == 1), dy = (side == 2) - (side == 3);
      int px = (int)(at.x * SIDE + x) + dx, py = (int)(at.y * SIDE + y) + dy;
      px = (px + width) % width, py = (py + all.y * SIDE) % (all.y * SIDE);
      unsigned rank = px / SIDE + py / SIDE * all.x;
      int *here = &tile[step % 2][py % SIDE][px % SIDE];
      sum += (int)remote_load(mapped(shared_address(here), rank));  // NO_SYNC
    }
    tile[(step + 1) % 2][y][x] = sum - 3 * tile[step % 2][y][x];  // NO_SYNC
#ifdef NO_SYNC
    __syncthreads();
#else
    cluster_sync();
#endif
  }
  out[cluster * plane + where] = tile[steps % 2][y][x];
}
