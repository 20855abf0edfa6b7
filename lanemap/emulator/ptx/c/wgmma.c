/* wgmma (PTX ISA, Asynchronous Warpgroup Level Matrix Instructions): one product by four warps.
 *
 * The warps of a warpgroup meet at each wgmma.mma_async; the last one that comes computes it.
 * Operands are read and D is computed then. That D, the registers of A and the operands in
 * shared memory are in use until wgmma.wait_group is what the registers' state (wgmma_registers.c)
 * and the order of accesses hold. The engine's accesses bear the stamp of the warpgroup's first
 * warp: whichever of the four waits learns that they are over.
 */
#include "wgmma.h"
#include "events.h"
#include "lanes.h"
#include "memory_model.h"
#include "phases.h"
#include "ptx_cta.h"
#include "ptx_warp.h"

void warpgroups_begin(Cta *c) {
  u32 tracked = ptx_cta(c)->tracked;
  for (u32 i = 0; ptx_cta(c)->warpgroups && i < c->wave_count; i++) {
    Warpgroup *g = &ptx_cta(c)->warpgroups[i / GROUP_WARPS];
    WgmmaWarp *s = &g->warps[i % GROUP_WARPS];
    g->here = 0;
    g->form = 0;
    s->fenced = s->last = s->groups = s->done = s->waited = 0;
    fill_bytes((u8 *)s->writer, 0, tracked * sizeof s->writer[0]);
    fill_bytes((u8 *)s->reader, 0, tracked * sizeof s->reader[0]);
    fill_bytes(s->written, 0, tracked);
  }
}

/* -- operands in shared memory ----------------------------------------------------------------- */

/* What a descriptor says (PTX ISA, Matrix-descriptor format). The code of its swizzle is that of
 * tcgen05 without the lowest bit. */
static SharedLayout shared_layout_of(Wave *w, u32 instruction, u64 descriptor, u32 mn, u32 depth,
                                     const WgmmaForm *f, u32 operand) {
  u32 swizzle = field_of(descriptor, WGMMA_SHARED_SWIZZLE), tile = f->tiles[4 * operand + swizzle];
  const LayoutColumns *columns = canonical_layout(mn, 2 * swizzle, f->bits);
  if (descriptor & WGMMA_SHARED_UNUSED)
    report_rule(w, instruction, w->active, RULE_WGMMA_DESCRIPTOR, descriptor,
                descriptor & WGMMA_SHARED_UNUSED, 0);
  if (!mn && swizzle && depth * f->bits / 8 > columns->width)
    report_rule(w, instruction, w->active, RULE_WGMMA_NARROW, depth * f->bits / 8, columns->width,
                0);
  return (SharedLayout){.start = field_of(descriptor, WGMMA_SHARED_START) * 16,
                        .leading = field_of(descriptor, WGMMA_SHARED_LEADING) * 16,
                        .stride = field_of(descriptor, WGMMA_SHARED_STRIDE) * 16,
                        .base = field_of(descriptor, WGMMA_SHARED_BASE),
                        .mn = mn,
                        .bits = f->bits,
                        .columns = columns,
                        .tile = tile ? (const i32 *)f + tile : 0};
}

/* K of A as it is stored. */
static u32 stored_depth(const WgmmaForm *f) { return f->sparse ? f->depth / 2 : f->depth; }

/* Places of single elements; of runs there are far fewer. */
#define MOST_DEPTH 64
#define MOST_PLACES (MOST_COLUMNS * MOST_DEPTH)

/* The waves' clocks at their least: what all four know, in that of the first. */
static void know_least(Wave *w, u64 *saved) {
  Group *g = w->group;
  u64 words = clock_words(g), *mine = times_of(first_of(w));
  copy_bytes((u8 *)saved, (u8 *)mine, words * 8);
  for (u32 i = 1; i < GROUP_WARPS; i++) {
    const u64 *other = times_of(warp_at(w, i));
    for (u64 j = 0; j < words; j++) mine[j] = other[j] < mine[j] ? other[j] : mine[j];
  }
}

