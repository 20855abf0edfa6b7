"""Device functions as NVRTC writes them: recursion, pointers, virtual ones, structs by value."""

from __future__ import annotations

import struct
from functools import cache
from typing import Any

import numpy as np
import pytest

from lanemap.emulator.host.hazards import Hazard

from .cuda import BUILDS, ptx
from .launching import Loaded

pytestmark = pytest.mark.parametrize("build", BUILDS)
T = np.arange(32)

RECURSION = """
__device__ __noinline__ int fibonacci(int n) {
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}
extern "C" __global__ void fibonaccis(int *out) { out[threadIdx.x] = fibonacci(threadIdx.x % 12); }

__device__ bool odd(int n);
__device__ __noinline__ bool even(int n) {
    int digits[4];
    for (int i = 0; i < 4; i++) digits[i] = n >> i & 1;
    if (n == 0) return true;
    bool below = odd(n - 1);
    return below && digits[0] + 2 * digits[1] + 4 * digits[2] + 8 * digits[3] == (n & 15);
}
__device__ __noinline__ bool odd(int n) { return n != 0 && even(n - 1); }
extern "C" __global__ void parity(int *out) { out[threadIdx.x] = even(threadIdx.x); }

__device__ __noinline__ void sort(int *a, int low, int high) {
    int kept[8];
    if (low >= high) return;
    int pivot = a[(low + high) / 2], i = low, j = high;
    kept[low & 7] = pivot;
    while (i <= j) {
        while (a[i] < pivot) i++;
        while (a[j] > pivot) j--;
        if (i <= j) { int x = a[i]; a[i++] = a[j]; a[j--] = x; }
    }
    sort(a, low, j);
    if (kept[low & 7] != pivot) __trap();
    sort(a, i, high);
}
extern "C" __global__ void sorts(int *data, int n) { sort(data + threadIdx.x * n, 0, n - 1); }

struct Pair { long long a; unsigned b; };
__device__ __noinline__ Pair walk(Pair p, int depth) {
    if (depth == 0) return p;
    Pair left = walk(Pair{p.a * 3 + depth, p.b - 1}, depth - 1);
    if (depth & 1) left.b += p.b;
    Pair right = walk(Pair{left.a ^ p.a, left.b}, depth - 1);
    return Pair{left.a + right.a, left.b * 5 + right.b};
}
extern "C" __global__ void walks(long long *out) {
    Pair p = walk(Pair{(long long)threadIdx.x, 7}, threadIdx.x % 5);
    out[2 * threadIdx.x] = p.a;
    out[2 * threadIdx.x + 1] = p.b;
}
__device__ __noinline__ int deeper(int n, int *p) {
    int a[10];
    for (int i = 0; i < 10; i++) a[i] = n + i;
    p[0] += a[p[1]];
    return deeper(n + 1, p) + a[p[2]];
}
extern "C" __global__ void endless(int *p) { p[5] = deeper(0, p); }
"""


@cache
def _loaded(source: str, build: str) -> Loaded:
    return Loaded(ptx(source, build))


def _out(source: str, build: str, entry: str, dtype: Any = np.int32, each: int = 1) -> Any:
    (out,) = _loaded(source, build).run(entry, 1, 32, [np.zeros(32 * each, dtype)])
    return out


def _fibonacci(n: int) -> int:
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


def test_a_function_calls_itself(build: str) -> None:
    assert _out(RECURSION, build, "fibonaccis").tolist() == [_fibonacci(t % 12) for t in range(32)]


def test_functions_call_each_other_and_keep_their_arrays(build: str) -> None:
    assert _out(RECURSION, build, "parity").tolist() == [int(t % 2 == 0) for t in range(32)]


@pytest.mark.parametrize("n", [2, 40])
def test_quicksort(build: str, n: int) -> None:
    data = np.random.default_rng(n).integers(-50, 50, (32, n)).astype(np.int32)
    (got,) = _loaded(RECURSION, build).run("sorts", 1, 32, [data, np.int32(n)])
    assert np.array_equal(got, np.sort(data, axis=1))


def _walk(a: int, b: int, depth: int) -> tuple[int, int]:
    if depth == 0:
        return a, b
    left_a, left_b = _walk(a * 3 + depth, b - 1, depth - 1)
    if depth & 1:
        left_b += b
    right_a, right_b = _walk(left_a ^ a, left_b, depth - 1)
    return left_a + right_a, (left_b * 5 + right_b) % 2**32


def test_structs_by_value_through_recursion(build: str) -> None:
    out = _out(RECURSION, build, "walks", np.int64, 2).reshape(32, 2)
    assert out.tolist() == [list(_walk(t, 7, t % 5)) for t in range(32)]


def test_recursion_without_end_is_a_hazard(build: str) -> None:
    with pytest.raises(Hazard, match=r"// test.cu:4\d`: calls overflow the stack of a lane, \d+ b"):
        _loaded(RECURSION, build).run("endless", 1, 4, [np.zeros(8, np.int32)])


