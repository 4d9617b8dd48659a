"""What cannot be stored is refused in one line; what only looks so is stored."""

import gzip
import json
import os
import sys
import zipfile

import pytest

import profdb
from profdb.errors import ProfdbError

from .traces import fresh, ingested, launched, rows, small, span, stored_events, write


def refusal(tmp_path, *given, **options) -> str:
    path = fresh(tmp_path)
    with pytest.raises(ProfdbError) as caught, profdb.open(path) as warehouse:
        warehouse.ingest(*given, **options)
    assert rows(path, "SELECT (SELECT count(*) FROM runs) + (SELECT count(*) FROM names)") == [(0,)]
    assert not path.with_name(path.name + ".work").exists()
    message = str(caught.value)
    assert "\n" not in message and "Traceback" not in message
    return message


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "given").mkdir()
    return tmp_path / "given"


def test_an_empty_folder(tmp_path, folder):
    assert refusal(tmp_path, folder) == f"{folder} is empty: nothing to ingest"


def test_a_path_that_does_not_exist(tmp_path, folder):
    assert refusal(tmp_path, folder / "x") == f"no file or folder at {folder / 'x'}"


def test_a_folder_with_nothing_known_names_what_is_there(tmp_path, folder):
    (folder / "page.json").write_text("<html><body>Sign in</body></html>")
    (folder / "config.json").write_text('{"a": [1, 2]}')
    (folder / "list.json").write_text('[{"a": 1}]')
    (folder / "other.csv").write_text("a,b\n1,2\n")
    (folder / "empty.json").write_text("")
    message = refusal(tmp_path, folder)
    for name in ("page.json", "config.json", "list.json", "other.csv", "empty.json (empty file)"):
        assert name in message


def test_many_unknown_files_are_not_all_listed(tmp_path, folder):
    for number in range(20):
        (folder / f"{number}.txt").write_text("x")
    assert "and 15 more" in refusal(tmp_path, folder)


def test_raw_data_of_ascend_says_how_it_is_parsed(tmp_path, folder):
    rank = folder / "host_1_20260101000000000_ascend_pt"
    raw = rank / "PROF_000001_20260101000000000_ABCDEF" / "device_0" / "data"
    raw.mkdir(parents=True)
    (raw / "x.bin").write_bytes(b"\0\1")
    message = refusal(tmp_path, folder)
    assert "never parsed" in message and f"analyse('{rank}')" in message


@pytest.mark.parametrize("large", [False, True])
def test_a_cut_gzip_names_the_byte(tmp_path, folder, large):
    packed = gzip.compress(small(tmp_path / "t.json", count=4000 if large else 3).read_bytes())
    (folder / "t.json.gz").write_bytes(packed[: len(packed) - 20])
    message = refusal(tmp_path, folder)
    assert "t.json.gz" in message and f"byte {len(packed) - 20} in the middle" in message


def test_a_damaged_file_is_told_beside_sound_ones(tmp_path, folder):
    packed = gzip.compress(small(folder / "a.json").read_bytes())
    (folder / "b.json.gz").write_bytes(packed[:12])
    (folder / "c.json.gz").write_bytes(packed[:-9])
    with zipfile.ZipFile(folder / "table.xlsx", "w") as archive:
        archive.writestr("x/1.xml", "")
        archive.writestr("x/2.xml", "")
    with profdb.open(fresh(tmp_path)) as warehouse:
        summary = warehouse.ingest(folder)
    assert [(o.source.path.name, o.state) for o in summary.outcomes] == [
        ("a.json", "stored"),
        ("c.json.gz", "failed"),
    ]
    assert {s.path.name for s in summary.skipped} == {"b.json.gz", "table.xlsx"}


def test_a_zip_that_was_cut(tmp_path, folder):
    with zipfile.ZipFile(folder / "t.zip", "w") as archive:
        archive.write(small(tmp_path / "t.json"), "t.json")
    content = (folder / "t.zip").read_bytes()
    (folder / "t.zip").write_bytes(content[:-30])
    assert "zip archive that cannot be read" in refusal(tmp_path, folder)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_an_unreadable_file(tmp_path, folder):
    small(folder / "t.json").chmod(0)
    assert "t.json (cannot be read: Permission denied)" in refusal(tmp_path, folder)


def test_a_file_that_goes_away_in_between(tmp_path, folder, monkeypatch):
    small(folder / "t.json")
    look = profdb.ingest.run.look_through

    def look_and_lose(given):
        found = look(given)
        (folder / "t.json").unlink()
        return found

    monkeypatch.setattr(profdb.ingest.run, "look_through", look_and_lose)
    assert "t.json" in refusal(tmp_path, folder)


@pytest.mark.parametrize("content", ["[]", '{"schemaVersion":1,"traceEvents":[]}', "[ "])
def test_a_trace_without_events(tmp_path, folder, content):
    (folder / "t.json").write_text(content)
    assert "holds no events" in refusal(tmp_path, folder)


@pytest.mark.parametrize("base", ['"soon"', "[1]", "1e300", "-5"])
def test_a_zero_of_times_that_is_none(tmp_path, folder, base):
    trace = small(folder / "t.json")
    trace.write_text(trace.read_text().replace("{", '{"baseTimeNanoseconds":' + base + ",", 1))
    assert "baseTimeNanoseconds" in refusal(tmp_path, folder)