/* Read an operand for the order of accesses: all of B by what all warps know, of A each warp's
 * own rows by what it knows itself (FlashAttention-3 at 2.7.4,
 * hopper/mainloop_fwd_sm90_tma_gmma_ws.hpp, syncs warps alone: "each warp is using its own P
 * values"). */
static int read_operand(Wave *w, Wave *by, u32 instruction, u64 stamp, const View *v, u32 lines,
                        u32 depth, u32 bits) {
  Access a = {by, instruction, SPACE_SHARED, ACCESS_LOAD, 1, {stamp, stamp}, &w->cta->shared};
  int good = lm_access_view(&a, v, lines, depth, bits, first_lane(by->full), DECIDES_MATRIX);
  if (by->stop) w->stop = by->stop; /* the run loop looks at the warp that runs */
  return good && !w->stop;
}

static int read_operands(Wave *w, u32 instruction, const WgmmaForm *f, const SharedLayout *la,
                         const View *a, const View *b) {
  u32 depth = stored_depth(f), places[GROUP_ROWS / GROUP_WARPS * MOST_DEPTH];
  u64 saved[MOST_CLOCK_WORDS];
  Group *g = w->group;
  Wave *first = first_of(w);
  u32 sequence = ++first->engine_sequence[AGENT_ENGINE - AGENT_LOAD];
  u64 stamp = stamp_of(first, AGENT_ENGINE, sequence);
  int good = 1;
  for (u32 i = 0; i < GROUP_WARPS; i++)
    clock_of(g, first->member + i, CLOCK_FENCED + CLOCK_ISSUED)[first->member] = sequence;
  if (w->launch->log) log_access(w, stamp, instruction);
  for (u32 i = 0; !f->a_registers && i < GROUP_WARPS; i++) {
    View own = *a;
    if (a->along_k) own.places += i * 16 * (depth / a->run);
    else own = view_of(la, &w->cta->shared, i * 16, 16, 0, depth, places);
    good &= read_operand(w, warp_at(w, i), instruction, stamp, &own, 16, depth, f->bits);
  }
  know_least(w, saved);
  good &= read_operand(w, first, instruction, stamp, b, f->columns, f->depth, f->bits);
  copy_bytes((u8 *)times_of(first), (u8 *)saved, clock_words(g) * 8);
  return good;
}

/* -- registers of the four warps --------------------------------------------------------------- */

typedef u16 Half __attribute__((may_alias));
typedef struct WgmmaTile {
  u32 a[GROUP_WARPS][WGMMA_A_REGISTERS][GROUP_LANES];
  u32 dense[GROUP_ROWS * 16]; /* a sparse A, expanded */
} WgmmaTile __attribute__((aligned(64)));

/* A warp's D of 32-bit elements where registers 4*c + 2*h and the next hold 8 columns from 8*c
 * on of the rows 8*h to 8*h + 7, lane l columns 2*(l%4) and the next of row l/4: to rows of
 * `columns` words, or from them. */
static void swap_pairs(u32 *tile, Wave *w, const i32 *registers, u32 columns, int to_registers) {
  for (u32 r = 0; r < columns / 2; r += 2) {
    u32 *at = tile + r / 2 % 2 * 8 * columns + r / 4 * 8, *even = d_register(w, registers, r),
        *odd = d_register(w, registers, r + 1);
    for (u32 lane = 0; lane < GROUP_LANES; lane += 16, at += 4 * columns) {
      u32 *lines[4] = {at, at + columns, at + 2 * columns, at + 3 * columns};
      if (to_registers) {
        Words low = __builtin_shufflevector(LOAD(EightWords, lines[0]), LOAD(EightWords, lines[1]),
                                            0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15);
        Words high = __builtin_shufflevector(LOAD(EightWords, lines[2]), LOAD(EightWords, lines[3]),
                                             0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15);
        STORE(even + lane, (__builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18,
                                                    19, 20, 21, 22, 23)));
        STORE(odd + lane, (__builtin_shufflevector(low, high, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25,
                                                   26, 27, 28, 29, 30, 31)));
        continue;
      }
      Words first = LOAD(Words, even + lane), second = LOAD(Words, odd + lane);
      STORE(lines[0], (__builtin_shufflevector(first, second, 0, 16, 1, 17, 2, 18, 3, 19)));
      STORE(lines[1], (__builtin_shufflevector(first, second, 4, 20, 5, 21, 6, 22, 7, 23)));
      STORE(lines[2], (__builtin_shufflevector(first, second, 8, 24, 9, 25, 10, 26, 11, 27)));
      STORE(lines[3], (__builtin_shufflevector(first, second, 12, 28, 13, 29, 14, 30, 15, 31)));
    }
  }
}

