/* Matrix instructions of one wave whose operands lie in registers: D = A x B + C.
 *
 * Where each element lies is told by tables made from the model's layout maps: for A (i, k) and
 * B (j, k) the first bit, (lane * registers + register) * 32 + bit; for D (i, j) the register,
 * lane * registers + register. Products and sums are made in f64 and rounded once at the end; the
 * hardware's order and rounding of the sum are not specified.
 */
#include "narrow.h"

#define MAX_M 32
#define MAX_N 32
#define MAX_K 128
typedef double Row8 __attribute__((vector_size(64)));

static u32 element(const Wave *w, u32 row, u32 registers, i32 at, u32 bits) {
  u32 word = (u32)at / 32, bit = (u32)at % 32, lane = word / registers, r = word % registers;
  u64 value = w->value[row + r][lane];
  if (bit + bits > 32) value |= (u64)w->value[row + r + 1][lane] << 32;
  value >>= bit;
  return (u32)(bits >= 32 ? value : value & ((1ull << bits) - 1));
}

static double wide_element(const Wave *w, u32 row, u32 registers, i32 at) {
  u32 word = (u32)at / 32, lane = word / registers, r = word % registers;
  union { u64 u; double f; } d = {w->value[row + r][lane] | (u64)w->value[row + r + 1][lane] << 32};
  return d.f;
}

/* Scale of k-block `block` of row (column) `line`: the table names the first bit of its exponent. */
static double scale_of(const Wave *w, u32 row, const i32 *table, u32 line, u32 blocks, u32 block) {
  u32 at = (u32)table[line * blocks + block];
  return decode(FORMAT_E8M0, w->value[row][at / 32] >> (at % 32) & 0xff);
}

/* One operand as doubles, element (line, k) at out[k * stride + line]. */
static void gather_operand(const Wave *w, u32 row, u32 registers, const i32 *table, u32 lines, u32 depth,
                    u32 format, double *out, u32 stride) {
  float codes[256];
  u32 bits = format_bits(format);
  if (bits <= 8)
    for (u32 c = 0; c < 1u << bits; c++) codes[c] = decode(format, c);
  for (u32 line = 0; line < lines; line++)
    for (u32 k = 0; k < depth; k++) {
      i32 at = table[line * depth + k];
      double value;
      if (format == FORMAT_F64) value = wide_element(w, row, registers, at);
      else {
        u32 code = element(w, row, registers, at, bits);
        value = bits <= 8 ? codes[code] : decode(format, code);
      }
      out[k * stride + line] = value;
    }
}

enum Result { RESULT_F32, RESULT_I32, RESULT_F64 };

/* Rows: A from row_a, B from row_b, C from row_c (one register a row), scales in rows 70 and 71;
 * D replaces C. Tables: first, first + 1, first + 2 for A, B, D; + 3, + 4 for the scales of A and B
 * (`scaled`: one scale for each 32 elements of k). */
void lm_matrix(Wave *w, u32 first, u32 m, u32 n, u32 k, u32 blocks, u32 formats, u32 registers_a,
               u32 registers_b, u32 registers_d, u32 row_a, u32 row_b, u32 row_c, u32 result,
               u32 scaled) {
  i32 **tables = w->launch->tables;
  static const u32 stride = MAX_N;
  double a[MAX_K * MAX_M], b[MAX_K * MAX_N], d[MAX_M * MAX_N] __attribute__((aligned(64)));
  u32 format_a = formats & 0xff, format_b = formats >> 8;
  for (u32 i = 0; i < MAX_K * MAX_N; i++) b[i] = 0;
  for (u32 block = 0; block < blocks; block++) {
    gather_operand(w, row_a, registers_a, tables[first] + block * m * k, m, k, format_a, a, MAX_M);
    gather_operand(w, row_b, registers_b, tables[first + 1] + block * n * k, n, k, format_b, b, stride);
    const i32 *places = tables[first + 2] + block * m * n;
    if (scaled)
      for (u32 kk = 0; kk < k; kk++) {
        for (u32 i = 0; i < m; i++)
          a[kk * MAX_M + i] *= scale_of(w, 70, tables[first + 3], i, k / 32, kk / 32);
        for (u32 j = 0; j < n; j++)
          b[kk * stride + j] *= scale_of(w, 71, tables[first + 4], j, k / 32, kk / 32);
      }
    for (u32 i = 0; i < m; i++)
      for (u32 j = 0; j < n; j++) {
        u32 at = (u32)places[i * n + j], lane = at / registers_d, r = at % registers_d;
        union { u32 u; float f; } c = {w->value[row_c + r][lane]};
        if (result == RESULT_F32) d[i * stride + j] = c.f;
        else if (result == RESULT_I32) d[i * stride + j] = (i32)c.u;
        else d[i * stride + j] = wide_element(w, row_c, registers_d, (i32)at * 32);
      }
    for (u32 i = 0; i < m; i++)
      for (u32 j = 0; j < n; j += 8) {
        Row8 sum;
        __builtin_memcpy(&sum, &d[i * stride + j], sizeof sum);
        for (u32 kk = 0; kk < k; kk++) {
          Row8 line;
          __builtin_memcpy(&line, &b[kk * stride + j], sizeof line);
          sum += a[kk * MAX_M + i] * line;
        }
        __builtin_memcpy(&d[i * stride + j], &sum, sizeof sum);
      }
    for (u32 i = 0; i < m; i++)
      for (u32 j = 0; j < n; j++) {
        u32 at = (u32)places[i * n + j], lane = at / registers_d, r = at % registers_d;
        union { u32 u; float f; } out;
        union { u64 u; double f; } wide = {.f = d[i * stride + j]};
        if (result == RESULT_F64) {
          w->value[row_c + r][lane] = (u32)wide.u;
          w->value[row_c + r + 1][lane] = (u32)(wide.u >> 32);
          continue;
        }
        if (result == RESULT_I32) out.u = (u32)(i64)d[i * stride + j];
        else out.f = (float)d[i * stride + j];
        w->value[row_c + r][lane] = out.u;
      }
  }
}
