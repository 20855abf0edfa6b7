"""The plan of a chained GEMM on Blackwell, O = (Q K^T as P) V, as attention has it.

S = Q K^T lies in tensor memory as the accumulator of the first MMA, f32. P, bf16, must lie where
the second MMA reads its operand A. Each warp loads its rows of S, turns them into P in registers,
and stores P. This asks which loads and stores do that without moving a value to another thread.

    python examples/chained_gemm.py
"""

import lanemap

S, P = "d:128x128:f32", "a:128x128:bf16"

for load in ("32x32b", "16x256b"):
    plan = lanemap.plan_copy(S, P, load=load)
    print(f"load with {load}:")
    print(plan)
    print()
