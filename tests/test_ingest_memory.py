"""Memory does not grow with the trace."""

import json
import subprocess
import sys

import pytest

from .traces import SHARED, fresh, needs_shared, rows

SCRIPT = """
import resource, sys, profdb
profdb.open(sys.argv[1]).ingest(sys.argv[2], python=True)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


@needs_shared
@pytest.mark.slow
@pytest.mark.parametrize(("style", "packed"), [("kineto", ".gz"), ("compact", "")])
def test_a_large_trace_is_read_exactly_in_less_than_a_gibibyte(tmp_path, style, packed):
    trace, path = tmp_path / f"t.json{packed}", fresh(tmp_path)
    maker = SHARED / "prototypes" / "make_trace.py"
    words = [sys.executable, maker, "--mb", "150", "--style", style, trace]
    truth = json.loads(subprocess.run(words, capture_output=True, check=True).stdout)
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, path, trace], capture_output=True, text=True, check=True
    )
    assert int(done.stdout) < 1 << 20  # in KiB
    seen = dict(rows(path, "SELECT category, seen FROM ingest_ledger"))
    assert seen == truth["counts"]
    times = "(SELECT sum(start_ns) FROM kernels) + (SELECT sum(start_ns) FROM events)"
    base = 1727743122000000000
    assert rows(path, f"SELECT {times}") == [(truth["ts_ns_sum"] + base * truth["events"],)]
