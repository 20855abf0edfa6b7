/* The instruction descriptor of tcgen05.mma, field by field, held against the instruction's
 * text.
 *
 * Tables of the PTX ISA 9.0: 39 (shapes), 42 to 44 (descriptors), 51 and 52 (transposes, N of
 * 8-bit elements), 57 (scales). Where another source allows more or less than the ISA, only
 * `strict` holds the narrower rule.
 */
#include "tensor_shape.h"
#include "descriptor_fields.h"

/* A check in progress: whose it is, and the descriptor's word. */
typedef struct {
  Wave *w;
  u32 instruction, word;
  u64 lanes;
} Idesc;

static u32 idesc_field(const Idesc *d, BitField field) { return field_of(d->word, field); }

/* A rule is broken: 0, which callers return. */
COLD static int idesc_wrong(const Idesc *d, u32 rule, u64 a, u64 b, u64 c) {
  report_rule(d->w, d->instruction, d->lanes, rule, a, b, c);
  return 0;
}

/* -- fields ------------------------------------------------------------------------------------ */

/* Formats by their code, plus one; 0: there is none. */
static const u8 MMA_FORMATS[][8] = {
    [MMA_F16] = {FORMAT_F16 + 1, FORMAT_BF16 + 1},
    [MMA_TF32] = {[2] = FORMAT_TF32 + 1},
    [MMA_F8F6F4] = {FORMAT_E4M3 + 1, FORMAT_E5M2 + 1, 0, FORMAT_E2M3 + 1, FORMAT_E3M2 + 1,
                    FORMAT_E2M1 + 1},
    [MMA_I8] = {FORMAT_U8 + 1, FORMAT_I8 + 1},
    [MMA_MXF8F6F4] = {FORMAT_E4M3 + 1, FORMAT_E5M2 + 1, 0, FORMAT_E2M3 + 1, FORMAT_E3M2 + 1,
                      FORMAT_E2M1 + 1},
    [MMA_MXF4] = {[1] = FORMAT_E2M1 + 1},
    [MMA_MXF4NVF4] = {[1] = FORMAT_E2M1 + 1},
};
static const u8 MMA_BITS[] = {
    [MMA_F16] = 16,     [MMA_TF32] = 32, [MMA_F8F6F4] = 8,   [MMA_I8] = 8,
    [MMA_MXF8F6F4] = 8, [MMA_MXF4] = 4,  [MMA_MXF4NVF4] = 4,
};
static const u16 TYPE_RULES[] = {
    [MMA_F16] = RULE_MMA_TYPE_F16,           [MMA_TF32] = RULE_MMA_TYPE_TF32,
    [MMA_F8F6F4] = RULE_MMA_TYPE_F8F6F4,     [MMA_I8] = RULE_MMA_TYPE_I8,
    [MMA_MXF8F6F4] = RULE_MMA_TYPE_MXF8F6F4, [MMA_MXF4] = RULE_MMA_TYPE_MXF4,
    [MMA_MXF4NVF4] = RULE_MMA_TYPE_MXF4NVF4,
};
static const u16 RESULT_RULES[] = {
    [MMA_F16] = RULE_MMA_D_F16,
    [MMA_TF32] = RULE_MMA_D_TF32,
    [MMA_F8F6F4] = RULE_MMA_D_F8F6F4,
    [MMA_I8] = RULE_MMA_D_I8,
};

static int decode_types(const Idesc *d, const MmaForm *f, MmaShape *s) {
  for (u32 i = 0; i < 2; i++) {
    BitField field = i ? INSTRUCTION_B_TYPE : INSTRUCTION_A_TYPE;
    u32 code = idesc_field(d, field), format = MMA_FORMATS[f->kind][code];
    if (!format) return idesc_wrong(d, TYPE_RULES[f->kind], code, field.low, field.low + 2);
    *(i ? &s->b_format : &s->a_format) = format - 1;
  }
  s->bits = MMA_BITS[f->kind];
  s->depth = (f->sparse ? 512 : 256) / s->bits;
  return 1;
}

static int decode_result(const Idesc *d, const MmaForm *f, MmaShape *s) {
  static const u8 results[] = {RESULT_F16, RESULT_F32, RESULT_I32};
  static const u8 allowed[] = {[MMA_F16] = 3, [MMA_TF32] = 2, [MMA_F8F6F4] = 3, [MMA_I8] = 4};
  u32 code = idesc_field(d, INSTRUCTION_D_TYPE);
  if (!(allowed[f->kind] >> code & 1)) return idesc_wrong(d, RESULT_RULES[f->kind], code, 0, 0);
  s->result = results[code];
  if (s->result == RESULT_F16 && (s->a_format == FORMAT_BF16 || s->b_format == FORMAT_BF16))
    return idesc_wrong(d, RULE_MMA_D_BF16, 0, 0, 0);
  return 1;
}

