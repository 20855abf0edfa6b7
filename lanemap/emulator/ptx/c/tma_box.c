/* Boxes of tensors: their rows in global memory, and their place in shared memory (tma.h). */
#include "tma.h"

static int outside(const TensorMap *t, u32 d, i64 at) { return at < 0 || at >= (i64)t->dims[d]; }

/* The part of a row of `count` elements from coordinate `first` on that lies in dimension 0. */
static void clip(const TensorMap *t, i64 first, u32 count, BoxRow *r) {
  i64 from = first < 0 ? -first : 0, to = (i64)t->dims[0] - first;
  if (to > count) to = count;
  if (from > to) from = to = 0;
  r->from = (u32)from * t->bits / 8;
  r->to = (u32)to * t->bits / 8;
  r->address += (u64)((first + from) * t->bits / 8);
}

static int advance(Box *b, u32 first) {
  for (u32 d = first; d < b->map->rank; d++) {
    if (++b->index[d] < b->count[d]) return 1;
    b->index[d] = 0;
  }
  return 0;
}

/* A row of a tile; of an interleaved layout it is one slice. */
static BoxRow tile_row(Box *b) {
  const TensorMap *t = b->map;
  u32 first = t->interleave ? 0 : 1, out = 0;
  BoxRow r = {t->address, 0, 0};
  for (u32 d = first; d < t->rank; d++) {
    i64 at = b->start[d] + (i64)b->index[d] * t->steps[d];
    if (b->mode == TMA_FOUR_ROWS && b->index[d]) at = b->offsets[b->index[d] - 1];
    out |= (u32)outside(t, d, at);
    r.address += (u64)at * t->strides[d];
  }
  if (!t->interleave) clip(t, b->start[0], t->box[0], &r);
  else r.to = b->row_bytes;
  if (out) r.from = r.to = 0;
  advance(b, first);
  return r;
}

/* The next pixel of an im2col box: W first, then H, D and the images. */
static void next_pixel(Box *b) {
  const TensorMap *t = b->map;
  u32 spatial = t->rank - 2;
  for (u32 i = 0; i < spatial; i++) {
    b->position[i] += t->steps[i + 1];
    if (b->position[i] < (i64)t->dims[i + 1] + t->upper[i]) return;
    b->position[i] = t->lower[i];
  }
  b->image += t->steps[spatial + 1];
}

static BoxRow pixel_row(Box *b) {
  const TensorMap *t = b->map;
  u32 spatial = t->rank - 2, out = (u32)outside(t, spatial + 1, b->image);
  BoxRow r = {t->address + (u64)b->image * t->strides[spatial + 1], 0, 0};
  for (u32 i = 0; i < spatial; i++) {
    i64 at = b->position[i] + b->offsets[i];
    out |= (u32)outside(t, i + 1, at);
    r.address += (u64)at * t->strides[i + 1];
  }
  clip(t, b->start[0], t->box[0], &r);
  if (out) r.from = r.to = 0;
  next_pixel(b);
  return r;
}

BoxRow next_row(Box *b) { return b->mode == TMA_IM2COL ? pixel_row(b) : tile_row(b); }

/* Rules of coordinates: an H200 stops at those that break them. */
static int good_coordinates(Wave *w, u32 instruction, u32 lane, const Box *b) {
  const TensorMap *t = b->map;
  u64 beyond =
      b->packed ? (u64)b->start[0] % PADDED_ROW : (u64)(b->start[0] * t->bits / 8) % TMA_ALIGN;
  if (!t->interleave && beyond) {
    report_rule(w, instruction, 1ull << lane, RULE_TMA_COORDINATE, beyond, 0, 0);
    return 0;
  }
  for (u32 i = 0; b->mode == TMA_IM2COL && i + 2 < t->rank; i++)
    if (b->position[i] < t->lower[i] || b->position[i] >= (i64)t->dims[i + 1] + t->upper[i]) {
      report_rule(w, instruction, 1ull << lane, RULE_TMA_CORNER, i + 1, 0, 0);
      return 0;
    }
  if (b->mode == TMA_FOUR_ROWS && (t->box[1] != 1 || t->interleave)) {
    report_rule(w, instruction, 1ull << lane, RULE_TMA_ROWS, t->box[1], 0, 0);
    return 0;
  }
  return 1;
}

static void count_rows(Box *b) {
  const TensorMap *t = b->map;
  u32 first = t->interleave ? 0 : 1;
  for (u32 d = first; d < t->rank; d++) {
    b->count[d] = (t->box[d] + t->steps[d] - 1) / t->steps[d];
    /* channels of an interleaved tensor: one slice */
    if (t->interleave && d == t->rank - 2) b->count[d] = 1;
    if (b->mode == TMA_FOUR_ROWS) b->count[d] = 4;
    b->rows *= b->count[d];
  }
}

int tma_box(Wave *w, u32 instruction, u32 lane, u32 mode, u32 row, u32 table, const TensorMap *t,
            Box *b) {
  static const u32 SPANS[] = {0, 32, 64, 128};
  u32 which = t->atom == 3 ? 5 : t->atom ? 4 : t->swizzle;
  *b = (Box){.map = t, .mode = mode, .rows = 1};
  for (u32 d = 0; d < t->rank; d++)
    b->start[d] = (i32)w->value[row + TMA_ROW_COORDINATES + d][lane];
  for (u32 i = 0; i < 3; i++)
    b->offsets[i] = mode == TMA_FOUR_ROWS
                        ? (i64)(i32)w->value[row + TMA_ROW_COORDINATES + 2 + i][lane]
                        : (i64)w->value[row + TMA_ROW_OFFSETS + i][lane];
  for (u32 i = 0; mode == TMA_IM2COL && i + 2 < t->rank; i++) b->position[i] = b->start[i + 1];
  b->image = b->start[t->rank - 1];
  b->row_bytes = t->interleave ? 16 * t->interleave : t->box[0] * t->bits / 8;
  if (t->type >= MAP_B4X16_P64) b->packed = 2 * t->bits, b->row_bytes = PADDED_ROW;
  b->pitch = t->interleave || !t->swizzle ? b->row_bytes : SPANS[t->swizzle];
  b->swizzle = w->launch->tables[table] + 1 + which * (1 + SWIZZLE_BITS);
  if (mode == TMA_IM2COL) b->rows = t->pixels;
  else count_rows(b);
  return good_coordinates(w, instruction, lane, b);
}
