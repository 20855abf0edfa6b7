/* Constant tables, strings, checksums, hashes, generators of pseudo-random numbers. */
#include "corpus.h"

TABLE u32 primes[16] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53};
TABLE u8 sbox[16] = {12, 5, 6, 11, 9, 0, 10, 13, 3, 14, 15, 8, 4, 7, 1, 2};
TABLE i16 sine[17] = {0, 3212, 6393, 9512, 12539, 15446, 18204, 20787, 23170,
                      25329, 27245, 28898, 30273, 31356, 32137, 32609, 32767};
TABLE u32 crc_nibble[16] = {
    0x00000000u, 0x1db71064u, 0x3b6e20c8u, 0x26d930acu, 0x76dc4190u, 0x6b6b51f4u,
    0x4db26158u, 0x5005713cu, 0xedb88320u, 0xf00f9344u, 0xd6d6a3e8u, 0xcb61b38cu,
    0x9b64c2b0u, 0x86d3d2d4u, 0xa00ae278u, 0xbdbdf21cu};
TABLE f32 weights[5] = {0.0625f, 0.25f, 0.375f, 0.25f, 0.0625f};
TABLE u64 wide_table[4] = {0x9e3779b97f4a7c15ull, 0xbf58476d1ce4e5b9ull,
                           0x94d049bb133111ebull, 0x2545f4914f6cdd1dull};

CASE(table_lookup, u32, u32, 2, 1) { out[0] = primes[in[0] & 15u] * primes[in[1] >> 28]; }

CASE(table_bytes, u32, u32, 1, 1) {
    u32 r = 0;
    for (i32 k = 0; k < 8; k++) r |= (u32)sbox[in[0] >> 4 * k & 15u] << 4 * k;
    out[0] = r;
}

CASE(table_sine, u32, i32, 1, 1) {
    u32 a = in[0] >> 24, q = a >> 6, i = (a >> 2) & 15u;
    i32 s = q & 1u ? sine[16u - i] : sine[i];
    out[0] = q & 2u ? -s : s;
}

CASE(table_wide, u64, u64, 1, 1) { out[0] = in[0] * wide_table[in[0] >> 62]; }

CASE(convolve, tame, f32, 8, 4) {
    for (i32 k = 0; k < 4; k++) {
        f32 s = 0.0f;
        for (i32 t = 0; t < 5; t++) s += in[k + t] * weights[t];
        out[k] = s;
    }
}

CASE(crc32_bitwise, u8, u32, 8, 1) {
    u32 c = 0xffffffffu;
    for (i32 k = 0; k < 8; k++) {
        c ^= in[k];
        for (i32 b = 0; b < 8; b++) c = c >> 1 ^ (c & 1u ? 0xedb88320u : 0u);
    }
    out[0] = ~c;
}

CASE(crc32_nibbles, u8, u32, 8, 1) {
    u32 c = 0xffffffffu;
    for (i32 k = 0; k < 8; k++) {
        c = crc_nibble[(c ^ in[k]) & 15u] ^ c >> 4;
        c = crc_nibble[(c ^ (u32)(in[k] >> 4)) & 15u] ^ c >> 4;
    }
    out[0] = ~c;
}

CASE(crc16_ccitt, u8, u16, 6, 1) {
    u32 c = 0xffffu;
    for (i32 k = 0; k < 6; k++) {
        c ^= (u32)in[k] << 8;
        for (i32 b = 0; b < 8; b++) c = (c << 1 ^ (c & 0x8000u ? 0x1021u : 0u)) & 0xffffu;
    }
    out[0] = (u16)c;
}

CASE(adler32, u8, u32, 12, 1) {
    u32 a = 1, b = 0;
    for (i32 k = 0; k < 12; k++) { a = (a + in[k]) % 65521u; b = (b + a) % 65521u; }
    out[0] = b << 16 | a;
}

CASE(fnv1a, u8, u32, 8, 1) {
    u32 h = 2166136261u;
    for (i32 k = 0; k < 8; k++) h = (h ^ in[k]) * 16777619u;
    out[0] = h;
}

CASE(murmur3_word, u32, u32, 2, 1) {
    u32 k = in[0] * 0xcc9e2d51u, h = in[1];
    k = k << 15 | k >> 17;
    h ^= k * 0x1b873593u;
    h = (h << 13 | h >> 19) * 5u + 0xe6546b64u;
    h ^= h >> 16; h *= 0x85ebca6bu; h ^= h >> 13; h *= 0xc2b2ae35u;
    out[0] = h ^ h >> 16;
}

