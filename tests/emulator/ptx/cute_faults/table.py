"""Faults put into the kernels of tests/emulator/ptx/cute_dsl, most of which people met in public.

`make cute` finds them in what CuTe DSL makes of the changed kernels (tests/check/test_cute.py).
build.py stores that text, in which test_cute_faults.py finds them without CuTe DSL.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ProductFault:
    """A fault in a kernel.

    Attributes:
        name: What the stored text is called.
        thread: The public thread whose fault it is, or "" for one that is common.
        product: The function of tests/check/scripts/cute/products.py that launches the kernel.
        job: What jobs.py and cute_dsl_cases.py call the kernel.
        target: What it is compiled for.
        file: The file that is changed.
        right: What stands there, once.
        wrong: What takes its place.
        says: What a finding says.
        line: What stands at a line that it names.
    """

    name: str
    thread: str
    product: str
    job: str
    target: str
    file: str
    right: str
    wrong: str
    says: str
    line: str

    @property
    def change(self) -> tuple[str, str]:
        """What stands in the file, and what takes its place."""
        return self.right, self.wrong

    def changed(self, text: str) -> str:
        """Return the file's text with the fault."""
        assert text.count(self.right) == 1, self
        return text.replace(self.right, self.wrong)


_RELEASED = "        full.release()\n"
_MULTIPLIED = """\
        for k in cutlass.range_constexpr(cute.size(held_a, mode=[2])):
            step = (None, None, k, full.index)
            cute.gemm(multiply, sums, held_a[step], held_b[step], sums)
            multiply.set(tcgen05.Field.ACCUMULATE, True)
"""
FAULTS = (
    ProductFault(
        "weights_unfinished", "flash-attention#2033", "attention", "attention_bf16_64", "sm_100a",
        "attention",
        "        cute.arch.fence_view_async_tmem_store()\n        free.commit()",
        "        free.commit()",
        "tcgen05.wait::st", "cute.gemm(second",
    ),
    ProductFault(
        "half_expected", "cutlass#2364", "pair", "pair", "sm_100a", "persistent",
        "tx_count=group * bytes_each", "tx_count=bytes_each",
        "nothing orders this after phase 1 of the mbarrier", "cute.gemm(multiply, into",
    ),
    ProductFault(
        "peers_not_met", "FlashKDA#25", "pair", "pair", "sm_100a", "persistent",
        "        pipeline.pipeline_init_wait(cluster_shape_mn=ctas)\n", "        pass\n",
        "mbarrier.init", "full.release()",
    ),
    ProductFault(
        "sums_not_awaited", "ThunderKittens#33", "hopper", "product", "sm_90a", "products",
        "        warpgroup.wait_group(0)\n", "        warpgroup.wait_group(1)\n",
        "a wait for its wgmma-group", "cute.gemm(multiply, sums",
    ),
    ProductFault(
        "stage_released_early", "", "blackwell", "product", "sm_100a", "blackwell",
        _MULTIPLIED + _RELEASED, _RELEASED + _MULTIPLIED,
        "which reads it", "cute.gemm(multiply, sums",
    ),
    ProductFault(
        "freed_while_read", "", "blackwell", "product", "sm_100a", "blackwell",
        "    pipeline.sync(barrier_id=1)\n    memory.free(base)", "    memory.free(base)",
        "deallocates tensor memory", "cute.copy(copier, from_memory",
    ),
    ProductFault(
        "peers_not_counted", "humming#56", "cluster", "cluster", "sm_100a", "persistent",
        "consumer_group=threads(sharing)", "consumer_group=threads()",
        "warp 4 of CTA 2 issued it asynchronously", "cute.gemm(multiply, into",
    ),
    ProductFault(
        "factors_not_awaited", "cutlass#3643", "nvfp4", "nvfp4", "sm_100a", "scaled",
        "        (recipe.factor, layout_sb),\n    )\n    loads", "    )\n    loads",
        "a wait for it is missing", "cute.copy(of_b[0]",
    ),
)  # fmt: skip