/* Bits that only the kinds without scales have; the others have scales there. */
static int decode_plain(const Idesc *d, const MmaForm *f, MmaShape *s) {
  u32 reserved = d->word & INSTRUCTION_UNUSED, shift = idesc_field(d, INSTRUCTION_MAX_SHIFT);
  if (reserved) return idesc_wrong(d, RULE_MMA_RESERVED, d->word, reserved, 0);
  s->selector = idesc_field(d, INSTRUCTION_SELECTOR);
  if (s->selector && !f->sparse) return idesc_wrong(d, RULE_MMA_SELECTOR, s->selector, 0, 0);
  s->saturate = idesc_field(d, INSTRUCTION_SATURATE);
  if (s->saturate && f->kind != MMA_I8) return idesc_wrong(d, RULE_MMA_SATURATE, 0, 0, 0);
  if (shift && !f->ws) return idesc_wrong(d, RULE_MMA_MAX_SHIFT, shift, 0, 0);
  s->max_shift = shift ? 4u << shift : 0;
  return decode_result(d, f, s);
}

static int decode_scales(const Idesc *d, const MmaForm *f, MmaShape *s) {
  u32 reserved = d->word & SCALED_INSTRUCTION_UNUSED, k = idesc_field(d, SCALED_INSTRUCTION_K96),
      ue8m0 = idesc_field(d, SCALED_INSTRUCTION_SCALE_TYPE);
  if (f->kind == MMA_MXF8F6F4) reserved |= d->word & 1u << 31;
  if (reserved) return idesc_wrong(d, RULE_MMA_RESERVED, d->word, reserved, 0);
  if (k) return idesc_wrong(d, RULE_MMA_K96, 0, 0, 0);
  s->result = RESULT_F32;
  s->scales = f->vector ? f->vector : f->kind == MMA_MXF8F6F4 ? 1 : 2;
  s->scale_depth = s->depth / s->scales;
  s->scale_format = ue8m0 ? FORMAT_E8M0 : FORMAT_UE4M3;
  if (!ue8m0 && f->kind == MMA_MXF8F6F4) return idesc_wrong(d, RULE_MMA_SCALE_MXF8, 0, 0, 0);
  if (!ue8m0 && f->kind == MMA_MXF4) return idesc_wrong(d, RULE_MMA_SCALE_MXF4, 0, 0, 0);
  if (!ue8m0 && s->scales != 4) return idesc_wrong(d, RULE_MMA_SCALE_NVF4, s->scales, 0, 0);
  s->sfa_id = idesc_field(d, SCALED_INSTRUCTION_SFA_ID);
  s->sfb_id = idesc_field(d, SCALED_INSTRUCTION_SFB_ID);
  /* The ID is a byte; several scales of a row begin at a multiple of their number. */
  if (s->sfa_id % s->scales) return idesc_wrong(d, RULE_MMA_SFA_ID, s->sfa_id, s->scales, 0);
  if (s->sfb_id % s->scales) return idesc_wrong(d, RULE_MMA_SFB_ID, s->sfb_id, s->scales, 0);
  return 1;
}

static int is_narrow(u32 format) {
  return format == FORMAT_E2M1 || format == FORMAT_E2M3 || format == FORMAT_E3M2;
}

/* Sparsity, negation and majors, which all kinds have at the same bits. */
static int decode_signs(const Idesc *d, const MmaForm *f, MmaShape *s) {
  u32 sparse = idesc_field(d, INSTRUCTION_SPARSE);
  if (sparse && !f->sparse) return idesc_wrong(d, RULE_MMA_SPARSE, 0, 0, 0);
  if (!sparse && f->sparse) return idesc_wrong(d, RULE_MMA_DENSE, 0, 0, 0);
  s->negate_a = idesc_field(d, INSTRUCTION_NEGATE_A);
  s->negate_b = idesc_field(d, INSTRUCTION_NEGATE_B);
  s->a_mn = idesc_field(d, INSTRUCTION_A_MN);
  s->b_mn = idesc_field(d, INSTRUCTION_B_MN);
  if (f->kind == MMA_I8 && (s->negate_a || s->negate_b))
    return idesc_wrong(d, RULE_MMA_NEGATE, 0, 0, 0);
  if (s->bits == 4 && (s->a_mn || s->b_mn)) return idesc_wrong(d, RULE_MMA_TRANSPOSE, 0, 0, 0);
  if (f->a_in_tensor_memory && s->a_mn) return idesc_wrong(d, RULE_MMA_TRANSPOSE_TENSOR, 0, 0, 0);
  /* CUTLASS has all majors for all elements of f8f6f4; the ISA's table 54 names 8 bits only. */
  int narrow = (s->a_mn && is_narrow(s->a_format)) || (s->b_mn && is_narrow(s->b_format));
  if (d->w->launch->strict && narrow) return idesc_wrong(d, RULE_MMA_TRANSPOSE_NARROW, 0, 0, 0);
  return 1;
}

