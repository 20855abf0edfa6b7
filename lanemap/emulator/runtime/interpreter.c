/* Blocks in bytecode: one operation after the other, each by a function of its operands. */
#include "runtime.h"

#define MOST_OPERANDS 16 /* of a call of the runtime */

/* What an operation does: codegen/bytecode.py writes these. */
enum StepKind {
  STEP_DO,           /* calls its function */
  STEP_LEAVE,        /* the block returns its operand */
  STEP_LEAVE_UNLESS, /* the block returns its second operand if the first one is 0 */
};

/* One operation; an even number of places follows. A place is one of three bases in its upper two
 * bits, and an offset in bytes: of the wave, of the block's frame, of constants. The first place is
 * that of the result. */
typedef struct {
  void (*function)(Wave *w, void *result, void *x, void *y, void *z, void **more);
  u32 kind, count;
} Step;

/* The beginning of a block, before its steps. */
typedef struct {
  u64 frame_bytes;
  u8 *constants;
} Bytecode;

/* The code of every block in bytecode. */
u32 lm_interpret(Wave *w) {
  const Bytecode *code = w->launch->bytecode[w->block];
  u8 *frame = __builtin_alloca_with_align(code->frame_bytes, 512);
  u8 *bases[] = {(u8 *)w, frame, code->constants, 0};
  const Step *step = (const Step *)(code + 1);
  for (;;) {
    void *at[MOST_OPERANDS + 1];
    const u32 *places = (const u32 *)(step + 1);
    u32 count = step->count;
    for (u32 i = 0; i < count; i++) at[i] = bases[places[i] >> 30] + (places[i] & 0x3fffffff);
    if (step->kind == STEP_DO) step->function(w, at[0], at[1], at[2], at[3], at + 4);
    else if (step->kind == STEP_LEAVE) return *(u32 *)at[1];
    else if (!*(u8 *)at[1]) return *(u32 *)at[2];
    step = (const Step *)(places + (count + 1 & ~1u));
  }
}
