// y = a * x, one thread an element. examples/scale.s is what clang makes of it (examples/README.md).
extern "C" __attribute__((global)) void scale(const float *x, float *y, float a) {
  int i = __builtin_amdgcn_workitem_id_x();
  y[i] = a * x[i];
}
