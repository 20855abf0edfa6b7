"""How long it takes to probe, fit and certify every tcgen05.ld and st: 74 + 74 variants and more.

    python benchmarks/tensor_probes.py [--runs 3]

Wall-clock of a process that has imported lanemap, in its parts; nothing is compared or drawn. The
first run may compile kernels that the object cache does not hold yet, and is listed apart.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from concurrent.futures import ProcessPoolExecutor

from machine import describe

from lanemap.devices import open_device
from lanemap.probing.probe import find_probe
from lanemap.probing.run import by_variant, fitted

PROBES = ("tcgen05_ld", "tcgen05_st")


def measure(name: str) -> dict[str, float]:
    """Seconds of one run: launches, then observation and certificates, then fits."""
    probe = find_probe(name)
    begun, used = time.perf_counter(), time.process_time()
    device = open_device(probe.target, "emulator", hazards=probe.hazards)
    readings = by_variant(probe, probe.readings(device))
    launched = time.perf_counter()
    findings = [probe.analysis.explain(own) for own in readings.values()]
    explained = time.perf_counter()
    fits = [fitted(finding.cell_map) for finding in findings]
    done = time.perf_counter()
    assert all(finding.explained and finding.settles_all for finding in findings)
    assert all(fit is not None for fit in fits)
    return {
        "variants": len(readings),
        "launches_seconds": launched - begun,
        "certificates_seconds": explained - launched,
        "fits_seconds": done - explained,
        "seconds": done - begun,
        # What others on the same cores do not lengthen.
        "cpu_seconds": time.process_time() - used,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=3)
    runs = parser.parse_args().runs
    machine = describe()
    with ProcessPoolExecutor(len(PROBES)) as pool:
        # One probe a core.
        found = []
        for _ in range(runs + 1):
            begun = time.perf_counter()
            each = dict(zip(PROBES, pool.map(measure, PROBES), strict=True))
            found.append({"seconds": time.perf_counter() - begun, "probes": each})
    first, rest = found[0], found[1:]
    totals = [run["seconds"] for run in rest]
    result = {
        "machine": machine,
        "first_run": first,
        "runs": rest,
        "median_seconds": statistics.median(totals) if totals else None,
        "range_seconds": [min(totals), max(totals)] if totals else None,
    }
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
