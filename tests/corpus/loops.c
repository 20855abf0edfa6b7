/* Loops and branches whose course differs from element to element. */
#include "corpus.h"

CASE(collatz, u32, u32, 1, 2) {
    u32 x = in[0] % 5000u + 1u, steps = 0, peak = x;
    while (x != 1u && steps < 300u) {
        x = x & 1u ? 3u * x + 1u : x >> 1;
        if (x > peak) peak = x;
        steps++;
    }
    out[0] = steps;
    out[1] = peak;
}

CASE(fibonacci, u32, u64, 1, 1) {
    u64 a = 0, b = 1;
    for (u32 k = in[0] % 90u; k; k--) { u64 t = a + b; a = b; b = t; }
    out[0] = a;
}

CASE(triangular_by_breaks, u32, u32, 2, 1) {
    u32 s = 0;
    for (u32 k = 0;; k++) {
        if (k > (in[0] & 63u)) break;
        if ((k & in[1] & 7u) == 3u) continue;
        s += k;
    }
    out[0] = s;
}

CASE(nested_loops, u32, u32, 2, 1) {
    u32 s = 0;
    for (u32 a = 0; a < (in[0] & 15u); a++)
        for (u32 b = a; b < (in[1] & 15u); b++) s += a * b + (a ^ b);
    out[0] = s;
}

CASE(loop_with_two_exits, u32, i32, 2, 1) {
    u32 x = in[0];
    for (i32 k = 0; k < 32; k++) {
        x = x * 1664525u + 1013904223u;
        if (x % 29u == 3u) { out[0] = k; return; }
        if (x == in[1]) { out[0] = -k; return; }
    }
    out[0] = 100;
}

CASE(do_while_digits, u32, u32, 1, 3) {
    u32 x = in[0], digits = 0, sum = 0, reversed = 0;
    do {
        u32 d = x % 10u;
        digits++;
        sum += d;
        reversed = reversed * 10u + d;
        x /= 10u;
    } while (x);
    out[0] = digits;
    out[1] = sum;
    out[2] = reversed;
}

CASE(binary_search, u32, i32, 9, 1) {
    u32 a[8], want = in[8] % 64u;
    for (i32 k = 0; k < 8; k++) a[k] = (u32)k * 8u + in[k] % 8u;
    i32 low = 0, high = 8;
    while (low < high) {
        i32 mid = (low + high) / 2;
        if (a[mid] < want) low = mid + 1; else high = mid;
    }
    out[0] = low;
}

CASE(switch_dense, u32, u32, 3, 1) {
    u32 a = in[1], b = in[2];
    switch (in[0] % 10u) {
    case 0: out[0] = a + b; break;
    case 1: out[0] = a - b; break;
    case 2: out[0] = a * b; break;
    case 3: out[0] = a & b; break;
    case 4: out[0] = a | b; break;
    case 5: out[0] = a ^ b; break;
    case 6: out[0] = a << (b & 31u); break;
    case 7: out[0] = a >> (b & 31u); break;
    case 8: out[0] = a < b; break;
    default: out[0] = a == b ? 77u : 78u;
    }
}

CASE(switch_sparse, u32, i32, 1, 1) {
    switch (in[0] & 0xffu) {
    case 1: out[0] = 11; break;
    case 17: out[0] = 12; break;
    case 64: case 65: case 66: out[0] = 13; break;
    case 200: out[0] = 14; break;
    case 255: out[0] = 15; break;
    default: out[0] = -1;
    }
}

CASE(switch_falls_through, u32, u32, 2, 1) {
    u32 r = in[1];
    switch (in[0] & 3u) {
    case 3: r += 1000u; /* fall through */
    case 2: r ^= 0x55u; /* fall through */
    case 1: r *= 3u; /* fall through */
    default: r += 7u;
    }
    out[0] = r;
}

CASE(state_machine, u32, u32, 1, 2) {
    u32 state = 0, count = 0, x = in[0];
    for (i32 k = 0; k < 32; k++, x >>= 1) {
        u32 bit = x & 1u;
        switch (state) {
        case 0: state = bit ? 1u : 0u; break;
        case 1: state = bit ? 1u : 2u; break;
        case 2: if (bit) { state = 3u; count++; } else state = 0u; break;
        default: state = bit ? 1u : 2u; break;
        }
    }
    out[0] = count;
    out[1] = state;
}

CASE(stack_machine, u32, u32, 6, 1) {
    u32 stack[8], n = 2;
    for (i32 k = 0; k < 8; k++) stack[k] = 0;
    stack[0] = in[1]; stack[1] = in[2];
    for (u32 code = in[0]; code; code >>= 2) {
        if ((code & 3u) == 3u) { if (n < 8u) stack[n++] = in[3 + code % 3u]; continue; }
        if (n < 2u) continue;
        u32 b = stack[--n], a = stack[n - 1u];
        stack[n - 1u] = (code & 3u) == 0u ? a + b : (code & 3u) == 1u ? a * b : a ^ b >> 3;
    }
    out[0] = stack[n - 1u] + n;
}

CASE(unrolled_sum, u32, u32, 16, 1) {
    u32 s = 0;
    for (i32 k = 0; k < 16; k++) s = s * 31u + in[k];
    out[0] = s;
}

CASE(early_return_tree, i32, i32, 3, 1) {
    if (in[0] < 0) {
        if (in[1] < 0) { out[0] = 1; return; }
        if (in[2] & 1) { out[0] = 2; return; }
    } else if (in[0] > 1000) {
        for (i32 k = 0; k < (in[1] & 7); k++) if ((in[2] >> k & 3) == 2) { out[0] = 30 + k; return; }
    }
    out[0] = 4;
}

CASE(sieve_below_64, u32, u32, 1, 2) {
    u64 composite = 3;
    u32 limit = in[0] % 64u + 1u, count = 0;
    for (u32 p = 2; p * p < 64u; p++)
        if (!(composite >> p & 1u))
            for (u32 m = p * p; m < 64u; m += p) composite |= 1ull << m;
    for (u32 k = 0; k < limit; k++) count += (u32)(~composite >> k & 1u);
    out[0] = count;
    out[1] = (u32)(composite >> limit % 64u);
}

CASE(trial_division, u32, u32, 1, 2) {
    u32 x = in[0] % 100000u + 2u, factors = 0, largest = 1;
    for (u32 p = 2; p * p <= x; p++)
        while (x % p == 0) { x /= p; factors++; largest = p; }
    if (x > 1u) { factors++; largest = x; }
    out[0] = factors;
    out[1] = largest;
}

CASE(uniform_and_divergent, u32, u32, 1, 1) {
    u32 s = in[0];
    for (i32 round = 0; round < 5; round++) {
        if (round & 1) s = s * 5u + 1u;
        else if (s & 16u) s ^= s >> 7;
        else s += (u32)item;
    }
    out[0] = s;
}

CASE(goto_loop, u32, u32, 1, 1) {
    u32 x = in[0] % 97u, n = 0;
again:
    n++;
    if (x & 1u) { x = x * 3u + 1u; if (n < 60u) goto again; goto done; }
    x >>= 1;
    if (x > 1u && n < 60u) goto again;
done:
    out[0] = n * 1000u + x;
}