CASE(splitmix64, u64, u64, 1, 1) {
    u64 z = in[0] + 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    out[0] = z ^ z >> 31;
}

CASE(xorshift32, u32, u32, 1, 2) {
    u32 x = in[0] | 1u;
    for (i32 k = 0; k < 8; k++) { x ^= x << 13; x ^= x >> 17; x ^= x << 5; }
    out[0] = x;
    out[1] = x % 6u + 1u;
}

CASE(pcg32, u64, u32, 1, 2) {
    u64 state = in[0];
    for (i32 k = 0; k < 2; k++) {
        u32 x = (u32)((state >> 18 ^ state) >> 27), r = (u32)(state >> 59);
        out[k] = x >> r | x << (-r & 31u);
        state = state * 6364136223846793005ull + 1442695040888963407ull;
    }
}

CASE(xoshiro256, u64, u64, 4, 2) {
    u64 s0 = in[0], s1 = in[1], s2 = in[2], s3 = in[3];
    for (i32 k = 0; k < 2; k++) {
        u64 x = s1 * 5u, t = s1 << 17;
        out[k] = (x << 7 | x >> 57) * 9u;
        s2 ^= s0; s3 ^= s1; s1 ^= s2; s0 ^= s3; s2 ^= t;
        s3 = s3 << 45 | s3 >> 19;
    }
}

CASE(mersenne_tempering, u32, u32, 1, 1) {
    u32 y = in[0];
    y ^= y >> 11; y ^= y << 7 & 0x9d2c5680u; y ^= y << 15 & 0xefc60000u;
    out[0] = y ^ y >> 18;
}

CASE(philox_rounds, u32, u32, 4, 2) {
    u32 c0 = in[0], c1 = in[1], k = in[2];
    for (i32 r = 0; r < 10; r++) {
        u64 p = (u64)c0 * 0xd256d193u;
        c0 = (u32)(p >> 32) ^ k ^ c1;
        c1 = (u32)p;
        k += 0x9e3779b9u;
    }
    out[0] = c0;
    out[1] = c1;
}

CASE(tea_encrypt, u32, u32, 6, 2) {
    u32 a = in[0], b = in[1], sum = 0;
    for (i32 r = 0; r < 32; r++) {
        sum += 0x9e3779b9u;
        a += ((b << 4) + in[2]) ^ (b + sum) ^ ((b >> 5) + in[3]);
        b += ((a << 4) + in[4]) ^ (a + sum) ^ ((a >> 5) + in[5]);
    }
    out[0] = a;
    out[1] = b;
}

CASE(chacha_quarter, u32, u32, 4, 4) {
    u32 a = in[0], b = in[1], c = in[2], d = in[3];
    a += b; d ^= a; d = d << 16 | d >> 16;
    c += d; b ^= c; b = b << 12 | b >> 20;
    a += b; d ^= a; d = d << 8 | d >> 24;
    c += d; b ^= c; b = b << 7 | b >> 25;
    out[0] = a; out[1] = b; out[2] = c; out[3] = d;
}

CASE(sha256_rounds, u32, u32, 16, 8) {
    u32 s[8], w[16];
    for (u32 k = 0; k < 8u; k++) s[k] = 0x6a09e667u * (k + 1u);
    for (i32 k = 0; k < 16; k++) w[k] = in[k];
    for (i32 r = 0; r < 24; r++) {
        u32 e = s[4], a = s[0];
        u32 t = s[7] + ((e >> 6 | e << 26) ^ (e >> 11 | e << 21) ^ (e >> 25 | e << 7))
                + ((e & s[5]) ^ (~e & s[6])) + w[r & 15] + (u32)r * 0x428a2f98u;
        u32 m = ((a >> 2 | a << 30) ^ (a >> 13 | a << 19) ^ (a >> 22 | a << 10))
                + ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));
        for (i32 k = 7; k > 0; k--) s[k] = s[k - 1];
        s[4] += t;
        s[0] = t + m;
        w[r & 15] += w[(r + 9) & 15] ^ (w[(r + 1) & 15] >> 3);
    }
    for (i32 k = 0; k < 8; k++) out[k] = s[k];
}

CASE(gf256_multiply, u8, u8, 2, 1) {
    u32 a = in[0], b = in[1], r = 0;
    while (b) {
        if (b & 1u) r ^= a;
        a = a << 1 ^ (a & 0x80u ? 0x11bu : 0u);
        b >>= 1;
    }
    out[0] = (u8)r;
}

