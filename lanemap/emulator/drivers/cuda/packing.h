/* How what is to be linked travels: of each input its bytes and its kind, its name with the 0, then
   the bytes themselves. lanemap/check/libcuda/images.py reads it (linked). */

#pragma once

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct Inputs {
  char *data;
  size_t size;
};

/* 0 where there is no memory left. */
static int pack_input(struct Inputs *inputs, unsigned kind, const void *data, size_t size,
                      const char *name) {
  uint64_t header[2] = {size, kind};
  size_t named = strlen(name) + 1, more = sizeof header + named + size;
  char *whole = more > size ? realloc(inputs->data, inputs->size + more) : NULL;
  if (!whole) return 0;
  char *at = whole + inputs->size;
  memcpy(at, header, sizeof header);
  memcpy(at + sizeof header, name, named);
  memcpy(at + sizeof header + named, data, size);
  inputs->data = whole, inputs->size += more;
  return 1;
}

enum { ROOM_BESIDE_TEXT = 1 << 16 };
/* Room for what is linked: a fat binary's text may be compressed. */
static size_t room_for(const struct Inputs *inputs) { return inputs->size * 8 + ROOM_BESIDE_TEXT; }

/* Link: a stand-in for a cubin is in `image` then, or a sentence that says what is wrong. Needs no
   context. 0, or a number of CUresult. */
int lanemap_link(const struct Inputs *inputs, void *image, size_t room, uint64_t *bytes);
