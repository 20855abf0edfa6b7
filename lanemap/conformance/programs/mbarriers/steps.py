"""Sequences: every thread has an object of its own, and every form is a step of all threads.

The counts of a thread's object determine which numbers the thread may use. Threads whose object
does not allow a step skip it. In a cluster of two, a step may use the object of a thread of the
other CTA. State that cannot be read directly shows in the object's parity and in its pending
arrivals.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lanemap.conformance.forms.rows import Form
from lanemap.conformance.programs.chance import Chance
from lanemap.conformance.programs.mbarriers.counts import MOST, Counts
from lanemap.conformance.programs.mbarriers.text import MEET, NEAR, STATE, THREADS, Text, words

Lanes = list[bool]


class Steps:
    """The sequence of a program."""

    def __init__(self, text: Text) -> None:
        """Initialize an object for each thread."""
        self.text = text
        self.chance = Chance("steps", text.seed)
        self.counts = Counts(text.threads)
        self.every = [True] * text.threads
        self._init("mbarrier.init." + NEAR, "%mb", self.every)

    # -- helpers -----------------------------------------------------------------------------

    def drawn(self, lanes: Lanes, most: Sequence[int]) -> list[int]:
        """Return a number from 1 to `most` for each lane, often 1 or `most`; 0 elsewhere."""
        found = []
        for lane, limit in zip(lanes, most, strict=True):
            way = self.chance.below(6)
            number = limit if way == 0 else 1 if way == 1 else 1 + self.chance.below(limit or 1)
            found.append((min(number, 40) if way > 2 else number) if lane else 0)
        return found

    def number(self, lanes: Lanes, values: list[int], most: Sequence[int]) -> str:
        """Return an operand with the values; sometimes one for all lanes, changing `values`."""
        here = [limit for lane, limit in zip(lanes, most, strict=True) if lane]
        if here and self.chance.one_in(3):
            common = 1 + self.chance.below(min(here))
            values[:] = [common if lane else 0 for lane in lanes]
            return str(common)
        return self.text.column(values)

    def place(self, form: str, tokens: list[str]) -> tuple[str, list[int]]:
        """Return the address operand of a form, and the object that each thread uses."""
        own = list(range(self.text.threads))
        if "shared::cluster" in tokens:
            if self.chance.one_in(2):
                return "[%own]", own
            across = THREADS * (self.text.cluster - 1)
            return "[%peer]", [number ^ across for number in own]
        if "shared" in tokens or "shared::cta" in tokens:
            return f"[{self.chance.of(['%mb', '%mbd'])}]", own
        return "[%mbg]", own

    def meet(self, objects: list[int]) -> None:
        """Synchronize the cluster if a step uses another thread's object."""
        if objects[0] != 0:
            self.text.line(*MEET)

    def settle(self, lanes: Lanes) -> None:
        """Complete the phases of these lanes' objects, arrivals and bytes in any order."""
        counts = self.counts

        def arrive() -> None:
            here = [lane and p > 0 for lane, p in zip(lanes, counts.pending, strict=True)]
            number = self.text.column(list(counts.pending))
            guard = self.text.guard(here)
            self.text.line(f"{guard}mbarrier.arrive.{NEAR} _, [%mb], {number};")
            for lane in self._indices(here):
                counts.arrive(lane, counts.pending[lane])

        def transact() -> None:
            for name, sign in (("complete_tx", 1), ("expect_tx", -1)):
                here = [lane and b * sign > 0 for lane, b in zip(lanes, counts.bytes, strict=True)]
                if not any(here):
                    continue
                number = self.text.column([abs(b) for b in counts.bytes])
                guard = self.text.guard(here)
                self.text.line(f"{guard}mbarrier.{name}.relaxed.cta.{NEAR} [%mb], {number};")
                for lane in self._indices(here):
                    counts.transact(lane, -counts.bytes[lane])

        before = list(counts.phase)
        transact()
        lanes = [lane and counts.phase[i] == before[i] for i, lane in enumerate(lanes)]
        arrive()

    def ask(self, form: str, parity: int | None = None) -> None:
        """Store under a form whether the phase of a parity is complete."""
        parity = self.chance.below(2) if parity is None else parity
        over = self.text.register("p")
        self.text.line(f"mbarrier.test_wait.parity.{NEAR} {over}, [%mb], {parity};")
        self.text.keep(
            form, "p", over, [int(self.counts.is_over(i, parity)) for i in range(len(self.every))]
        )

    def witness(self, form: str) -> None:
        """Store what is visible of the objects: parity and, by arriving once, what is pending."""
        self.ask(form)
        here = [pending > 0 for pending in self.counts.pending]
        self.arrive(form, "mbarrier.arrive." + NEAR, "[%mb]", here)
        if self.chance.one_in(2):
            self.settle(self.lanes())
            self.ask(form)

    def arrive(self, form: str, mnemonic: str, address: str, here: Lanes) -> str:
        """Arrive once in these lanes; keep what was pending before, and return the state."""
        guard = self.text.guard(here)
        state = self.state()
        self.text.line(f"{guard}{mnemonic} {state}, {address};")
        before = [self.counts.arrive(i, 1) if lane else 0 for i, lane in enumerate(here)]
        self.pending(form, guard, state, before)
        return state

    def state(self) -> str:
        """Return a register for a state, zero where nothing sets it."""
        state = self.text.register("d")
        self.text.line(f"mov.b64 {state}, 0;")
        return state

    def pending(
        self,
        form: str,
        guard: str,
        state: str,
        before: list[int],
        mnemonic: str = "mbarrier.pending_count.b64",
    ) -> None:
        """Store the count in a state, and the state itself, which is not compared."""
        count = self.text.register("r")
        self.text.line(f"mov.b32 {count}, 0;", f"{guard}{mnemonic} {count}, {state};")
        self.text.keep(form, "r", count, before)
        self.text.keep(STATE, "d", state)

    def lanes(self) -> Lanes:
        """Return half of the lanes, or all."""
        if self.chance.one_in(3):
            return list(self.every)
        return [bool(self.chance.below(2)) for _ in self.every]

    def _indices(self, lanes: Lanes) -> list[int]:
        return [number for number, lane in enumerate(lanes) if lane]

    def _init(self, mnemonic: str, address: str, lanes: Lanes) -> None:
        sizes = (3, 9, 9, 40, 1000, MOST)
        most = [self.chance.of(sizes) for _ in lanes]
        values = self.drawn(lanes, most)
        number = self.number(lanes, values, most)
        self.text.line(f"{self.text.guard(lanes)}{mnemonic} [{address}], {number};")
        for lane in self._indices(lanes):
            self.counts.init(lane, values[lane])

    def renew(self, lanes: Lanes) -> None:
        """Give these lanes new objects."""
        self.text.line(f"{self.text.guard(lanes)}mbarrier.inval.{NEAR} [%mb];")
        self._init("mbarrier.init." + NEAR, "%mb", lanes)

    # -- forms -------------------------------------------------------------------------------

    def write(self, form: Form) -> None:
        """Write the step of a form."""
        tokens = words(form.name)
        step: Callable[[Form, list[str]], None] = {
            "init": self._step_init,
            "inval": self._step_inval,
            "arrive": self._step_arrive,
            "arrive_drop": self._step_arrive,
            "expect_tx": self._step_bytes,
            "complete_tx": self._step_bytes,
            "pending_count": self._step_pending,
            "test_wait": self._step_wait,
            "try_wait": self._step_wait,
        }[tokens[1]]
        step(form, tokens)

    def _step_init(self, form: Form, tokens: list[str]) -> None:
        lanes = self.lanes()
        guard = self.text.guard(lanes)
        self.text.line(f"{guard}mbarrier.inval.{NEAR} [%mb];")
        address, _ = self.place(form.name, tokens)
        self._init(".".join(tokens), address.strip("[]"), lanes)
        self.witness(form.name)

    def _step_inval(self, form: Form, tokens: list[str]) -> None:
        """The bytes of a dead object hold what is stored there."""
        lanes, address = self.lanes(), self.place(form.name, tokens)[0]
        guard = self.text.guard(lanes)
        word, found = self.text.register("d"), self.text.register("d")
        self.text.line(f"mov.b64 {word}, {self.chance.bits(63):#x};", f"mov.b64 {found}, 0;")
        self.text.line(f"{guard}{'.'.join(tokens)} {address};")
        self.text.line(f"{guard}st.shared.b64 [%mb], {word};")
        self.text.line(f"{guard}ld.shared.b64 {found}, [%mb];")
        self.text.keep(form.name, "d", found)
        self._init("mbarrier.init." + NEAR, "%mb", lanes)
        self.witness(form.name)

    def _most(self, tokens: list[str], objects: list[int]) -> list[int]:
        """Return how often each thread may arrive in the form's way; 0 where it may not."""
        found = []
        for number in objects:
            most = self.counts.pending[number] - ("noComplete" in tokens)
            if tokens[1] == "arrive_drop":
                most = min(most, self.counts.expected[number] - 1)
            found.append(max(most, 0))
        return found

    def _step_arrive(self, form: Form, tokens: list[str]) -> None:
        address, objects = self.place(form.name, tokens)
        if sum(most > 0 for most in self._most(tokens, objects)) < len(objects) // 2:
            self.settle(self.every)
            poor = [most == 0 for most in self._most(tokens, list(range(len(objects))))]
            if any(poor):
                self.renew(poor)
        most = self._most(tokens, objects)
        lanes = [limit > 0 and not self.chance.one_in(8) for limit in most]
        counts, sizes, more = [int(lane) for lane in lanes], [0] * len(lanes), ""
        if "expect_tx" in tokens:
            most = [min(MOST, MOST - self.counts.bytes[number]) for number in objects]
            lanes = [lane and limit > 0 for lane, limit in zip(lanes, most, strict=True)]
            counts, sizes = [int(lane) for lane in lanes], self.drawn(lanes, most)
            more = ", " + self.number(lanes, sizes, most)
        elif len(form.statement.split(",")) == 3:
            counts = self.drawn(lanes, most)
            more = ", " + self.number(lanes, counts, most)
        guard, state = self.text.guard(lanes), "_"
        self.meet(objects)
        if "shared::cluster" not in tokens:
            state = self.state()
        self.text.line(f"{guard}{'.'.join(tokens)} {state}, {address}{more};")
        before = [0] * len(lanes)
        for i in self._indices(lanes):
            drop = tokens[1] == "arrive_drop"
            before[i] = self.counts.arrive(objects[i], counts[i], drop, sizes[i])
        self.meet(objects)
        if state != "_":
            self.pending(form.name, guard, state, before)
        self.witness(form.name)

    def _step_bytes(self, form: Form, tokens: list[str]) -> None:
        address, objects = self.place(form.name, tokens)
        sign = 1 if tokens[1] == "expect_tx" else -1
        bytes_ = self.counts.bytes
        most = [min(MOST, MOST - sign * bytes_[number]) for number in objects]
        lanes = [limit > 0 and not self.chance.one_in(8) for limit in most]
        sizes = self.drawn(lanes, most)
        for i in self._indices(lanes):
            left = -sign * bytes_[objects[i]]
            if left > 0 and self.chance.one_in(2):
                sizes[i] = left  # what is left, so that a phase may end here
        number = self.text.column(sizes)
        guard = self.text.guard(lanes)
        self.meet(objects)
        self.text.line(f"{guard}{'.'.join(tokens)} {address}, {number};")
        for i in self._indices(lanes):
            self.counts.transact(objects[i], sign * sizes[i])
        self.meet(objects)
        self.witness(form.name)

    def _step_pending(self, form: Form, tokens: list[str]) -> None:
        here = [pending > 0 for pending in self.counts.pending]
        guard, state = self.text.guard(here), self.state()
        self.text.line(f"{guard}mbarrier.arrive.{NEAR} {state}, [%mb];")
        before = [self.counts.arrive(i, 1) if lane else 0 for i, lane in enumerate(here)]
        self.pending(form.name, guard, state, before, ".".join(tokens))
        self.witness(form.name)

    def _step_wait(self, form: Form, tokens: list[str]) -> None:
        """Wait for phases complete in some lanes; mostly in all for try_wait, which may suspend."""
        tries, timed = tokens[1] == "try_wait", len(form.statement.split(",")) == 4
        if "parity" not in tokens:
            lanes = [pending > 0 for pending in self.counts.pending]
            asked = list(self.counts.phase)
            state = self.arrive(form.name, "mbarrier.arrive." + NEAR, "[%mb]", lanes)
            current = [self.counts.phase[i] == phase for i, phase in enumerate(asked)]
            ended = self.every if tries and not self.chance.one_in(3) else self.lanes()
            self.settle([a and b and c for a, b, c in zip(lanes, current, ended, strict=True)])
            phase, over = state, [self.counts.phase[i] > asked[i] for i in range(len(asked))]
        else:
            lanes = self.lanes()
            ended = self.every if tries and not self.chance.one_in(3) else self.lanes()
            parities = [self.counts.phase[i] % 2 ^ int(over) for i, over in enumerate(ended)]
            phase, over = self.text.column(parities), list(ended)
        address, _ = self.place(form.name, tokens)
        guard, found = self.text.guard(lanes), self.text.register("p")
        time = f", {self.text.column([self.chance.below(3000) for _ in lanes])}" if timed else ""
        self.text.line(f"setp.ne.u32 {found}, 0, 0;")
        wait = f"{guard}{'.'.join(tokens)} {found}, {address}, {phase}{time};"
        if timed:
            self._repeat(wait, found)
        else:
            self.text.line(wait)
        expected = [int(a and b) for a, b in zip(lanes, over, strict=True)]
        self.text.keep(form.name, "p", found, expected)
        self.witness(form.name)

    def _repeat(self, wait: str, found: str) -> None:
        """Write a timed wait inside a loop that lanes leave at different times.

        ptxas translates one outside a loop wrongly (conformance/faults).
        """
        text = self.text
        again, over = text.writer.label(), text.writer.label()
        turns, more = text.register("r"), text.register("p")
        most = text.column([1 + self.chance.below(3) for _ in self.every])
        text.line(
            f"mov.b32 {turns}, 0;",
            f"{again}: {wait}",
            f"@{found} bra {over};",
            f"add.u32 {turns}, {turns}, 1;",
            f"setp.lt.u32 {more}, {turns}, {most};",
            f"@{more} bra {again};",
            f"{over}:",
        )
