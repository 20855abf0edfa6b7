/* An observer in C: how far apart the addresses are that neighboring lanes access (examples/observe.py).
 *
 *     cc -O2 -shared -fPIC -I "$(python -c 'from lanemap.emulator import api; print(api.INCLUDE)')" strides.c
 */
#include "event.h"

/* Pairs of lanes by the number of bits of the distance: 0 for the same address, 3 for 4 to 7 bytes. */
typedef struct Strides { uint64_t pairs[65]; } Strides;

void note_strides(void *context, const Event *event, const uint64_t *address) {
  Strides *strides = context;
  if (event->happening != HAPPENING_ACCESS || !address) return;
  for (int lane = 0; lane < 63; lane++) {
    if ((event->lanes >> lane & 3) != 3) continue;
    int64_t apart = (int64_t)(address[lane + 1] - address[lane]);
    uint64_t distance = apart < 0 ? -(uint64_t)apart : (uint64_t)apart;
    int bits = 0;
    for (; distance; distance >>= 1) bits++;
    strides->pairs[bits]++;
  }
}
