/* Elementary functions of the runtime against the C library's in f64, rounded once.
 *
 * Arguments: the function's number, the first argument's bits, how far arguments are apart, how
 * many there are. Prints the arguments whose result in f64 lies so near the middle of two f32 that
 * the last bits of the library decide, with the result, for a reference with more bits; then how
 * many of the others differ. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elementary.c"

static int near_a_middle(double y) {
  return y == y && (float)(y * (1 - 0x1p-50)) != (float)(y * (1 + 0x1p-50));
}

int main(int count, char **words) {
  if (count != 5) return 2;
  u32 which = (u32)atoi(words[1]);
  u64 first = strtoull(words[2], 0, 0), step = strtoull(words[3], 0, 0);
  u64 left = strtoull(words[4], 0, 0), different = 0;
  Wave *w = aligned_alloc(64, (sizeof(Wave) + 63) / 64 * 64);
  memset(w, 0, sizeof *w);
  static Launch launch;
  launch.lanes = 32;
  w->launch = &launch;
  for (u64 code = first; left; code += 32 * step) {
    u32 lanes = left < 32 ? (u32)left : 32, given[32];
    for (u32 i = 0; i < 32; i++) w->value[0][i] = given[i] = (u32)(code + i * step);
    lm_function_f32(w, 0, 0xffffffff, 0, which);
    for (u32 i = 0; i < lanes; i++) {
      F32 x = {.u = given[i]}, found = {.u = w->value[0][i]};
      double y = library_function(which, x.f);
      F32 expected = {.f = (float)y};
      int both_nan = found.f != found.f && expected.f != expected.f;
      if (which != FUNCTION_SQRT && which != FUNCTION_RCP && near_a_middle(y))
        printf("near %08x %08x\n", x.u, found.u);
      else if (found.u != expected.u && !both_nan && different++ < 8)
        printf("%08x gives %08x, the library's %08x\n", x.u, found.u, expected.u);
    }
    left -= lanes;
  }
  printf("%llu differ\n", (unsigned long long)different);
  return 0;
}