/* The table has for each warp, register, half of it where D has 16 bits, and lane an element. */
static void take_tile(Wave *w, const WgmmaForm *f, const i32 *registers, u32 *d) {
  const i32 *element = w->launch->tables[f->d_table];
  Half *halves = (Half *)d;
  for (u32 i = 0; i < GROUP_WARPS; i++) {
    Wave *from = warp_at(w, i);
    if (f->pairs) {
      swap_pairs(d + 16 * i * f->columns, from, registers, f->columns, 0);
      continue;
    }
    for (u32 r = 0; r < f->d_registers; r++) {
      const u32 *row = d_register(from, registers, r);
      for (u32 lane = 0; lane < GROUP_LANES; lane++) {
        if (f->rule.result != RESULT_F16) d[element[lane]] = row[lane];
        else halves[element[lane]] = (u16)row[lane];
        if (f->rule.result == RESULT_F16)
          halves[element[GROUP_LANES + lane]] = (u16)(row[lane] >> 16);
      }
      element += f->rule.result == RESULT_F16 ? 2 * GROUP_LANES : GROUP_LANES;
    }
  }
}

/* D of one warp, where it was computed elsewhere. */
static void take_result(Wave *w, const WgmmaForm *f, const i32 *registers) {
  const u32 *d = warpgroup_of(w)->d;
  const Half *halves = (const Half *)d;
  u32 number = w->index % GROUP_WARPS, short_d = f->rule.result == RESULT_F16,
      each = short_d ? 2 * GROUP_LANES : GROUP_LANES;
  if (f->pairs) {
    swap_pairs((u32 *)d + 16 * number * f->columns, w, registers, f->columns, 1);
    return;
  }
  const i32 *element = w->launch->tables[f->d_table] + number * f->d_registers * each;
  for (u32 r = 0; r < f->d_registers; r++, element += each) {
    u32 *row = d_register(w, registers, r);
    for (u32 lane = 0; lane < GROUP_LANES; lane++)
      row[lane] = short_d ? halves[element[lane]] | (u32)halves[element[GROUP_LANES + lane]] << 16
                          : d[element[lane]];
  }
}

/* A from registers: the table begins with the length of its runs along k. */
static View registers_view(Wave *w, const WgmmaForm *f, WgmmaTile *t, u32 k, u32 depth,
                           u32 *places) {
  const i32 *table = w->launch->tables[f->a_table];
  u32 run = (u32)*table++, runs = stored_depth(f) / run, *at = places;
  for (u32 i = 0; i < GROUP_WARPS; i++)
    for (u32 r = 0; r < WGMMA_A_REGISTERS; r++)
      copy_bytes((u8 *)t->a[i][r], (const u8 *)warp_at(w, i)->value[WGMMA_ROW_A + r],
                 sizeof t->a[i][r]);
  for (u32 line = 0; line < GROUP_ROWS; line++)
    for (u32 i = k / run; i < (k + depth) / run; i++) *at++ = (u32)table[line * runs + i];
  return (View){.base = (const u8 *)t->a,
                .places = places,
                .run = run,
                .step = f->bits,
                .along_k = 1,
                .next = 4};
}

/* -- sparse operands --------------------------------------------------------------------------- */

static u32 stored_bits(const u8 *base, u32 bit, u32 bits) {
  u32 word = 0;
  copy_bytes((u8 *)&word, base + bit / 8, (bits + 7) / 8);
  return word >> bit % 8 & (bits == 32 ? ~0u : (1u << bits) - 1);
}

/* The metadata of a chunk of four elements, of which two are stored, are their numbers; of
 * 32-bit elements a chunk has two, and the numbers are those of an element's halves (PTX ISA,
 * Sparse matrix storage). */
