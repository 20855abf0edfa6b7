// FP8 attention forward on gfx950: O = softmax(scale Q K^T) V for each head of each batch.
//
// A workgroup has WAVES waves of 32 queries each and goes through K and V in tiles of KEYS keys, two
// of which lie in LDS at a time. Macros choose the path of the operands: see README.md and
// kernels/lds_attention.
#define LAYOUT_ROWS 0
#define LAYOUT_INTERLEAVED 1
#define LAYOUT_TRANSPOSED 2
#define FILL_ROWS 0
#define FILL_COPY 1
#define FILL_COPY_ROW 2
#define FILL_BYTES 3
#define FILL_PERMUTE 4
#define FILL_WRITE2 5
#define FILL_TRANSPOSE 6
#define P_BY_K_ROWS 0
#define P_BY_SWAP 1
#define P_BY_V_ROWS 2

#define WAVES 4
#define KEYS 64
#include "layouts.h"
#include "lds_fills.h"

#define QUERIES (32 * WAVES)
#define SUBTILES (KEYS / 32)

// Bytes of a tile of K and V in LDS.
#if QK_LAYOUT == LAYOUT_INTERLEAVED
#define K_BYTES (KEYS / 8 * QK_STRIDE)
#else
#define K_BYTES (KEYS * QK_STRIDE)
#endif
#if V_LAYOUT == LAYOUT_INTERLEAVED
#define V_BYTES (HEAD_DIM / 8 * V_STRIDE)
#elif V_LAYOUT == LAYOUT_TRANSPOSED
#define V_BYTES (HEAD_DIM * V_STRIDE)
#else
#define V_BYTES (KEYS * V_STRIDE)
#endif
#define STAGE_BYTES (QK_FILL == FILL_TRANSPOSE ? QUERIES * HEAD_DIM : 0)

// Two tiles of K, whose place Q has before; two of V; rows that wait to be transposed.
static LDS unsigned char memory[2 * K_BYTES + 2 * V_BYTES + STAGE_BYTES]
    __attribute__((aligned(1024), loader_uninitialized));
#define K_TILE(tile) (base + ((tile) & 1) * K_BYTES)
#define V_TILE(tile) (base + 2 * K_BYTES + ((tile) & 1) * V_BYTES)
#define STAGE (base + 2 * K_BYTES + 2 * V_BYTES)

#define NEVER (-__builtin_inff())
// P is 2^8 times the weight, so that the largest weight of a row is 256 of at most 448.
#define P_SHIFT 8.0f

typedef struct {
    const unsigned char *q, *k, *v;
    void *o;
    const float *q_descale, *k_descale, *v_descale;
    int heads, heads_of_a_kv, queries, keys;
    float scale_log2; // of a logit, times log2 e
} Problem;

typedef struct {
    float largest, sum;
    f32x16 o[TILES_OF_HEAD];
} State;

// A head's rows: those beyond `length` read as 0.
INLINE Source rows_of(const unsigned char *memory_of, u32 batch, u32 head, u32 heads, u32 length) {
    u32 row_bytes = heads * HEAD_DIM;
    u64 first = (u64)batch * length * row_bytes + head * HEAD_DIM;
    Source found = {buffer_of(memory_of + first, (length - 1) * row_bytes + HEAD_DIM), row_bytes};
    return found;
}

// S^T of 32 keys: the lane's query in registers of 16 keys.
INLINE f32x16 scores(u32 k_tile, u32 sub, const u64 *q) {
    u64 k[CHUNKS];
    read_qk(k_tile, 32 * sub, 1, k);
    f32x16 s = {0};
#pragma unroll
    for (int n = 0; n < CHUNKS; n += CHUNKS_OF_MFMA) s = multiply(k + n, q + n, s);
    return s;
}

INLINE float larger_of_halves(float x) {
    u32 low = __builtin_bit_cast(u32, x), high = low;
    swap_halves(&low, &high);
    return __builtin_fmaxf(__builtin_bit_cast(float, low), __builtin_bit_cast(float, high));
}
INLINE float sum_of_halves(float x) {
    u32 low = __builtin_bit_cast(u32, x), high = low;
    swap_halves(&low, &high);
    return __builtin_bit_cast(float, low) + __builtin_bit_cast(float, high);
}

INLINE u32 four_fp8(float a, float b, float c, float d) {
    int word = __builtin_amdgcn_cvt_pk_fp8_f32(a, b, 0, 0);
    return (u32)__builtin_amdgcn_cvt_pk_fp8_f32(c, d, word, 1);
}