CASE(carryless_multiply, u32, u64, 2, 1) {
    u64 r = 0;
    for (i32 k = 0; k < 32; k++) if (in[1] >> k & 1u) r ^= (u64)in[0] << k;
    out[0] = r;
}

CASE(hamming_encode, u8, u8, 1, 1) {
    u32 d = in[0] & 15u, p1 = (d ^ d >> 1 ^ d >> 3) & 1u, p2 = (d ^ d >> 2 ^ d >> 3) & 1u;
    u32 p3 = (d >> 1 ^ d >> 2 ^ d >> 3) & 1u;
    out[0] = (u8)(p1 | p2 << 1 | (d & 1u) << 2 | p3 << 3 | d >> 1 << 4);
}

CASE(string_compare, text, i32, 12, 1) {
    i32 k = 0;
    while (k < 5 && in[k] == in[6 + k]) k++;
    out[0] = (i32)in[k] - (i32)in[6 + k];
}

CASE(string_case_and_words, text, u8, 12, 13) {
    u8 words = 0, before = ' ';
    for (i32 k = 0; k < 12; k++) {
        u8 c = in[k];
        if (c != ' ' && before == ' ') words++;
        out[k] = (u8)(c >= 'a' && c <= 'z' && before == ' ' ? c - 32 : c);
        before = c;
    }
    out[12] = words;
}

CASE(string_parse_number, text, u32, 8, 2) {
    u32 value = 0, digits = 0;
    for (i32 k = 0; k < 8; k++) {
        if (in[k] < '0' || in[k] > '9') { if (digits) break; else continue; }
        value = value * 10u + (u32)(in[k] - '0');
        digits++;
    }
    out[0] = value;
    out[1] = digits;
}

CASE(string_print_number, u32, u8, 1, 10) {
    u32 x = in[0];
    for (i32 k = 9; k >= 0; k--) { out[k] = (u8)(x || k == 9 ? '0' + x % 10u : ' '); x /= 10u; }
}

CASE(string_palindrome, text, u8, 8, 1) {
    u8 same = 1;
    for (i32 a = 0, b = 7; a < b; a++, b--) if ((in[a] ^ in[b]) & 1) { same = 0; break; }
    out[0] = same;
}

CASE(string_find, text, i32, 16, 1) {
    for (i32 k = 0; k < 14; k++)
        if (in[k] == in[14] && in[k + 1] <= in[15]) { out[0] = k; return; }
    out[0] = -1;
}

CASE(base64_encode, u8, u8, 3, 4) {
    u32 x = (u32)in[0] << 16 | (u32)in[1] << 8 | in[2];
    for (i32 k = 0; k < 4; k++) {
        u32 d = x >> (18 - 6 * k) & 63u;
        out[k] = (u8)(d < 26u ? 'A' + d : d < 52u ? 'a' + d - 26u : d < 62u ? '0' + d - 52u
                      : d == 62u ? '+' : '/');
    }
}

CASE(run_lengths, text, u8, 12, 12) {
    u8 run = 0;
    for (i32 k = 0; k < 12; k++) {
        run = (u8)(k && (in[k] > 'm') == (in[k - 1] > 'm') ? run + 1 : 1);
        out[k] = run;
    }
}

CASE(utf8_encode, u32, u8, 1, 4) {
    u32 c = in[0] % 0x110000u;
    out[0] = out[1] = out[2] = out[3] = 0;
    if (c < 0x80u) out[0] = (u8)c;
    else if (c < 0x800u) { out[0] = (u8)(0xc0u | c >> 6); out[1] = (u8)(0x80u | (c & 63u)); }
    else if (c < 0x10000u) {
        out[0] = (u8)(0xe0u | c >> 12); out[1] = (u8)(0x80u | (c >> 6 & 63u));
        out[2] = (u8)(0x80u | (c & 63u));
    } else {
        out[0] = (u8)(0xf0u | c >> 18); out[1] = (u8)(0x80u | (c >> 12 & 63u));
        out[2] = (u8)(0x80u | (c >> 6 & 63u)); out[3] = (u8)(0x80u | (c & 63u));
    }
}

CASE(varint_encode, u32, u8, 1, 6) {
    u32 x = in[0];
    u8 n = 0;
    for (i32 k = 0; k < 5; k++) out[k] = 0;
    do { out[n++] = (u8)((x & 127u) | (x > 127u ? 128u : 0u)); x >>= 7; } while (x);
    out[5] = n;
}
