/* tcgen05.mma: what its text says, and what text and instruction descriptor say together.
 *
 * PTX ISA 9.0, 9.7.16.2.1 (Matrix Shape), 9.7.16.4.2 (Instruction descriptor), 9.7.16.10.1
 * (Transpose and Negate operations), 9.7.16.10.7 (Block Scaling).
 */
#ifndef LANEMAP_TENSOR_SHAPE_H
#define LANEMAP_TENSOR_SHAPE_H
#include "panel.h"
#include "tensor.h"

/* .kind: those without scales, then those with. */
enum MmaKind { MMA_F16, MMA_TF32, MMA_F8F6F4, MMA_I8, MMA_MXF8F6F4, MMA_MXF4, MMA_MXF4NVF4 };
/* .collector: of A; of .ws one of the four buffers of B. Discarding is the default. */
enum Collector { COLLECTOR_DISCARD, COLLECTOR_FILL, COLLECTOR_USE, COLLECTOR_LASTUSE };

/* One instruction, a table of its program. */
typedef struct MmaForm {
  u32 kind;             /* enum MmaKind */
  u32 sparse, ws, pair; /* .sp, .ws, .cta_group::2 */
  u32 vector; /* scales of a row: 1, 2 or 4 as .scale_vec or .block says; 0: as .kind has it */
  u32 a_in_tensor_memory, ashift;
  u32 collector, buffer;         /* enum Collector; number of the buffer of B */
  u32 disables, zeros;           /* a mask of lanes of D is given; one of columns of B */
  u32 scale_d, unused;           /* D as an addend is divided by 2^scale_d */
  SumRule rules[RESULT_F16 + 1]; /* of sums, by enum Result */
} MmaForm;

/* One execution. M, N and K are those of the whole product, of both CTAs where there are two,
 * and K of a sparse A counts its zeros. */
typedef struct MmaShape {
  u32 rows, columns, depth;
  u32 a_format, b_format; /* enum Format */
  u32 bits;               /* of what holds an element of A or B: 8 for all of f8f6f4 */
  u32 result;             /* enum Result: f16, f32 or 32-bit integers */
  u32 a_mn, b_mn;         /* M-major, N-major */
  u32 negate_a, negate_b, saturate;
  u32 selector;                  /* sparsity selector */
  u32 max_shift;                 /* of .ws, in rows: 0, 8, 16 or 32 */
  u32 scales;                    /* of a row of A or a column of B: 0, 1, 2 or 4 */
  u32 scale_format, scale_depth; /* enum Format; k that one scale serves */
  u32 sfa_id, sfb_id;            /* byte of its column where the first scale of a row lies */
  u32 layout; /* of D: the letter that the ISA has for it (lanemap/model/tcgen05_mma.py) */
} MmaShape;

static inline int mma_scaled(const MmaForm *f) { return f->kind >= MMA_MXF8F6F4; }

/* Decode the instruction descriptor that a lane gives. 0 after a hazard: it contradicts itself
 * or the text. */
int mma_shape(Wave *w, u32 instruction, u32 lane, const MmaForm *f, u32 idesc, MmaShape *s);
#endif