static int place_elements(const WgmmaForm *f, u32 metadata, u32 *first, u32 *second) {
  *first = metadata & 3;
  *second = metadata >> 2;
  if (f->bits < 32) return *first < *second;
  *first = *second >> 1;
  return metadata == 4 || metadata == 14;
}

/* A sparse A as rows of `depth` elements, zeros where none is stored. */
static View expand(Wave *w, u32 instruction, const WgmmaForm *f, WgmmaTile *t, const View *v,
                   u32 *places) {
  const i32 *table = w->launch->tables[f->metadata_table];
  u32 each = f->bits < 32 ? 2 : 1, chunks = stored_depth(f) / each, stored = stored_depth(f);
  u8 *dense = (u8 *)t->dense;
  fill_bytes(dense, 0, sizeof t->dense);
  for (u32 row = 0; row < GROUP_ROWS; row++)
    for (u32 chunk = 0; chunk < chunks; chunk++) {
      u32 at = (u32)*table++, warp = at / (GROUP_LANES * 32), to[2];
      u32 metadata =
          warp_at(w, warp)->value[WGMMA_ROW_A + WGMMA_A_REGISTERS][at / 32 % GROUP_LANES] >>
              at % 32 &
          15;
      if (!place_elements(f, metadata, &to[0], &to[1]))
        report_rule(w, instruction, w->active, RULE_WGMMA_METADATA, metadata, row, chunk);
      for (u32 i = 0; i < each; i++) {
        u32 k = chunk * each + i, along = v->along_k ? k : row, across = v->along_k ? row : k;
        u32 runs = (v->along_k ? stored : GROUP_ROWS) / v->run;
        u32 code = stored_bits(
            v->base, v->places[across * runs + along / v->run] + along % v->run * v->step, f->bits);
        u32 bit = (row * f->depth + chunk * 2 * each + to[i]) * f->bits;
        copy_bytes(dense + bit / 8, (const u8 *)&code, f->bits / 8);
      }
    }
  for (u32 row = 0; row < GROUP_ROWS; row++) places[row] = row * f->depth * f->bits;
  return (View){
      .base = dense, .places = places, .run = f->depth, .step = f->bits, .along_k = 1, .next = 4};
}

/* -- the product ------------------------------------------------------------------------------- */

/* Where the engine finds C and leaves D (panel.h): in the rows of Warpgroup.d, or, four rows at
 * once, in the registers that have 16 columns of them. */
static void find_strips(Wave *w, const WgmmaForm *f, const i32 *registers) {
  Warpgroup *g = warpgroup_of(w);
  u32 columns = f->columns, across = strips_of(columns),
      size = f->rule.result == RESULT_F16 ? 2 : 4;
  if (g->form == f && g->registers == registers) return;
  g->form = f;
  g->registers = registers;
  for (u32 row = 0; row < GROUP_ROWS; row++)
    for (u32 j = 0; j < across; j++) {
      u32 number = 8 * j + row % 4 / 2 * 4 + row / 8 % 2 * 2 + row % 2;
      u8 **strip = &g->strips[row * across + j];
      if (!f->direct) *strip = (u8 *)g->d + (row * columns + j * PANEL_LINES) * size;
      else if (number < f->d_registers)
        *strip = (u8 *)(d_register(warp_at(w, row / 16), registers, number) + row / 4 % 2 * 16);
    }
}

static void multiply_group(Wave *w, u32 instruction, const WgmmaForm *f, const i32 *registers,
                           const SharedLayout *la, const View *va, const SharedLayout *lb,
                           const View *vb, u32 adds, WgmmaTile *t) {
  u32 places[MOST_PLACES], expanded[GROUP_ROWS], depth = f->depth, columns = f->columns;
  u32 across = strips_of(columns), step = depth;
  const Memory *m = &w->cta->shared;
  Panel a, b;
  SumRule rule = f->rule;
  rule.fresh = !adds;
  rule.quads = f->direct;
  find_strips(w, f, registers);
  while (across * PANEL_LINES * step > PANEL_ELEMENTS || step > PANEL_DEPTH) step /= 2;
  for (u32 k = 0; k < depth; k += step) {
    Operand o = {.lines = GROUP_ROWS, .format = f->a_format, .negate = f->negate};
    u32 from = f->sparse ? k / 2 : k, count = f->sparse ? step / 2 : step;
    o.view = f->a_registers  ? registers_view(w, f, t, from, count, places)
             : step == depth ? *va
                             : view_of(la, m, 0, GROUP_ROWS, from, count, places);
    if (f->sparse) o.view = expand(w, instruction, f, t, &o.view, expanded);
    pack(&a, &o, step, &rule);
    o = (Operand){.lines = columns, .format = f->b_format};
    o.view = step == depth ? *vb : view_of(lb, m, 0, columns, k, step, places);
    pack(&b, &o, step, &rule);
    multiply(&a, &b, &rule, warpgroup_of(w)->strips);
    rule.fresh = 0;
  }
}

