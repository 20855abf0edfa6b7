/* What a thread hands to the tensor core, apart from mma: tcgen05.cp, shift and commit.
 *
 * Data moves when the instruction is issued; that it is not guaranteed to have moved before the
 * mbarrier of a commit is what the order of cells and of shared memory holds (tensor_order.c).
 */
#include "mbarrier.h"

#define CHUNK_BYTES 16
#define MOST_ROWS 128
#define MOST_ROW_BYTES 32

/* A K-major source in shared memory, as a descriptor says (lanemap/model/descriptors.py and
 * shared_layout.py): rows in groups of 8. */
typedef struct {
  u32 start, leading, stride;
  u32 row_bytes;              /* from a row to the next one of its group */
  u32 mask;                   /* of address bits 7 and up that are XORed into bits 4 and up; 0: none */
} Source;

static u32 bits_of(u64 word, u32 low, u32 count) { return (u32)(word >> low) & ((1u << count) - 1); }

enum { SWIZZLE_NONE = 0, SWIZZLE_128B = 2, SWIZZLE_64B = 4, SWIZZLE_32B = 6 };

/* Bits that PTX's shared memory descriptor leaves unused. */
#define UNUSED_BITS (3ull << 14 | 3ull << 30 | 0xffull << 53)

static int read_descriptor(Wave *w, u32 instruction, u32 lane, u64 descriptor, Source *s) {
  u64 bit = 1ull << lane;
  u32 code = bits_of(descriptor, 61, 3), base = bits_of(descriptor, 49, 3);
  if (bits_of(descriptor, 46, 3) != 1 || descriptor & UNUSED_BITS) {
    tensor_rule(w, instruction, bit, RULE_DESCRIPTOR_FIXED, descriptor, 0, 0);
    return 0;
  }
  if (code != SWIZZLE_NONE && code != SWIZZLE_128B && code != SWIZZLE_64B && code != SWIZZLE_32B) {
    tensor_rule(w, instruction, bit, RULE_DESCRIPTOR_SWIZZLE, code, descriptor, 0);
    return 0;
  }
  *s = (Source){bits_of(descriptor, 0, 14) * 16, bits_of(descriptor, 16, 14) * 16,
                bits_of(descriptor, 32, 14) * 16, 16, 0};
  if (code == SWIZZLE_128B) s->mask = 7;
  if (code == SWIZZLE_64B) s->mask = 3;
  if (code == SWIZZLE_32B) s->mask = 1;
  if (s->mask) s->row_bytes = (s->mask + 1) * 16;
  if (base || bits_of(descriptor, 52, 1) || (s->start >> 7 & s->mask)) {
    tensor_rule(w, instruction, bit, RULE_DESCRIPTOR_BASE, s->start, base, 8 * s->row_bytes);
    return 0;
  }
  return 1;
}

/* Byte of shared memory where a chunk of a row lies. */
static u32 chunk_at(const Source *s, u32 row, u32 chunk) {
  u32 group = s->start + s->stride * (row / 8) + s->row_bytes * (row % 8);
  u32 at = (group + (s->mask ? CHUNK_BYTES : s->leading) * chunk) & 0x3ffff;
  return at ^ (at >> 7 & s->mask) << 4;
}

typedef struct { u8 data[MOST_ROWS * MOST_ROW_BYTES], undefined[MOST_ROWS * MOST_ROW_BYTES]; } Matrix;

/* Read `rows` rows of `bytes` bytes of a CTA's shared memory through the async proxy. */
static void read_source(Wave *w, u32 instruction, u32 lane, Cta *owner, const Source *s, u32 rows,
                        u32 bytes, Matrix *m) {
  for (u32 row = 0; row < rows; row++)
    for (u32 chunk = 0; chunk < bytes / CHUNK_BYTES; chunk++) {
      u64 at = chunk_at(s, row, chunk);
      u8 *data = m->data + row * bytes + chunk * CHUNK_BYTES;
      u8 *undefined = m->undefined + row * bytes + chunk * CHUNK_BYTES;
      if (at + CHUNK_BYTES > owner->shared_size) {
        out_of_bounds(w, instruction, SPACE_SHARED, lane, owner->shared_base + at, CHUNK_BYTES);
        fill_bytes(data, 0, CHUNK_BYTES);
        fill_bytes(undefined, 0, CHUNK_BYTES);
        continue;
      }
      async_read(w, instruction, lane, owner, at, CHUNK_BYTES);
      copy_bytes(data, owner->shared_data + at, CHUNK_BYTES);
      copy_bytes(undefined, owner->shared_undefined + at, CHUNK_BYTES);
    }
}