// The chunks of P for 32 keys, in the order of slots.
INLINE void chunks_of_p(const float *p, u64 *chunks) {
    u32 word[4];
#pragma unroll
    for (int q = 0; q < 4; q++) word[q] = four_fp8(p[4 * q], p[4 * q + 1], p[4 * q + 2], p[4 * q + 3]);
#if P_WAY == P_BY_SWAP
    swap_halves(&word[0], &word[1]);
    swap_halves(&word[2], &word[3]);
#endif
    chunks[0] = (u64)word[0] | (u64)word[1] << 32;
    chunks[1] = (u64)word[2] | (u64)word[3] << 32;
}

// Weights of a tile, and what the sums so far are worth beside them.
INLINE void weigh(f32x16 *s, float scale, State *state, u64 *chunks) {
    float largest = NEVER;
#pragma unroll
    for (int sub = 0; sub < SUBTILES; sub++)
#pragma unroll
        for (int r = 0; r < 16; r++) largest = __builtin_fmaxf(largest, s[sub][r]);
    largest = __builtin_fmaxf(state->largest, larger_of_halves(largest) * scale);
    // A query that has seen no key yet has weights 0.
    float known = largest == NEVER ? 0.0f : largest;
    if (__builtin_amdgcn_ballot_w64(largest != state->largest) != 0) {
        float factor = __builtin_amdgcn_exp2f(state->largest - known);
        state->sum *= factor;
#pragma unroll
        for (int t = 0; t < TILES_OF_HEAD; t++) state->o[t] *= factor;
        state->largest = largest;
    }
#pragma unroll
    for (int sub = 0; sub < SUBTILES; sub++) {
        float p[16];
#pragma unroll
        for (int r = 0; r < 16; r++) {
            p[r] = __builtin_amdgcn_exp2f(__builtin_fmaf(s[sub][r], scale, P_SHIFT - known));
            state->sum += p[r];
        }
        chunks_of_p(p, chunks + 2 * sub);
    }
}

// Keys that a query does not see have no weight.
INLINE void mask(f32x16 *s, int first, int seen) {
#pragma unroll
    for (int sub = 0; sub < SUBTILES; sub++)
#pragma unroll
        for (int r = 0; r < 16; r++)
            if (first + 32 * sub + (int)key_of_register(lane_id(), r) >= seen) s[sub][r] = NEVER;
}

INLINE void accumulate(u32 v_tile, const u64 *p, State *state) {
#pragma unroll
    for (int t = 0; t < TILES_OF_HEAD; t++) {
        u64 v[SLOT_CHUNKS];
        read_v(v_tile, 32 * t, v);
#pragma unroll
        for (int n = 0; n < SLOT_CHUNKS; n += CHUNKS_OF_MFMA)
            state->o[t] = multiply(v + n, p + n, state->o[t]);
    }
}

#if OUTPUT_BF16
typedef __bf16 Output;
#else
typedef _Float16 Output;
#endif
typedef Output Output4 __attribute__((ext_vector_type(4)));

// O^T's registers hold 4 columns in turn of the lane's query.
INLINE void store_o(const Problem *p, u32 batch, u32 head, u32 query, const State *state, float descale) {
    u32 row_bytes = p->heads * HEAD_DIM * 2;
    u64 first = (u64)batch * p->queries * row_bytes + head * HEAD_DIM * 2;
    Buffer to = buffer_of((char *)p->o + first, (p->queries - 1) * row_bytes + HEAD_DIM * 2);
    float sum = sum_of_halves(state->sum), factor = sum > 0.0f ? descale / sum : 0.0f;
#pragma unroll
    for (int t = 0; t < TILES_OF_HEAD; t++)
#pragma unroll
        for (int r = 0; r < 16; r += 4) {
            Output4 four;
            for (int i = 0; i < 4; i++) four[i] = (Output)(state->o[t][r + i] * factor);
            u32 column = 32 * t + d_row(lane_id(), r, 0);
            __builtin_amdgcn_raw_buffer_store_b64(__builtin_bit_cast(u32x2, four), to,
                                                  query * row_bytes + 2 * column, 0, 0);
        }
}

// S^T alone, (batch, head, query, key) of float32, for the comparison of Q K^T.
INLINE void store_s(const Problem *p, u32 batch, u32 head, u32 query, u32 key0, const f32x16 *s) {
    u64 first = ((u64)batch * p->heads + head) * p->queries * p->keys;
    float *to = (float *)p->o + first + (u64)query * p->keys;
    if (query < p->queries)
#pragma unroll
        for (int sub = 0; sub < SUBTILES; sub++)
#pragma unroll
            for (int r = 0; r < 16; r++) {
                u32 key = key0 + 32 * sub + key_of_register(lane_id(), r);
                if (key < p->keys) to[key] = s[sub][r];
            }
}

