"""Inferred passes of kernel tables in the warehouse."""

import random
import shutil

import pytest
from click.testing import CliRunner

from profdb.cli import main

from .passes_model import Model, Plan, run
from .traces import ingested, rows

HEADER = "Device_id,Name,Type,Accelerator Core,Start Time(us),Duration(us),Stream ID,Input Shapes\n"
SCHEDULE = (
    [("decode", 2, 2)] * 9 + [("decode", 1, 1)] * 8 + [("mixed", 222, 3), ("prefill", 220, 1)]
)
SCHEDULE = [*SCHEDULE, *SCHEDULE]
PHASES = "SELECT label, phase, steps, steps_cut, tokens FROM phase_time ORDER BY ALL"
DEMO = [
    ("0815", "decode", 124, 0, 282),
    ("0815", "prefill", 7, 0, 1548),
    ("1009", "decode", 149, 0, 174),
    ("1009", "prefill", 4, 1, 881),
]


def lines(device, model, seed=1):
    kernels = run(Plan(model, SCHEDULE), seed).kernels
    return [
        f"{device},k,{kernels.ops[op]},AI_CORE,{start // 1000}.{start % 1000:03d},"
        f'{dur // 1000}.{dur % 1000:03d},2,"""{kernels.shapes[shape]}"""\n'
        for start, dur, op, shape in zip(
            *(c.tolist() for c in (kernels.start_ns, kernels.dur_ns, kernels.op, kernels.shape)),
            strict=True,
        )
    ]


def stored(tmp_path, *parts, **options):
    table = [line for part in parts for line in part]
    random.Random(1).shuffle(table)
    (tmp_path / "kernel_details.csv").write_text(HEADER + "".join(table))
    return ingested(tmp_path, tmp_path / "kernel_details.csv", **options)


@pytest.mark.parametrize("shuffled", [False, True], ids=["as written", "rows shuffled"])
def test_demo_windows_have_phases_and_time_per_token(tmp_path, demo_runs, shuffled):
    folders = [shutil.copytree(run, tmp_path / run.name) for run in demo_runs[1:]]
    for folder in folders:
        (table,) = folder.rglob("kernel_details.csv")
        header, *body = table.read_text().splitlines(keepends=True)
        if shuffled:
            random.Random(1).shuffle(body)
        table.write_text(header + "".join(body))
    path = ingested(tmp_path, *folders)
    assert rows(path, PHASES) == DEMO
    query = "SELECT count(*) FROM phase_time WHERE ms_per_token IS NULL OR phase = 'unknown'"
    assert rows(path, query) == [(0,)]
    query = "SELECT count(*) FROM kernels WHERE context_id IS NULL OR attribution <> 'inferred'"
    assert rows(path, query) == [(0,)]
    query = "SELECT label, trust, trust_reasons FROM run_summary ORDER BY 1"
    for (_, trust, reason), passes in zip(rows(path, query), (131, 154), strict=True):
        said = "passes inferred from the kernels: 78 launches of DispatchFFNCombine per pass, cut"
        assert trust == "limited" and reason.startswith(said) and reason.endswith(f"({passes})")
        assert "score 1.00" in reason


def test_devices_of_one_file_are_cut_apart(tmp_path):
    path = stored(tmp_path, lines(0, Model(24, 1)), lines(1, Model(36, 36, drafts=0), 2))
    query = "SELECT device, phase, steps FROM phase_time ORDER BY ALL"
    counts = {"decode": 34, "mixed": 2, "prefill": 2}
    assert rows(path, query) == [(d, phase, n) for d in (0, 1) for phase, n in counts.items()]
    query = (
        "SELECT context_id, count(DISTINCT device) FROM kernels GROUP BY ALL HAVING count(*) > 1"
    )
    assert {devices for _, devices in rows(path, query)} == {1}
    ((reasons,),) = rows(path, "SELECT trust_reasons FROM run_summary")
    assert "device 0: passes inferred" in reasons and "device 1: passes inferred" in reasons
    query = "SELECT step_index, source FROM contexts ORDER BY start_ns"
    assert rows(path, query) == [(place, "inferred") for place in range(76)]


def test_columns_of_a_context(tmp_path):
    path = stored(tmp_path, lines(0, Model(24, 1)))
    query = (
        "SELECT DISTINCT name, phase, context_tokens, generation_tokens, context_requests,"
        " generation_requests FROM contexts ORDER BY ALL"
    )
    assert rows(path, query) == [
        ("decode of 1 token (inferred)", "decode", None, 1, None, None),
        ("decode of 2 tokens (inferred)", "decode", None, 2, None, None),
        ("mixed of 222 tokens (inferred)", "mixed", None, None, None, None),
        ("prefill of 220 tokens (inferred)", "prefill", 220, None, None, None),
    ]
    query = (
        "SELECT count(*) FROM kernels AS k JOIN contexts AS c USING (context_id)"
        " WHERE k.start_ns NOT BETWEEN c.start_ns AND c.end_ns"
    )
    assert rows(path, query) == [(0,)]


def test_tokens_of_decode_are_an_option(tmp_path):
    (tmp_path / "kernel_details.csv").write_text(HEADER + "".join(lines(0, Model(24, 1))))
    path = tmp_path / "w.duckdb"
    arguments = ["ingest", str(tmp_path), "--db", str(path), "--decode-tokens"]
    assert CliRunner().invoke(main, [*arguments, "0"]).exit_code == 2
    assert CliRunner().invoke(main, [*arguments, "1"]).exit_code == 0
    query = "SELECT phase, steps FROM phase_time ORDER BY 1"
    assert rows(path, query) == [("decode", 16), ("mixed", 2), ("prefill", 20)]


def test_what_is_refused_says_why_and_has_no_contexts(tmp_path):
    path = stored(tmp_path, lines(0, Model(24, 1))[:40])
    query = "SELECT contexts, trust, trust_reasons FROM run_summary"
    said = "phases unknown, passes cannot be inferred from the kernels: fewer than 50 kernels (40)"
    assert rows(path, query) == [(0, "limited", said)]
    assert rows(path, "SELECT DISTINCT phase FROM kernel_events") == [("unknown",)]
