// gcc 12.2 at every level: the sign bit of the first is set where c is not 0 and u is 0; the second is right.
__attribute__((visibility("default"))) float zero_minus_integer(int c, unsigned u) { return 0.0f - (c ? (float)u : 0.5f); }
__attribute__((visibility("default"))) float zero_minus_float(int c, float x) { return 0.0f - (c ? x : 0.5f); }
