"""mbarrier objects, one per thread: initialized, used by the form, observed, invalidated."""

from __future__ import annotations

from lanemap.conformance.programs.sites import Site

_NEAR = "shared::cta.b64"
Results = list[tuple[str, str]]


class _Object:
    """A thread's object: how many arrivals its phase still waits for."""

    def __init__(self, site: Site, initialise: bool = True) -> None:
        self.site = site
        self.expected = 2 + site.chance.below(4)
        self.left = self.expected
        self.results: Results = []
        if initialise:
            self.line(f"mbarrier.init.{_NEAR} [%mb], {self.expected};")

    def line(self, text: str) -> None:
        self.site.writer.line(text)

    def address(self) -> str:
        """Return the object's address for the form's own space."""
        if self.site.has("shared::cluster"):
            return "[%mb]"
        if self.site.has("shared") or self.site.has("shared::cta"):
            return f"[{self.site.chance.of(['%mb', '%mbd'])}]"
        return "[%mbg]"

    def arrive(self, count: int) -> str:
        """Arrive plainly; return the state."""
        state = self.site.writer.temporary("d")
        self.line(f"mbarrier.arrive.{_NEAR} {state}, [%mb], {count};")
        self.left -= count
        return state

    def ask(self, parity: int) -> None:
        """Record whether the phase of a parity is complete."""
        over = self.site.writer.temporary("p")
        self.line(f"mbarrier.test_wait.parity.{_NEAR} {over}, [%mb], {parity};")
        self.results.append(("p", over))

    def complete(self, size: int) -> None:
        """Complete the expected bytes, testing the phase before and after."""
        self.ask(0)
        self.line(f"mbarrier.complete_tx.relaxed.cta.{_NEAR} [%mb], {size};")
        self.ask(0)

    def finish(self) -> None:
        """Arrive until the first phase completes, record the results, and invalidate the object."""
        self.ask(0)
        if self.left:
            self.arrive(self.left)
        self.ask(0)

    def give_up(self) -> None:
        """Record the results and invalidate the object."""
        self.line(f"mbarrier.inval.{_NEAR} [%mb];")
        self.site.results(self.results)


def mbarrier(site: Site) -> None:
    """Write a form of mbarrier among others that reveal what it did."""
    word = site.tokens[1]
    if word == "init":
        thing = _Object(site, initialise=False)
        site.emit([thing.address(), str(thing.expected)])
        thing.finish()
    else:
        thing = _Object(site)
        {
            "inval": _inval,
            "arrive": _arrive,
            "arrive_drop": _arrive,
            "expect_tx": _bytes,
            "complete_tx": _bytes,
            "pending_count": _pending,
            "test_wait": _wait,
            "try_wait": _wait,
        }[word](site, thing)
    thing.give_up()


def _inval(site: Site, thing: _Object) -> None:
    """Invalidate the object and initialize it again."""
    thing.arrive(1)
    site.emit([thing.address()])
    thing.left = thing.expected
    thing.line(f"mbarrier.init.{_NEAR} [%mb], {thing.expected};")
    thing.finish()


def _arrive(site: Site, thing: _Object) -> None:
    """Arrive with a count or with bytes; arrive_drop also lowers later phases."""
    target, found = site.destination(site.operands[0])
    drops, expects = site.tokens[1] == "arrive_drop", site.has("expect_tx")
    count, size, more = 1, 16 * (1 + site.chance.below(8)), []
    if expects:
        more = [str(size)]
    elif len(site.operands) == 3:
        most = thing.expected - int(drops or site.has("noComplete"))
        count = 1 + site.chance.below(most)
        more = [str(count)]
    site.emit([target, thing.address(), *more])
    thing.left -= count
    for _, state in found:
        pending = site.writer.temporary("r")
        thing.line(f"mbarrier.pending_count.b64 {pending}, {state};")
        thing.results.append(("r", pending))
    thing.finish()
    if expects:
        thing.complete(size)
    if drops:  # The second phase waits for fewer arrivals.
        thing.ask(1)
        thing.arrive(thing.expected - count)
        thing.ask(1)


def _bytes(site: Site, thing: _Object) -> None:
    """Expect bytes, and complete them."""
    size = 16 * (1 + site.chance.below(8))
    if site.tokens[1] == "expect_tx":
        site.emit([thing.address(), str(size)])
        thing.finish()
        thing.complete(size)
        return
    thing.line(f"mbarrier.expect_tx.relaxed.cta.{_NEAR} [%mb], {2 * size};")
    thing.finish()
    site.emit([thing.address(), str(size)])
    thing.complete(size)


def _pending(site: Site, thing: _Object) -> None:
    """Read the pending count from a state."""
    target, found = site.destination(site.operands[0])
    site.emit([target, thing.arrive(1 + site.chance.below(thing.expected))])
    thing.results += found
    thing.finish()


def _wait(site: Site, thing: _Object) -> None:
    """Wait for a completed phase, or test one that may be incomplete."""
    target, found = site.destination(site.operands[0])
    may_fail = site.tokens[1] == "test_wait" and site.chance.one_in(2)
    state = thing.arrive(1 if may_fail else thing.expected)
    which = state
    if site.has("parity"):
        which = str(site.chance.below(2) if may_fail else 0)
    time = [str(site.chance.below(100))] if len(site.operands) == 4 else []
    site.emit([target, thing.address(), which, *time])
    thing.results += found
    thing.finish()