static u32 word_at(const u8 *bytes) {
  return bytes[0] | (u32)bytes[1] << 8 | (u32)bytes[2] << 16 | (u32)bytes[3] << 24;
}

static u32 field_of(const u8 *bytes, u32 bit, u32 bits) {
  return word_at(bytes + bit / 32 * 4) >> bit % 32 & (bits == 32 ? ~0u : (1u << bits) - 1);
}

/* Where the undefined bits came from: what shared memory remembers, else this read of it. */
static u32 source_origin(Wave *w, u32 instruction, u32 lane, const Cta *owner, u32 at) {
  if (!w->launch->origins) return 0;
  u32 known = at < owner->shared_size && owner->shared_origin ? owner->shared_origin[at / 4] : 0;
  return known ? known : lm_origin(w, ORIGIN_MEMORY, instruction, lane, SPACE_SHARED, at);
}

/* The cells from `column` on that the table gives source bits: element width, then for each lane, column
 * and element the number of the source's element, or -1 for unchanged. */
static void write_cells(Wave *w, u32 instruction, u32 lane, Cta *to, u32 column, u32 columns,
                        const i32 *table, const Source *s, const Matrix *m) {
  u32 bits = (u32)*table++, each = 32 / bits;
  for (u32 l = 0; l < TENSOR_LANES; l++)
    for (u32 c = 0; c < columns; c++, table += each) {
      u32 any = 0, cell = (column + c) * TENSOR_LANES + l;
      for (u32 i = 0; i < each; i++) any |= table[i] >= 0;
      if (!any || !tensor_owned(w, to, instruction, 1ull << lane, column + c)) continue;
      tensor_order(w, to->tensor, instruction, 1ull << lane, cell, TENSOR_ASYNC, 1);
      for (u32 i = 0; i < each; i++) {
        if (table[i] < 0) continue;
        u32 from = (u32)table[i] * bits, keep = ~((bits == 32 ? ~0u : (1u << bits) - 1) << (i * bits));
        u32 bad = field_of(m->undefined, from, bits) << (i * bits);
        to->tensor->data[cell] = (to->tensor->data[cell] & keep) | field_of(m->data, from, bits) << (i * bits);
        to->tensor->undefined[cell] = (to->tensor->undefined[cell] & keep) | bad;
        if (bad)
          to->tensor->origin[cell] = source_origin(
              w, instruction, lane, to,
              chunk_at(s, from / (columns * 32), from % (columns * 32) / 128) + from % 128 / 8);
      }
    }
}

/* tcgen05.cp by each lane of the mask: taddr in row, descriptor in rows row + 1 and row + 2. */
void lm_tensor_copy(Wave *w, u32 instruction, u64 mask, u32 row, u32 table_number, u32 rows, u32 columns,
                    u32 pair) {
  Matrix m;
  for (u32 lane = 0; lane < WARP_LANES; lane++) {
    Source s;
    if (!(mask >> lane & 1)) continue;
    u32 taddr = w->value[row][lane];
    u64 descriptor = w->value[row + 1][lane] | (u64)w->value[row + 2][lane] << 32;
    if (taddr >> 16) tensor_rule(w, instruction, 1ull << lane, RULE_COPY_LANE, taddr >> 16, 0, 0);
    if (!read_descriptor(w, instruction, lane, descriptor, &s)) continue;
    tensor_begin(w, TENSOR_ASYNC);
    for (u32 other = 0; other <= pair; other++) {
      Cta *to = other ? tensor_peer(w, instruction) : w->cta;
      if (!to) continue;
      read_source(w, instruction, lane, to, &s, rows, columns * 4, &m);
      write_cells(w, instruction, lane, to, taddr & 0xffff, columns, w->launch->tables[table_number], &s, &m);
    }
  }
}

#define SHIFT_COLUMNS 8

/* tcgen05.shift.down by each lane of the mask: taddr in row. The table has for each of 32 lanes and 8
 * columns and element the element that it receives. */
