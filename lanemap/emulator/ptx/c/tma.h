/* Tensor copies (PTX ISA, Tensors; Data Movement: cp.async.bulk.tensor and its relatives).
 *
 * A tensor map is decoded from its 128 bytes whenever an instruction uses it.
 * lanemap/model/tensor_map_bits.py says where each field lies. A box is a sequence of rows, each
 * of them contiguous bytes of the tensor.
 */
#ifndef LANEMAP_TMA_H
#define LANEMAP_TMA_H
#include "async.h"
#include "tensor_map_bits.h" /* written from lanemap/model/tensor_map_bits.py (lower/facts.py) */

enum { SWIZZLE_BITS = 8192, SWIZZLE_STILL = 2, SWIZZLE_UNITS = 1 };
enum { PADDED_ROW = 128 }; /* elements of a row of a padded type: no other number is legal */
/* Of a map's 128 bytes the first 64 say everything: an H200 copies the same boxes whatever the
 * others are (results/sm_90a/cuda/tma_swizzle.json), and CuTe DSL leaves them unwritten. */
enum { MAP_SAYS = 64 };
enum { TMA_ALIGN = 16, SHARED_ALIGN = 128 };

/* Which boxes an instruction moves. */
enum TmaMode { TMA_TILE, TMA_IM2COL, TMA_FOUR_ROWS };
/* How a load is done, besides its mode. */
enum TmaHow { TMA_MULTICAST = 1, TMA_PAIR = 2 };
/* Scratch rows of an operation, after its first: the map's address, coordinates, im2col offsets,
 * the mbarrier, a mask of CTAs. Of four rows the coordinates are a column and the rows. */
enum TmaRow {
  TMA_ROW_MAP,
  TMA_ROW_COORDINATES = 2,
  TMA_ROW_OFFSETS = 7,
  TMA_ROW_BARRIER = 10,
  TMA_ROW_CTAS = 12
};
/* What a store does: a plain one, or a reduction of the ISA. */
enum TmaStore { TMA_STORE, TMA_ADD, TMA_MIN, TMA_MAX, TMA_INC, TMA_DEC, TMA_AND, TMA_OR, TMA_XOR };

/* A decoded map: dimensions innermost first, strides in bytes. */
typedef struct TensorMap {
  u64 place;                                      /* of the map itself */
  u64 address, dims[MAP_DIMS], strides[MAP_DIMS]; /* strides[0] is that of an interleaved slice */
  u32 box[MAP_DIMS], steps[MAP_DIMS];
  i32 lower[3], upper[3];
  u32 rank, type, bits, im2col, interleave, swizzle, atom, fill, rounds, pixels;
} TensorMap;

/* A box: where it starts, and how its rows lie in shared memory, `pitch` bytes apart. */
typedef struct Box {
  const TensorMap *map;
  i64 start[MAP_DIMS];
  i64 offsets[3];         /* of im2col; rows of a gather in start[1], offsets[] */
  i64 position[3], image; /* im2col: the pixel of the next row */
  u32 mode, count[MAP_DIMS], index[MAP_DIMS];
  u32 rows, row_bytes, pitch;
  u32 packed; /* bytes of the tensor that shared memory pads to 16; 0: it has them as they are */
  const i32 *swizzle; /* of the model: whether it moves anything, then from where each bit */
} Box;

/* A row: its bytes from .. to - 1 lie in the tensor, from `address` on. */
typedef struct BoxRow {
  u64 address;
  u32 from, to;
} BoxRow;

/* The map, and the box, that scratch rows from `row` on name (enum TmaRow); 0 after a hazard.
 * `table`: whether the GPU heeds the swizzle atomicity, then the swizzles. */
int tma_map(Wave *w, u32 instruction, u32 lane, u32 mode, u32 rank, u32 row, u32 table,
            TensorMap *t);
/* An operation of this stamp reads the map until it is complete; `loads`: a load. */
void tma_uses(Wave *w, u32 instruction, u32 lane, const TensorMap *t, u64 stamp, int loads);
int tma_box(Wave *w, u32 instruction, u32 lane, u32 mode, u32 row, u32 table, const TensorMap *t,
            Box *b);
/* The rows of a box, one after the other. */
BoxRow next_row(Box *b);
/* Bytes of the tensor in a row, and in a box: what an mbarrier counts. */
static inline u32 tensor_bytes(const Box *b) {
  return b->packed ? b->row_bytes / TMA_ALIGN * b->packed : b->row_bytes;
}
static inline u32 box_bytes(const Box *b) { return b->rows * tensor_bytes(b); }
/* The reduction (enum Reduction, Atomic) that an operation is on elements of the map. */
#define NO_REDUCTION (~0u)
u32 reduction_of(const TensorMap *t, u32 operation);
#endif