POINTERS = """
struct Shape {
    int id;
    __device__ Shape(int id) : id(id) {}
    __device__ virtual int area(int scale) const = 0;
    __device__ virtual ~Shape() {}
};
struct Square : Shape {
    int side;
    __device__ Square(int side) : Shape(1), side(side) {}
    __device__ int area(int scale) const override { return side * side * scale; }
};
struct Box : Shape {
    int w, h;
    __device__ Box(int w, int h) : Shape(2), w(w), h(h) {}
    __device__ int area(int scale) const override { return w * h + scale; }
};
__device__ __noinline__ int total(const Shape *s, int k) { return s->area(k) * 10 + s->id; }
extern "C" __global__ void shapes(int *out) {
    int t = threadIdx.x;
    Square square(t);
    Box box(t, 3);
    const Shape *s = t % 3 ? (const Shape *)&square : (const Shape *)&box;
    out[t] = total(s, t + 1);
}
typedef float (*Function)(float, int);
__device__ __noinline__ float plus(float x, int k) { return x + k; }
__device__ __noinline__ float times(float x, int k) { return x * k; }
__device__ __noinline__ float folded(float x, int k) {
    float s = 0;
    for (int i = 0; i < k; i++) s = plus(s, i) * x;
    return s;
}
__device__ Function table[3] = {plus, times, folded};
extern "C" __global__ void chosen(float *out, int which) {
    int t = threadIdx.x;
    Function f = table[(t + which) % 3];
    out[t] = f(t * 0.5f, t & 3) + table[which](1.5f, 2);
}
extern "C" __global__ void nowhere(int *out, long long address) {
    int (*f)(int) = (int (*)(int))address;
    out[threadIdx.x] = f(threadIdx.x);
}
__device__ __noinline__ int one(int x) { return x + 1; }
__device__ int (*keep)(int) = one;
"""


def test_virtual_functions(build: str) -> None:
    expected = np.where(T % 3 != 0, T * T * (T + 1) * 10 + 1, (T * 3 + T + 1) * 10 + 2)
    assert np.array_equal(_out(POINTERS, build, "shapes"), expected)


def _folded(x: float, k: int) -> float:
    s = 0.0
    for i in range(k):
        s = (s + i) * x
    return s


@pytest.mark.parametrize("which", [0, 1, 2])
def test_a_table_of_functions(build: str, which: int) -> None:
    (got,) = _loaded(POINTERS, build).run(
        "chosen", 1, 32, [np.zeros(32, np.float32), np.int32(which)]
    )
    functions = [lambda x, k: x + k, lambda x, k: x * k, _folded]
    expected = [functions[(t + which) % 3](t * 0.5, t & 3) + functions[which](1.5, 2) for t in T]
    assert got.tolist() == expected  # small multiples of 1/8: exact in f32 and f64


def test_a_call_of_what_is_no_function_is_a_hazard(build: str) -> None:
    with pytest.raises(Hazard, match="0x1234 of an indirect call is not the address of"):
        _loaded(POINTERS, build).run("nowhere", 1, 1, [np.zeros(1, np.int32), np.int64(0x1234)])


STRUCTS = """
struct Inner { short a[3]; double d; };
struct Big { char tag; Inner in[2]; float f; };
struct Ret { long long a; int b[3]; char c; };
__constant__ Big table[2] = {
    {'x', {{{1, 2, 3}, 4.5}, {{4, 5, 6}, -1.5}}, 2.25f},
    {'y', {{{7, 8, 9}, 0.5}, {{10, 11, 12}, 8.0}}, -3.f}};
__device__ int counter = 5;
__device__ int *where = &counter;
__device__ const char *names[3] = {"zero", "one", "two"};
__device__ __noinline__ Ret make(Big b, int t) {
    Ret r;
    r.a = (long long)(b.in[t & 1].d * 1000) << 20;
    for (int i = 0; i < 3; i++) r.b[i] = b.in[t & 1].a[i] * t;
    r.c = b.tag + (b.f < 0 ? t : -t);
    return r;
}
extern "C" __global__ void structs(Big b, long long *out, short n) {
    int t = threadIdx.x;
    Ret r = make(b, t), q = make(table[t & 1], t);
    out[t * 4] = r.a + q.a;
    out[t * 4 + 1] = r.b[t % 3] - q.b[(t + 1) % 3];
    out[t * 4 + 2] = r.c * 256 + q.c;
    out[t * 4 + 3] = *where + names[t % 3][1] + n;
}
"""


def test_structs_arrays_and_initialised_data(build: str) -> None:
    given = (b"q", ((1, 2, 3), 1.25), ((-1, -2, -3), 2.5), 9.0)
    tables = [(b"x", ((1, 2, 3), 4.5), ((4, 5, 6), -1.5), 2.25),
              (b"y", ((7, 8, 9), 0.5), ((10, 11, 12), 8.0), -3.0)]  # fmt: skip
    packed = struct.pack(
        "<c7x3h2xd3h2xdf4x",
        given[0],
        *given[1][0],
        given[1][1],
        *given[2][0],
        given[2][1],
        given[3],
    )
    (got,) = _loaded(STRUCTS, build).run(
        "structs", 1, 32, [packed, np.zeros(128, np.int64), np.int16(-3)]
    )

    def made(big: Any, t: int) -> tuple[int, list[int], int]:
        numbers, real = big[1 + (t & 1)]
        return (
            int(real * 1000) << 20,
            [x * t for x in numbers],
            ord(big[0]) + (t if big[3] < 0 else -t),
        )

    for t in range(32):
        (a, b, c), (d, e, f) = made(given, t), made(tables[t & 1], t)
        text = ["zero", "one", "two"][t % 3]
        signed = [(x + 128) % 256 - 128 for x in (c, f)]
        assert got[4 * t : 4 * t + 4].tolist() == [
            a + d,
            b[t % 3] - e[(t + 1) % 3],
            signed[0] * 256 + signed[1],
            5 + ord(text[1]) - 3,
        ]