void lm_tensor_shift(Wave *w, u32 instruction, u64 mask, u32 row, u32 table_number, u32 pair) {
  const i32 *table = w->launch->tables[table_number];
  u32 bits = (u32)*table++, each = 32 / bits;
  for (u32 lane = 0; lane < WARP_LANES; lane++) {
    if (!(mask >> lane & 1)) continue;
    u32 from = w->value[row][lane] >> 16, column = w->value[row][lane] & 0xffff;
    if (from % WARP_LANES || from >= TENSOR_LANES) {
      tensor_rule(w, instruction, 1ull << lane, RULE_SHIFT_LANE, from, 0, 0);
      continue;
    }
    tensor_begin(w, TENSOR_ASYNC);
    for (u32 other = 0; other <= pair; other++) {
      Cta *to = other ? tensor_peer(w, instruction) : w->cta;
      u8 data[WARP_LANES * SHIFT_COLUMNS * 4], undefined[WARP_LANES * SHIFT_COLUMNS * 4];
      u32 cells[WARP_LANES * SHIFT_COLUMNS], good = to != 0;
      for (u32 c = 0; good && c < SHIFT_COLUMNS; c++)
        good = tensor_owned(w, to, instruction, 1ull << lane, column + c);
      if (!good) continue;
      for (u32 i = 0; i < WARP_LANES * SHIFT_COLUMNS; i++) {
        cells[i] = (column + i % SHIFT_COLUMNS) * TENSOR_LANES + from + i / SHIFT_COLUMNS;
        tensor_order(w, to->tensor, instruction, 1ull << lane, cells[i], TENSOR_ASYNC, 0);
        copy_bytes(data + i * 4, (u8 *)&to->tensor->data[cells[i]], 4);
        copy_bytes(undefined + i * 4, (u8 *)&to->tensor->undefined[cells[i]], 4);
      }
      for (u32 i = 0; i < WARP_LANES * SHIFT_COLUMNS; i++) {
        u32 value = 0, bad = 0;
        for (u32 j = 0; j < each; j++) {
          i32 source = table[i * each + j];
          if (source < 0) source = (i32)(i * each + j);
          value |= field_of(data, (u32)source * bits, bits) << (j * bits);
          bad |= field_of(undefined, (u32)source * bits, bits) << (j * bits);
        }
        tensor_order(w, to->tensor, instruction, 1ull << lane, cells[i], TENSOR_ASYNC, 1);
        to->tensor->data[cells[i]] = value;
        to->tensor->undefined[cells[i]] = bad;
      }
    }
  }
}

/* One arrival for all that the warp has handed to the tensor core, with what the warp knows: it implies
 * fence::before_thread_sync (PTX ISA, tcgen05.commit). */
static void commit_to(Wave *w, u32 instruction, u32 lane, u32 space, u64 address) {
  Cta *owner;
  Mbarrier *m = mbarrier_find(w, instruction, lane, space, address, &owner);
  if (!m) return;
  u64 *clock = mbarrier_gathering(owner, m);
  lm_publish(w, clock);
  u64 count = w->group->member_count, sequence = w->tensor_sequence[TENSOR_ASYNC];
  u64 *done = clock + general_words(w->group) + CLOCK_DONE * count;
  u64 *over = clock + (CLOCK_OVER + TENSOR_ASYNC) * count;
  if (done[w->member] < sequence) done[w->member] = sequence;
  if (over[w->member] < sequence) over[w->member] = sequence;
  mbarrier_arrive(w, instruction, lane, owner, m, 1);
}

void lm_tensor_fence(Wave *w, u64 mask, u32 after);

/* tcgen05.commit by each lane of the mask: the address in `address`; with `multicast` row has a mask of
 * CTAs, whose objects lie at the same offset. */
void lm_tensor_commit(Wave *w, u32 instruction, u32 space, u64 mask, u32 row, u32 multicast) {
  Group *g = w->group;
  lm_tensor_fence(w, mask, 0);
  next_access(w, SPACE_SHARED);
  for (u32 lane = 0; lane < WARP_LANES; lane++) {
    u64 address = w->address[lane];
    if (!(mask >> lane & 1)) continue;
    if (!multicast) {
      commit_to(w, instruction, lane, space, address);
      continue;
    }
    Place p;
    u32 ctas = w->value[row][lane] & 0xffff;
    if (!ctas || ctas >> g->cta_count)
      tensor_rule(w, instruction, 1ull << lane, RULE_COMMIT_CTAS, ctas, g->cta_count, 0);
    if (!resolve(w, space, lane, address, MBARRIER_BYTES, &p) || p.space != SPACE_SHARED) {
      out_of_bounds(w, instruction, SPACE_SHARED, lane, address, MBARRIER_BYTES);
      continue;
    }
    for (u32 i = 0; i < g->cta_count; i++)
      if (ctas >> i & 1)
        commit_to(w, instruction, lane, SPACE_CLUSTER, g->ctas[i]->shared_base + p.offset);
  }
}
