/* ldmatrix, stmatrix, movmatrix: rows of 16 bytes in shared memory and the registers of a warp, as the
 * layout maps of the model say. A table begins with the bits of an element. */
#include "access.h"

#define ROW_BYTES 16
#define MOVED_LANES 32

/* The rows at the addresses of the first `rows` lanes; 0 where one cannot be accessed. */
static int matrix_rows(Wave *w, u32 instruction, u32 space, u32 rows, u32 kind, Place *places) {
  int good = 1;
  for (u32 lane = 0; lane < rows; lane++) {
    u64 address = w->address[lane];
    if (!resolve(w, space, lane, address, ROW_BYTES, &places[lane])) {
      out_of_bounds(w, instruction, space, lane, address, ROW_BYTES);
      good = 0;
    } else if (address % ROW_BYTES) {
      misaligned(w, instruction, space, lane, address, ROW_BYTES);
      good = 0;
    } else {
      order_access(w, instruction, lane, &places[lane], ROW_BYTES, kind, 0);
    }
  }
  return good;
}

/* Elements narrower than their place (-1 in the table) leave zeros. */
void lm_ptx_matrix_load(Wave *w, u32 instruction, u32 space, u32 rows, u32 registers, u32 table_number) {
  const i32 *table = w->launch->tables[table_number];
  u32 bits = (u32)*table++, each = 32 / bits;
  u8 data[MOVED_LANES * ROW_BYTES + 8] = {0}, undefined[MOVED_LANES * ROW_BYTES + 8] = {0};
  Place places[MOVED_LANES];
  w->sequence[1]++;
  if (matrix_rows(w, instruction, space, rows, ACCESS_LOAD, places))
    for (u32 lane = 0; lane < rows; lane++) {
      copy_bytes(data + lane * ROW_BYTES, places[lane].data, ROW_BYTES);
      copy_bytes(undefined + lane * ROW_BYTES, places[lane].undefined, ROW_BYTES);
    }
  for (u32 lane = 0; lane < MOVED_LANES; lane++)
    for (u32 r = 0; r < registers; r++) {
      u32 value = 0, unknown = 0;
      for (u32 i = 0; i < each; i++) {
        i32 from = *table++;
        if (from < 0) continue;
        value |= field(data, (u32)from * bits, bits) << (i * bits);
        unknown |= field(undefined, (u32)from * bits, bits) << (i * bits);
      }
      w->value[r][lane] = value;
      w->undefined[r][lane] = unknown;
      w->origin[r][lane] =
          unknown ? lm_origin(w, ORIGIN_MEMORY, instruction, lane, SPACE_SHARED, w->address[0]) : 0;
      if (unknown && !w->launch->precise) w->stop = STOP_IMPRECISE;
    }
}

static void set_field(u8 *bytes, u32 at, u32 bits, u32 value) {
  for (u32 i = 0; i < bits; i++) {
    u32 bit = at + i;
    bytes[bit / 8] = (u8)((bytes[bit / 8] & ~(1u << bit % 8)) | (value >> i & 1) << bit % 8);
  }
}

void lm_ptx_matrix_store(Wave *w, u32 instruction, u32 space, u32 rows, u32 registers, u32 table_number) {
  const i32 *table = w->launch->tables[table_number];
  u32 bits = (u32)*table++, each = 32 / bits;
  u8 data[MOVED_LANES * ROW_BYTES] = {0}, undefined[MOVED_LANES * ROW_BYTES] = {0};
  Place places[MOVED_LANES];
  w->sequence[1]++;
  if (!matrix_rows(w, instruction, space, rows, ACCESS_STORE, places)) return;
  for (u32 lane = 0; lane < MOVED_LANES; lane++)
    for (u32 r = 0; r < registers; r++)
      for (u32 i = 0; i < each; i++) {
        i32 to = *table++;
        if (to < 0) continue;
        set_field(data, (u32)to * bits, bits, w->value[r][lane] >> (i * bits));
        set_field(undefined, (u32)to * bits, bits, w->undefined[r][lane] >> (i * bits));
      }
  for (u32 lane = 0; lane < rows; lane++) {
    copy_bytes(places[lane].data, data + lane * ROW_BYTES, ROW_BYTES);
    copy_bytes(places[lane].undefined, undefined + lane * ROW_BYTES, ROW_BYTES);
    for (u32 i = 0; i < ROW_BYTES; i++)
      if (undefined[lane * ROW_BYTES + i] && !w->launch->precise) w->stop = STOP_IMPRECISE;
  }
}

/* Row 0 of every lane from row 0 of other lanes. */
void lm_ptx_matrix_move(Wave *w, u32 instruction, u32 table_number) {
  (void)instruction;
  const i32 *table = w->launch->tables[table_number];
  u32 bits = (u32)*table++, each = 32 / bits, value[MOVED_LANES], undefined[MOVED_LANES];
  for (u32 lane = 0; lane < MOVED_LANES; lane++) {
    value[lane] = undefined[lane] = 0;
    for (u32 i = 0; i < each; i++) {
      u32 from = (u32)*table++ * bits, mask = bits == 32 ? ~0u : (1u << bits) - 1;
      value[lane] |= (w->value[0][from / 32] >> from % 32 & mask) << (i * bits);
      undefined[lane] |= (w->undefined[0][from / 32] >> from % 32 & mask) << (i * bits);
    }
  }
  for (u32 lane = 0; lane < MOVED_LANES; lane++) {
    w->value[0][lane] = value[lane];
    w->undefined[0][lane] = undefined[lane];
  }
}