def test_odd_metadata_is_kept_as_it_is(tmp_path, folder):
    odd = '"deviceProperties":[5,{"name":7}],"distributedInfo":"x","big":1e400,"n":{"a":[NaN]},'
    trace = small(folder / "t.json")
    trace.write_text(trace.read_text().replace("{", "{" + odd, 1))
    path = ingested(tmp_path, folder)
    ((rank, device, metadata),) = rows(path, "SELECT rank, device_name, metadata FROM profiles")
    assert (rank, device) == (-1, None)
    assert json.loads(metadata)["distributedInfo"] == "x"


def test_a_trace_without_device_work_is_stored_and_says_so(tmp_path, folder):
    path = ingested(tmp_path, write(folder / "t.json", [span("cpu_op", "aten::mm", 1, 2)]))
    found = rows(path, "SELECT events, gpu_events, trust, trust_reasons FROM run_summary")
    assert found == [(1, 0, "limited", "no device work recorded (1)")]


def test_deep_folders_and_loops_of_links(tmp_path, folder):
    deep = folder.joinpath(*["d"] * 60)
    small(deep / "t.json")
    (deep / "up").symlink_to(folder)
    (folder / "self").symlink_to(folder / "self")
    (folder / "gone").symlink_to(folder / "nowhere")
    os.mkfifo(folder / "pipe")
    with profdb.open(fresh(tmp_path)) as warehouse:
        summary = warehouse.ingest(folder)
    assert [o.state for o in summary.outcomes] == ["stored"]
    assert {s.path.name for s in summary.skipped} == {"self", "gone", "pipe"}


NAMES = ["it's \"so\"", "two\nlines", "glob[1]*?", "a;b--c", "$x {y}", "ü 日本", b"\xff\xfe".decode(
    sys.getfilesystemencoding(), "surrogateescape"
)]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_any_name_of_a_folder_will_do(tmp_path, folder, name):
    try:
        (folder / name).mkdir()
    except OSError:
        pytest.skip("the file system has no such names")
    small(folder / name / "t.json")
    table = "Name,Type,Start Time(us),Duration(us)\nk,Mm,1.5,2.5\n"
    (folder / name / "kernel_details.csv").write_text(table)
    path = ingested(tmp_path, folder / name)
    text = os.fsencode(name).decode(errors="backslashreplace")
    label = "".join(sign if sign.isprintable() else "?" for sign in text)
    found = rows(path, "SELECT label, count(*), sum(kernels) FROM run_summary GROUP BY 1")
    assert found == [(label, 2, 4)]


def test_a_warehouse_in_a_folder_of_an_odd_name(tmp_path, folder):
    home = folder / "it's [1]*"
    home.mkdir()
    path = ingested(home, small(folder / "t.json"))
    assert rows(path, "SELECT kernels FROM run_summary") == [(3,)]


def test_the_message_about_a_name_of_two_lines_is_one_line(tmp_path, folder):
    (folder / "two\nlines").mkdir()
    (folder / "two\nlines" / "t.json").write_text("x")
    refusal(tmp_path, folder)


@pytest.mark.parametrize("size", [100_000, 20_000_000])
def test_very_long_names_and_events(tmp_path, folder, size):
    events = launched(1, 1, 5, 2, "k" * min(size, 100_000))
    events[0]["args"]["long"] = "x" * size
    path = ingested(tmp_path, write(folder / "t.json", events))
    query = "SELECT length(name) FROM kernel_names"
    assert rows(path, query) == [(min(size, 100_000),)]
    query = "SELECT max(length(args)) >= {} FROM events"
    assert rows(path, query.format(size)) == [(True,)]
    assert rows(path, "SELECT trust FROM run_summary") == [("ok",)]


def test_thousands_of_steps(tmp_path, folder):
    events = []
    for n in range(5000):
        events.append(span("user_annotation", f"execute_context_0(0)_generation_1({n})", n * 10, 9))
        events += launched(n + 1, n * 10 + 1, n * 10 + 5, 1)
    path = ingested(tmp_path, write(folder / "t.json", events))
    query = "SELECT count(*), count(DISTINCT name), sum(generation_tokens) FROM contexts"
    assert rows(path, query) == [(5000, 5000, 4999 * 2500)]
    query = (
        "SELECT count(*) FROM kernels AS k JOIN contexts AS c USING (context_id)"
        " WHERE k.launch_ns BETWEEN c.start_ns AND c.end_ns"
    )
    assert rows(path, query) == [(5000,)]


def test_texts_that_look_like_other_things_stay_texts(tmp_path, folder):
    names = ["2026-01-01", "2026-01-01T00:00:00.000", "12:30", "1e5", "true", "null", "{}", "a\0b"]
    events = [span("cpu_op", name, n, 1, "2026-01-01", "001") for n, name in enumerate(names)]
    path = ingested(tmp_path, write(folder / "t.json", events))
    assert {(e[2], e[3], e[4]) for e in stored_events(path, "t")} == {
        (name, "2026-01-01", "001") for name in names
    }


def test_numbers_too_long_for_a_step_are_no_numbers_of_one(tmp_path, folder):
    names = [
        "ProfilerStep#99999999999999999999",
        "execute_context_0(0)_generation_1(" + "9" * 30 + ")",
    ]
    events = [span("user_annotation", name, n * 10, 5) for n, name in enumerate(names)]
    path = ingested(tmp_path, write(folder / "t.json", [*events, *launched(1, 11, 12, 1)]))
    assert rows(path, "SELECT count(*) FROM contexts") == [(0,)]


def test_notes_of_a_profiler_alone_are_nothing_to_ingest(tmp_path, folder):
    (folder / "profiler_info_0.json").write_text("{}")
    assert "holds only a profiler's notes" in refusal(tmp_path, folder)
