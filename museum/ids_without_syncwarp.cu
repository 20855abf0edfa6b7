// One warp an expert: collects the tokens that chose it, then writes them out in order.
extern "C" __global__ void ids_without_syncwarp(const int *chosen, int *out, int *count,
                                                int tokens) {
  __shared__ int store[1024];
  const int lane = threadIdx.x, expert = blockIdx.x;
  int found = 0;
  for (int first = 0; first < tokens; first += 32) {
    const bool mine = first + lane < tokens && chosen[first + lane] == expert;
    const unsigned lanes = __ballot_sync(~0u, mine);
    if (mine)
      store[found + __popc(lanes & ((1u << lane) - 1))] = first + lane;  // hazard
    found += __popc(lanes);
  }
#ifndef FAULTY
  __syncwarp();
#endif
  for (int i = lane; i < found; i += 32)
    out[tokens * expert + i] = store[i];  // hazard
  if (lane == 0)
    count[expert] = found;
}
