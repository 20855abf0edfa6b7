"""Coverage by family: no instruction is left out of the lists, and shares are never rounded up."""

from __future__ import annotations

import re
from pathlib import Path

from lanemap.conformance.forms.judged import accepted, all_forms
from lanemap.conformance.forms.summary import FamilyCount, summary

# The instructions of the table of contents of the PTX ISA 9.0, sections 9.7.1 to 9.7.19.
CONTENTS = """
add sub mul mad mul24 mad24 sad div rem abs neg min max popc clz bfind fns brev bfe bfi szext bmsk
dp4a dp2a addc subc madc testp copysign fma rcp sqrt rsqrt sin cos lg2 ex2 tanh set setp selp slct
and or xor not cnot lop3 shf shl shr mov shfl prmt ld ldu st st.async st.bulk multimem.ld_reduce
multimem.st multimem.red prefetch prefetchu applypriority discard createpolicy isspacep cvta cvt
mapa getctarank cp.async cp.async.commit_group cp.async.wait_group cp.async.wait_all cp.async.bulk
cp.reduce.async.bulk cp.async.bulk.prefetch cp.async.bulk.tensor cp.reduce.async.bulk.tensor
cp.async.bulk.prefetch.tensor cp.async.bulk.commit_group cp.async.bulk.wait_group tensormap.replace
tex tld4 txq istypep suld sust sured suq bra brx.idx call ret exit bar barrier bar.warp
barrier.cluster membar fence atom red red.async vote match activemask redux griddepcontrol elect
mbarrier.init mbarrier.inval mbarrier.expect_tx mbarrier.complete_tx mbarrier.arrive
mbarrier.arrive_drop cp.async.mbarrier.arrive mbarrier.test_wait mbarrier.try_wait
mbarrier.pending_count tensormap.cp_fenceproxy clusterlaunchcontrol.try_cancel
clusterlaunchcontrol.query_cancel wmma.load wmma.store wmma.mma mma mma.sp ldmatrix stmatrix
movmatrix wgmma.mma_async wgmma.fence wgmma.commit_group wgmma.wait_group tcgen05.alloc tcgen05.ld
tcgen05.st tcgen05.wait tcgen05.cp tcgen05.shift tcgen05.mma tcgen05.fence tcgen05.commit stacksave
stackrestore alloca vadd vsub vabsdiff vmin vmax vshl vshr vmad vset vadd2 vsub2 vavrg2 vabsdiff2
vmin2 vmax2 vset2 vadd4 vsub4 vavrg4 vabsdiff4 vmin4 vmax4 vset4 brkpt nanosleep pmevent trap
setmaxnreg
""".split()


def test_every_instruction_of_the_table_of_contents_has_forms() -> None:
    heads = {re.split(r"[ {;]", name)[0] for name in all_forms()}
    missing = [
        name
        for name in CONTENTS
        if not any(head == name or head.startswith((f"{name}.", f"{name}::")) for head in heads)
    ]
    # A call needs a callee: forms of device functions have one (coverage.text_of).
    assert missing == ["call"]


def test_shares_in_words() -> None:
    assert FamilyCount("a", 1000, 999).share == "99.9 %"
    assert FamilyCount("a", 100_000, 99_999).share == "99.9 %", "no 100 % by rounding"
    assert FamilyCount("a", 4, 4).share == "100 %"
    assert FamilyCount("a", 4, 0).share == "0 %"


def test_a_summary_without_silicon_says_so(tmp_path: Path) -> None:
    counts = summary("sm_100a", tmp_path)
    assert counts.gpu is None and counts.total.equal is None
    assert counts.total.accepted == len(accepted("sm_100a"))
    assert sum(each.accepted for each in counts.families) == counts.total.accepted