static void execute_wgmma(Wave *w, u32 instruction, const WgmmaForm *f, const i32 *registers) {
  Warpgroup *g = warpgroup_of(w);
  WgmmaTile t;
  View va = {0}, vb;
  const Memory *m = &w->cta->shared;
  u32 a_places[GROUP_ROWS * MOST_DEPTH], b_places[MOST_PLACES];
  SharedLayout b = shared_layout_of(w, instruction, g->b, f->b_mn, f->depth, f, 1), a = b;
  if (!f->a_registers) a = shared_layout_of(w, instruction, g->a, f->a_mn, stored_depth(f), f, 0);
  if (!f->a_registers) va = view_of(&a, m, 0, GROUP_ROWS, 0, stored_depth(f), a_places);
  vb = view_of(&b, m, 0, f->columns, 0, f->depth, b_places);
  int good = read_operands(w, instruction, f, &a, &va, &vb);
  u32 sequence = first_of(w)->engine_sequence[AGENT_ENGINE - AGENT_LOAD];
  g->operations[sequence % MOST_OPERATIONS] = (WgmmaOperation){instruction, f->shape};
  if (!f->direct && (g->adds || !good)) take_tile(w, f, registers, g->d);
  if (good && !w->stop)
    multiply_group(w, instruction, f, registers, &a, &va, &b, &vb, (u32)g->adds, &t);
}

/* -- meeting ----------------------------------------------------------------------------------- */

static void check_row_bits(Wave *w, u32 instruction, u32 first, u32 rows) {
  for (u32 r = first; r < first + rows; r++)
    if (row_undefined(w, r)) lm_undefined_row(w, instruction, w->full, r, DECIDES_MATRIX);
}

/* Registers of D with room for undefined bits, by number. */
typedef struct DoubtfulRegisters { u64 numbers[MOST_D_REGISTERS / 64]; } DoubtfulRegisters;

/* Report undefined bits of C; they and their origins lie behind a register. */
static void check_d(Wave *w, u32 instruction, const i32 *registers, const DoubtfulRegisters *d) {
  for (u32 i = 0; i < MOST_D_REGISTERS / 64; i++)
    for (u64 left = d->numbers[i]; left; left &= left - 1) {
      u32 number = 64 * i + lowest(left);
      const u32 *undefined = d_register(w, registers, number) + GROUP_LANES;
      if (!__builtin_reduce_or(LOAD(Words, undefined) | LOAD(Words, undefined + 16))) continue;
      copy_bytes((u8 *)w->undefined[WGMMA_ROW_D], (const u8 *)undefined, GROUP_LANES * 4);
      copy_bytes((u8 *)w->origin[WGMMA_ROW_D], (const u8 *)(undefined + GROUP_LANES),
                 GROUP_LANES * 4);
      lm_undefined_row(w, instruction, w->full, WGMMA_ROW_D, DECIDES_MATRIX);
    }
}

/* D is defined, as those who compile know. */
static void define_d(Wave *w, const i32 *registers, const DoubtfulRegisters *d) {
  for (u32 i = 0; i < MOST_D_REGISTERS / 64; i++)
    for (u64 left = d->numbers[i]; left; left &= left - 1)
      fill_bytes((u8 *)(d_register(w, registers, 64 * i + lowest(left)) + GROUP_LANES), 0,
                 GROUP_LANES * 4);
}

