/* Matrix products of one warp, whose operands lie in registers: mma.sync and wmma.mma. */
#ifndef LANEMAP_MMA_H
#define LANEMAP_MMA_H
#include "panel.h"

/* One instruction, a table of its program. A lies in scratch rows from 0 on, the other operands
 * in those from b_row, c_row and d_row on. It makes `products` products of rows x columns x
 * depth. The rule's result is the type in which sums are kept; C and D may have another (enum
 * Result). `mode` (enum Round) is that of fused multiply-adds.
 *
 * Registers of f64 take two rows, of which the first has the doubles of all lanes.
 *
 * Where A is sparse, `chunk` is the number of its elements that four bits of metadata describe,
 * otherwise 0. The metadata lies in row `metadata_row`, the chunks' bits as `metadata_table`
 * says. `ordered`: the elements must be named in ascending order. Chunks are multiplied in
 * `steps`: those whose number modulo `steps` is 0 first.
 *
 * Scaled operands have `blocks` scales along k for each line, otherwise 0. The scales of A and of B
 * lie in rows scale_row and scale_row + 1, the selectors in the two rows after these: a byte, and
 * above it 16 bits further a thread. The tables `scale_tables` + 0 and + 1 have, for each thread of
 * a quad and each byte, the places of a line's scales: 4 * bytes * (lines * blocks), -1 where the
 * selectors select nothing.
 *
 * `direct`: the elements lie as PTX says, and not as a map that replaces the model's: those of f64,
 * or, of 32 bits, those of C and D of 16 rows. */
typedef struct Mma {
  SumRule rule;
  u32 rows, columns, depth, products;
  u32 a_format, b_format, c_result, d_result;
  u32 b_row, c_row, d_row, mode;
  u32 chunk, metadata_row, metadata_table, ordered, steps;
  u32 blocks, scale_format, scale_row, scale_tables[2], direct;
} Mma;

/* D = A x B + C of f64 where the operands lie, from the first registers of each on. */
void multiply_doubles(const Mma *m, const u8 *a, const u8 *b, const u8 *c, u8 *d);
#endif