__attribute__((amdgpu_kernel, amdgpu_flat_work_group_size(THREADS, THREADS),
               target("no-load-store-opt"))) void
lds_attention(const unsigned char *q, const unsigned char *k, const unsigned char *v, void *o,
              const float *q_descale, const float *k_descale, const float *v_descale, int heads,
              int heads_of_a_kv, int queries, int keys, float scale_log2) {
    Problem problem = {q, k, v, o, q_descale, k_descale, v_descale,
                       heads, heads_of_a_kv, queries, keys, scale_log2};
    const Problem *p = &problem;
    u32 base = (u32)memory;
    u32 head = __builtin_amdgcn_workgroup_id_y(), batch = __builtin_amdgcn_workgroup_id_z();
    u32 query0 = __builtin_amdgcn_workgroup_id_x() * QUERIES, kv_heads = p->heads / p->heads_of_a_kv;
    u32 kv_head = head / p->heads_of_a_kv, scales = batch * kv_heads + kv_head;
    Source q_rows = rows_of(p->q, batch, head, p->heads, p->queries);
    Source k_rows = rows_of(p->k, batch, kv_head, kv_heads, p->keys);
    Source v_rows = rows_of(p->v, batch, kv_head, kv_heads, p->keys);
    u32x4 k_share[MOST_SHARE], v_share[MOST_SHARE];
    u64 q_chunks[CHUNKS];

    qk_begin(base, STAGE, q_rows, query0, QUERIES, 0, k_share);
    qk_end(base, STAGE, QUERIES, k_share);
    barrier();
    u32 wave = wave_id(), column = b_column(lane_id(), 0, 0);
    read_qk(base, 32 * wave, 0, q_chunks);
    // clang 22 sinks reads that only the loop uses beyond the barrier.
#pragma unroll
    for (int n = 0; n < CHUNKS; n++) asm volatile("" : "+v"(q_chunks[n]));
    barrier();

    float scale = p->scale_log2 * p->q_descale[scales] * p->k_descale[scales];
    int own0 = query0 + 32 * wave, query = own0 + column, beyond = p->keys - p->queries + 1;
    int seen = CAUSAL && query + beyond < p->keys ? query + beyond : p->keys;
    int all_see = CAUSAL && own0 + beyond < p->keys ? own0 + beyond : p->keys;
    int end = CAUSAL && (int)query0 + QUERIES - 1 + beyond < p->keys
                  ? (int)query0 + QUERIES - 1 + beyond : p->keys;
    int tiles = end > 0 ? (end + KEYS - 1) / KEYS : 0;
    State state = {NEVER, 0.0f, {{0}}};
    if (tiles > 0) {
        qk_begin(K_TILE(0), STAGE, k_rows, 0, KEYS, 1, k_share);
        if (!QK_ONLY) v_begin(V_TILE(0), v_rows, 0, v_share);
        qk_end(K_TILE(0), STAGE, KEYS, k_share);
        if (!QK_ONLY) v_end(V_TILE(0), v_share);
        barrier();
    }
    for (int tile = 0; tile < tiles; tile++) {
        int more = tile + 1 < tiles;
        if (more) {
            qk_begin(K_TILE(tile + 1), STAGE, k_rows, (tile + 1) * KEYS, KEYS, 1, k_share);
            if (!QK_ONLY) v_begin(V_TILE(tile + 1), v_rows, (tile + 1) * KEYS, v_share);
        }
        f32x16 s[SUBTILES];
        u64 p_chunks[SLOT_CHUNKS];
#pragma unroll
        for (int sub = 0; sub < SUBTILES; sub++) s[sub] = scores(K_TILE(tile), sub, q_chunks);
        if (QK_ONLY) {
            store_s(p, batch, head, query, tile * KEYS, s);
        } else {
            if ((tile + 1) * KEYS > all_see) mask(s, tile * KEYS, seen);
            weigh(s, scale, &state, p_chunks);
            accumulate(V_TILE(tile), p_chunks, &state);
        }
        if (more) {
            qk_end(K_TILE(tile + 1), STAGE, KEYS, k_share);
            if (!QK_ONLY) v_end(V_TILE(tile + 1), v_share);
        }
        barrier();
    }
    if (!QK_ONLY) store_o(p, batch, head, query, &state, p->v_descale[scales]);
}