/* -- M and N ----------------------------------------------------------------------------------- */

static int check_m(const Idesc *d, const MmaForm *f, const MmaShape *s) {
  u32 m = s->rows;
  if (f->ws) return m == 32 || m == 64 || m == 128 || idesc_wrong(d, RULE_MMA_M_WS, m, 0, 0);
  if (!mma_scaled(f) && !f->pair)
    return m == 64 || m == 128 || idesc_wrong(d, RULE_MMA_M, m, 1, 64);
  if (!mma_scaled(f) || (f->pair && !f->sparse))
    return m == 128 || m == 256 || idesc_wrong(d, RULE_MMA_M, m, 2, 128);
  u32 only = f->pair ? 256 : 128;
  return m == only || idesc_wrong(d, RULE_MMA_M_SCALED, m, 1 + f->pair, only);
}

/* N is a multiple of `step`. */
static int check_n_step(const Idesc *d, const MmaShape *s, u32 rule, u32 step) {
  return s->columns % step == 0 || idesc_wrong(d, rule, s->columns, step, s->rows);
}

/* What the ISA 9.0 allows, but CUTLASS (mma_sm100_umma.hpp) or, of M = 128, DeepGEMM (sm100
 * kernels) does not. */
static int check_n_strictly(const Idesc *d, const MmaForm *f, const MmaShape *s) {
  if (f->kind == MMA_I8 && !f->pair && s->columns == 24)
    return idesc_wrong(d, RULE_MMA_N_STRICT, 24, 16, s->rows);
  if (f->kind == MMA_I8 || mma_scaled(f)) return 1;
  if (!f->pair && s->rows == 128) return check_n_step(d, s, RULE_MMA_N_STRICT, 16);
  if (f->pair && (f->a_in_tensor_memory || (f->sparse && f->kind == MMA_F8F6F4)))
    return check_n_step(d, s, RULE_MMA_N_STRICT, 32);
  return 1;
}

static int check_n(const Idesc *d, const MmaForm *f, const MmaShape *s) {
  u32 n = s->columns, step = f->pair ? 16 : 8;
  if (f->ws) {
    if (n == 64 || n == 128 || (n == 256 && !f->sparse)) return 1;
    return idesc_wrong(d, f->sparse ? RULE_MMA_N_WS_SPARSE : RULE_MMA_N_WS, n, 0, 0);
  }
  if (!n || n > 256) return idesc_wrong(d, RULE_MMA_N, n, step, 0);
  if (f->kind == MMA_I8 && f->pair && !check_n_step(d, s, RULE_MMA_N_I8_PAIR, 32)) return 0;
  if (f->kind == MMA_I8 && n > 32 && !check_n_step(d, s, RULE_MMA_N_I8, 16)) return 0;
  if (!check_n_step(d, s, RULE_MMA_N, step)) return 0;
  /* Of B in shared memory with 8 bits and N-major (table 52; CuTe DSL 4.8.1,
   * nvgpu/tcgen05/mma.py). Kinds with scales have no such limit in CuTe DSL. */
  int bytes = s->b_mn && s->bits == 8 && !mma_scaled(f) && !is_narrow(s->b_format);
  if (bytes && !check_n_step(d, s, RULE_MMA_N_BYTES, 2 * step)) return 0;
  return !d->w->launch->strict || check_n_strictly(d, f, s);
}

/* Where D lies (PTX ISA, Data Path Layout Organization). */
static u32 result_layout(const MmaForm *f, u32 rows) {
  if (f->pair) return rows == 256 ? 'A' : f->sparse ? 'C' : 'B';
  if (rows == 128) return 'D';
  if (rows == 32) return 'G';
  return f->ws ? 'E' : 'F';
}

int mma_shape(Wave *w, u32 instruction, u32 lane, const MmaForm *f, u32 idesc, MmaShape *s) {
  Idesc d = {w, instruction, idesc, 1ull << lane};
  fill_bytes((u8 *)s, 0, sizeof *s);
  s->rows = idesc_field(&d, INSTRUCTION_M) * 16;
  s->columns = idesc_field(&d, INSTRUCTION_N) * 8;
  s->layout = result_layout(f, s->rows);
  if (!decode_types(&d, f, s) || !decode_signs(&d, f, s)) return 0;
  if (!(mma_scaled(f) ? decode_scales(&d, f, s) : decode_plain(&d, f, s))) return 0;
  if (!check_m(&d, f, s) || !check_n(&d, f, s)) return 0;
  if (f->ashift && s->rows < 128) return idesc_wrong(&d, RULE_MMA_ASHIFT, s->rows, 0, 0);
  return 1;
}