/* The first warp that comes says what the others must execute, too. */
static void join_warps(Wave *w, u32 instruction, u64 a, u64 b, u64 adds) {
  Warpgroup *g = warpgroup_of(w);
  if (!g->here) {
    g->instruction = instruction;
    g->a = a;
    g->b = b;
    g->adds = adds;
  } else if (g->instruction != instruction) {
    report_rule(w, instruction, w->active, RULE_WGMMA_DIFFERS, 0, 0, 0);
  } else if (g->a != a || g->b != b || g->adds != adds) {
    report_rule(w, instruction, w->active, RULE_WGMMA_OPERANDS, 0, 0, 0);
  }
  g->here |= 1u << w->index % GROUP_WARPS;
}

/* Are all four warps there, and all their lanes? */
static int all_warps(Wave *w, u32 instruction) {
  u32 first = w->index / GROUP_WARPS * GROUP_WARPS;
  if ((u32)w->active != 0xffffffff) {
    report_rule(w, instruction, w->active, RULE_WGMMA_LANES, w->active, 0, 0);
    return 0;
  }
  for (u32 i = first; i < first + GROUP_WARPS; i++) {
    if (i < w->cta->wave_count && w->group->members[w->cta->first_member + i]->status != RUN_END)
      continue;
    report_rule(w, instruction, w->active, RULE_WGMMA_WARPS, first, first + GROUP_WARPS - 1, i);
    return 0;
  }
  return 1;
}

/* wgmma.mma_async at the beginning of `block`, where all registers lie in the wave: meet the other
 * warps, and go on with D. A of registers, and metadata, lie in rows, too; `checked`: bits of these
 * may be undefined. `low`, `high`: the registers of D that have room for undefined bits. */
u32 lm_wgmma(Wave *w, u32 instruction, u32 block, u32 form, u32 registers, u64 a, u64 b, u64 adds,
             u32 checked, u64 low, u64 high) {
  const WgmmaForm *f = (const WgmmaForm *)w->launch->tables[form];
  const i32 *used = w->launch->tables[registers];
  Warpgroup *g = warpgroup_of(w);
  WgmmaWarp *s = state_of(w);
  const DoubtfulRegisters doubtful = {{low, high}};
  if (!s->done) {
    if (!all_warps(w, instruction)) {
      define_d(w, used, &doubtful);
      return (u32)GO_ON;
    }
    check_registers(w, instruction, f, used);
    if (checked && f->a_registers) check_row_bits(w, instruction, WGMMA_ROW_A, WGMMA_A_REGISTERS);
    if (checked && f->sparse) check_row_bits(w, instruction, WGMMA_ROW_A + WGMMA_A_REGISTERS, 1);
    if (adds) check_d(w, instruction, used, &doubtful);
    join_warps(w, instruction, a, b, adds);
    if (g->here != (1u << GROUP_WARPS) - 1) {
      w->block = block;
      w->barrier = WAITS_FOR_WARPGROUP;
      w->waiting = 1;
      return RUN_BARRIER;
    }
    execute_wgmma(w, instruction, f, used);
    if (w->group->clocks == ASYNC_CLOCKS) phases_meet(first_of(w), GROUP_WARPS);
    g->here = 0;
    for (u32 i = 0; i < GROUP_WARPS; i++) {
      Wave *other = warp_at(w, i);
      g->warps[i].done = 1;
      if (other == w) continue;
      other->status = RUN_ON;
      other->waiting = 0;
    }
  }
  s->done = 0;
  if (!f->direct) take_result(w, f, used);
  define_d(w, used, &doubtful);
  use_registers(w, f, used);
  return (u32)GO_ON;
}

/* A warp ended: others of its warpgroup that wait for it try again, which is a hazard. */
void warpgroup_left(Wave *w) {
  if (!ptx_cta(w->cta) || !ptx_cta(w->cta)->warpgroups) return;
  Warpgroup *g = warpgroup_of(w);
  for (u32 i = 0; g->here && i < GROUP_WARPS; i++) {
    if (!(g->here >> i & 1)) continue;
    warp_at(w, i)->status = RUN_ON;
    warp_at(w, i)->waiting = 0;
  }
  g->here = 0;
}
