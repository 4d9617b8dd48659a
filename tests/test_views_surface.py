"""The surface of the views: names, columns, comments, portable constructs, the plain shell."""

import json
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest
import sqlglot
from sqlglot import exp

from profdb.warehouse import Warehouse
from profdb.warehouse.sqlfiles import read_views, shipped_sql

from .tiny import EPOCH, MM, add_kernels, build, insert

CONTRACT = {
    "dictionary": "object kind column_name comment",
    "run_summary": """label rank profile_id source_path format platform device_name captured_at
        window_ms events gpu_events kernels gpu_ms contexts trust trust_reasons""",
    "ingest_ledger": "label rank file category seen stored set_aside reason profile_id",
    "kernel_events": """label rank profile_id device stream start_ns dur_ns kernel family
        implementation op shape dtype phase context_id correlation stable_name""",
    "context_time": """label rank context_id step_index name phase source complete
        context_requests context_tokens generation_requests generation_tokens device launches
        gpu_ms busy_ms gap_ms period_ms start_ns profile_id""",
    "phase_time": """label rank phase device steps steps_cut tokens launches gpu_ms busy_ms gap_ms
        ms_per_step ms_per_token period_ms share""",
    "family_time": """label rank phase family launches launches_per_step total_ms ms_per_step
        ms_per_token phase_share run_share""",
    "launches_per_token": """label rank phase family implementation launches steps tokens
        launches_per_step launches_per_token total_ms ms_per_step ms_per_token mean_us
        phase_share run_share""",
    "kernel_time": """label rank phase kernel family implementation launches launches_per_step
        total_ms mean_us p50_us p99_us max_us phase_share run_share""",
    "kernel_rules": """label rank kernel family implementation rule origin pattern launches total_ms
        run_share op_type platform stable_name kind""",
    "op_time": "label rank phase op launches total_ms mean_us phase_share run_share",
    "shape_stats": """label rank phase op kernel shape dtype tokens launches steps total_ms mean_us
        p50_us p99_us max_us pattern""",
    "shape_diff": """base cand rank phase op shape tokens base_kernel cand_kernel
        base_launches cand_launches base_steps cand_steps base_total_ms cand_total_ms
        base_mean_us cand_mean_us base_p50_us cand_p50_us base_p99_us cand_p99_us
        base_max_us cand_max_us mean_change p50_change p99_change lost_ms pattern""",
    "kernel_diff": """base cand rank phase kernel base_launches cand_launches
        base_launches_per_step cand_launches_per_step base_ms_per_step cand_ms_per_step
        base_p50_us cand_p50_us launches_per_step_change ms_per_step_change p50_change""",
    "family_diff": """base cand rank phase family base_launches cand_launches
        base_launches_per_step cand_launches_per_step base_ms_per_step cand_ms_per_step
        base_p50_us cand_p50_us launches_per_step_change ms_per_step_change p50_change""",
    "family_token_diff": """base cand rank phase tokens_low tokens_high family base_steps cand_steps
        base_tokens cand_tokens base_launches_per_step cand_launches_per_step base_ms_per_step
        cand_ms_per_step base_ms_per_token cand_ms_per_token ms_per_step_change
        ms_per_token_change""",
    "group_diff": """base cand rank phase op kernel shape tokens_low tokens_high pooled
        base_launches cand_launches base_steps cand_steps base_total_ms cand_total_ms
        base_mean_us cand_mean_us base_p50_us cand_p50_us base_p99_us cand_p99_us base_max_us
        cand_max_us mean_change p50_change lost_ms pooling""",
    "replay_diff": """base cand rank phase batch kernel position base_launches cand_launches
        base_p50_us cand_p50_us p50_change lost_ms""",
    "op_diff": """base cand rank phase op base_launches cand_launches base_total_ms cand_total_ms
        base_mean_us cand_mean_us base_p50_us cand_p50_us base_p99_us cand_p99_us
        count_effect_ms mix_effect_ms within_effect_ms count_effect_ns mix_effect_ns
        within_effect_ns simpson difference_ms new_ms gone_ms""",
    "tail": """label rank phase op kernel shape place dur_us since_ms context_id position device
        stream start_ns idle_before_us first_of_shape beside beside_us beside_op""",
    "gaps": """label rank profile_id device place phase context_id gap_ms before_op after_op
        last_call start_ns""",
    "step_diff": """base cand rank phase base_steps cand_steps base_period_ms cand_period_ms
        base_busy_ms cand_busy_ms base_gap_ms cand_gap_ms period_lost_ms period_change
        kernel_lost_ms count_lost_ms gap_lost_ms""",
    "pass_cells": """label rank phase context_id op kernel shape tokens launches total_ms p50_us
        mean_us""",
    "closure": """label rank model phase family implementation launches_per_step expected_per_step
        residual status steps_checked steps_not_closed commonest_per_step finding steps_cut
        steps_cut_not_closed kind""",
    "closure_steps": """label rank model phase context_id family implementation launches expected
        residual step_index complete kind""",
    "closure_map": """label rank model phase family implementation module kind count multiplicity
        origin launches_per_step position""",
    "closure_readings": "label rank model phase kind place closes assignments reading evidence",
    "ceiling": """label rank phase family implementation total_ms exclusive_ms
        max_saving_ms_per_step max_saving_share steps ms_per_step period_ms busy_ms idle_ms
        host_bound""",
    "graph_replays": """label rank profile_id context_id phase replay correlation launch_ns launches
        gpu_ms""",
    "step_like": "label rank profile_id name spans",
    "unannotated": """label rank profile_id device start_ns launches graph_replays linear_launches
        attention_launches gpu_ms""",
    "overlap": """label rank profile_id phase device window_ms computing_ms communication_ms
        fused_communication_ms exposed_communication_ms free_ms covered_ms paused_ms""",
    "rank_skew": """label phase op family shape ranks launches_min launches_max total_ms median_us
        quick_rank quick_us slow_rank slow_us skew_share transfer_ms wait_ms
        message_bytes""",
    "api_time": "label rank level name calls total_ms mean_us max_us",
    "api_diff": """base cand rank level name base_calls cand_calls base_total_ms cand_total_ms
        base_mean_us cand_mean_us base_max_us cand_max_us more_ms calls_effect_ms
        mean_effect_ms""",
    "kernel_counters": """label rank profile_id device stream start_ns dur_ns kernel op shape phase
        context_id counter value""",
    "vendor_check": "label rank profile_id kind item figure ours vendors difference status",
    "model_counts": "model pass module kind runs_in count layers inputs outputs absorbed_by",
}
VIEW_FILES = read_views(shipped_sql())
COMMENTS = """
SELECT table_name AS object, NULL AS column_name, comment FROM duckdb_tables()
WHERE schema_name = 'main' AND NOT internal
UNION ALL
SELECT view_name, NULL, comment FROM duckdb_views() WHERE schema_name = 'main' AND NOT internal
UNION ALL
SELECT table_name, column_name, comment FROM duckdb_columns()
WHERE schema_name = 'main' AND NOT internal
"""
REFUSED = (
    exp.IntDiv, exp.GroupConcat, exp.RegexpReplace, exp.Log, exp.DateDiff, exp.IsNan, exp.Pivot,
    exp.Rollup, exp.Cube, exp.GroupingSets, exp.Slice,
)  # fmt: skip


@pytest.fixture(scope="module")
def db(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("tiny") / "w.duckdb"
    build(path)
    with Warehouse.open(path, write=True) as warehouse:
        insert(warehouse, "models", "model_id, name", [(1, "toy")])
        module = (1, "o", "linear", "target", "any", 8, 4)
        columns = "model_id, module, kind, pass, runs_in, inputs, outputs"
        insert(warehouse, "model_modules", columns, [module])
        columns = "model_id, pass, position, layer, module"
        insert(warehouse, "model_sequence", columns, [(1, "target", 0, 0, "o")])
        columns = "run_id, model_id, phase, family, implementation, module, multiplicity, origin"
        row = (1, 1, "decode", "gemm", "LLMM1", "o", 1, "inferred")
        insert(warehouse, "model_maps", columns, [row])
        columns = "run_id, model_id, phase, kind, place, closes, assignments, reading"
        row = (1, 1, "decode", "linear", 1, True, 1, "LLMM1 = 1 o")
        insert(warehouse, "map_readings", columns, [row])
        columns = "profile_id, correlation, context_id, launch_ns"
        insert(warehouse, "graph_launches", columns, [(1, 5, 13, EPOCH)])
        columns = "profile_id, level, name, calls, total_ns, min_ns, max_ns"
        insert(warehouse, "vendor_calls", columns, [(1, "acl", "run", 2, 30, 10, 20)])
        columns = "profile_id, op_type, core, launches, total_ns, min_ns, max_ns"
        row = (1, "MatMul", "AI_CORE", 1, 2, 2, 2)
        insert(warehouse, "vendor_operators", columns, [row])
        insert(warehouse, "unread_steps", "profile_id, name, spans", [(1, "step[?]", 2)])
        attention = [(8, "kernel", "flash", "flash", "attention", "flash")]
        columns = "kernel_id, kind, name, stable_name, family, implementation"
        insert(warehouse, "kernel_names", columns, attention)
        add_kernels(warehouse, [(1, None, 0, 7, 600 + n, 1, n, MM) for n in (1, 8)])
        add_kernels(warehouse, [(1, 13, 0, 7, 320, 1, 3, (2, 3))])
        warehouse.con.execute("UPDATE kernels SET graph_replay = TRUE WHERE shape_id = 3")
        warehouse.con.execute("UPDATE profiles SET counters = ['aic_time(us)'] WHERE rank = 0")
        warehouse.con.execute("UPDATE kernels SET counters = [0.5] WHERE start_ns % 1000 = 0")
    return path


@pytest.fixture(scope="module")
def con(db):
    with Warehouse.open(db) as warehouse:
        yield warehouse.con


@pytest.mark.parametrize("view", CONTRACT)
@pytest.mark.parametrize("suffix", ["", "_v1"])
def test_columns_are_the_contract(con, view, suffix):
    columns = [column[0] for column in con.execute(f"FROM {view}{suffix} LIMIT 0").description]
    assert columns == CONTRACT[view].split()


def test_no_column_is_a_hugeint(con):
    query = "SELECT table_name, column_name FROM duckdb_columns() WHERE data_type = 'HUGEINT'"
    assert con.execute(query).fetchall() == []


@pytest.mark.parametrize("view", CONTRACT)
def test_columns_have_the_type_of_their_unit(con, view):
    query = "SELECT column_name, data_type FROM duckdb_columns() WHERE table_name = ?"
    for column, of_type in con.execute(query, [view]).fetchall():
        if column.endswith(("_ms", "_us", "share", "_change", "_per_step", "_per_token")):
            assert of_type == "DOUBLE", column
        if column.endswith(("launches", "steps", "tokens", "events", "seen", "stored")):
            assert of_type == "BIGINT", column


def test_every_object_and_column_is_commented(con):
    for name, column, comment in con.execute(COMMENTS).fetchall():
        told = (comment or "").lower().rstrip(".")
        assert told, f"{name}.{column} has no comment"
        assert told != (column or name).replace("_", " "), f"{name}.{column}: {comment}"


def test_dictionary_lists_all_but_internal_names(con):
    expected = {
        (name, column, comment)
        for name, column, comment in con.execute(COMMENTS).fetchall()
        if not name.startswith("_")
    }
    listed = con.execute("SELECT object, column_name, comment FROM dictionary").fetchall()
    assert len(listed) == len(expected) and set(listed) == expected
    kinds = dict(con.execute("SELECT DISTINCT object, kind FROM dictionary").fetchall())
    found = kinds["kernels"], kinds["shape_diff"], kinds["shape_diff_v1"]
    assert found == ("table", "view", "view")


def test_pair_views_say_how_they_are_read(con):
    query = "SELECT comment FROM dictionary WHERE object = ? AND column_name IS NULL"
    for view in ("shape_diff", "kernel_diff"):
        ((comment,),) = con.execute(query, [view]).fetchall()
        assert "WHERE base = '0815' AND cand = '1009'" in comment


@pytest.mark.parametrize("file", VIEW_FILES, ids=lambda file: file.view)
def test_lines_are_short(file):
    assert max(map(len, file.text.splitlines())) <= 100


@pytest.mark.parametrize(
    "file", [f for f in VIEW_FILES if f.name != "dictionary"], ids=lambda file: file.view
)
def test_views_keep_to_the_portable_subset(file):
    tree = sqlglot.parse_one(duckdb.extract_statements(file.text)[0].query, read="duckdb")
    for node in tree.walk():
        assert _complaint(node) is None, f"{file.view}: {_complaint(node)}: {node.sql('duckdb')}"


def _complaint(node: exp.Expr) -> str | None:
    if isinstance(node, REFUSED):
        return "refused construct"
    if isinstance(node, exp.Select):
        return _complaint_of_select(node)
    if isinstance(node, exp.Join) and (node.args.get("using") or node.method):
        return "USING, ASOF or NATURAL"
    if isinstance(node, exp.ArrayAgg) and isinstance(node.this, exp.Order):
        return "ordered list"
    if isinstance(node, exp.Div) and not _cannot_be_zero(node.expression):
        return "divisor without nullif"
    if isinstance(node, exp.Sum) and not node.find_ancestor(exp.Cast):
        return "sum without CAST is HUGEINT"
    return None


def _complaint_of_select(select: exp.Select) -> str | None:
    group = select.args.get("group")
    if select.args.get("order"):
        return "ORDER BY"
    return "GROUP BY ALL" if group and group.args.get("all") else None


def _cannot_be_zero(divisor: exp.Expr) -> bool:
    # A group has at least one launch.
    counted = isinstance(divisor, exp.Column) and divisor.name.endswith("launches")
    return counted or isinstance(divisor, (exp.Literal, exp.Nullif))


SHELL = Path(sys.executable).parent / "duckdb"


@pytest.mark.skipif(not SHELL.exists(), reason="the duckdb shell is not installed")
@pytest.mark.parametrize("view", CONTRACT)
def test_the_plain_shell_gives_the_same_rows(con, db, view):
    command = [SHELL, "-readonly", "-json", db, f"FROM {view}"]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    answer = con.execute(f"FROM {view}")
    names = [column[0] for column in answer.description]
    ours = [dict(zip(names, row, strict=True)) for row in answer.fetchall()]
    assert ours and _sorted(json.loads(output)) == _sorted(ours)


def _sorted(rows: list[dict]) -> list[str]:
    return sorted(json.dumps(row) for row in rows)
