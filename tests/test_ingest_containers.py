"""Packed files, whole and damaged, and pieces of host time."""

import gzip
import random
import threading
import time
import zipfile
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from profdb.errors import ProfdbError
from profdb.ingest import feed
from profdb.ingest.container import head_of, open_content
from profdb.ingest.segments import Span, cut

PLAIN = random.Random(1).randbytes(300_000) + b"0" * 600_000


def read_all(path, size: int = 10_000) -> bytes:
    content, parts = open_content(path), []
    while part := content.read(size):
        assert len(part) <= size
        parts.append(part)
    assert content.position() <= path.stat().st_size
    return b"".join(parts)


@pytest.mark.parametrize("padding", [0, 1, 511, 1 << 19])
def test_gzip_of_several_members_with_padding(tmp_path, padding):
    path = tmp_path / "t"
    members = [PLAIN[:7], b"", PLAIN[7:500_000], PLAIN[500_000:]]
    path.write_bytes((b"\0" * padding).join(gzip.compress(m) for m in members) + b"\0" * padding)
    assert read_all(path) == PLAIN
    assert head_of(path, 1000) == PLAIN[:1000]


def test_gzip_that_was_cut_says_where(tmp_path):
    path = tmp_path / "t"
    packed = gzip.compress(PLAIN)
    for size in {2, 3, 9, 10, 11, len(packed) // 2, len(packed) - 8, len(packed) - 1}:
        path.write_bytes(packed[:size])
        with pytest.raises(ProfdbError, match=f"ends at byte {size} in the middle"):
            read_all(path)


def test_gzip_with_a_wrong_byte_is_refused(tmp_path):
    path = tmp_path / "t"
    packed = bytearray(gzip.compress(PLAIN))
    for place in (len(packed) // 3, len(packed) // 2, len(packed) - 6):
        spoilt = packed.copy()
        spoilt[place] ^= 0xFF
        path.write_bytes(spoilt)
        with pytest.raises(ProfdbError, match="damaged before byte"):
            read_all(path)


def test_a_damaged_file_still_gives_its_head(tmp_path):
    path = tmp_path / "t"
    path.write_bytes(gzip.compress(PLAIN)[:200_000])
    assert head_of(path, 1 << 18)[:100_000] == PLAIN[:100_000]


def test_the_only_trace_of_a_zip_is_read(tmp_path):
    path = tmp_path / "t"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("notes.txt", "x")
        archive.writestr("a/trace.json", PLAIN)
    assert read_all(path) == PLAIN


@pytest.mark.parametrize("names", [[], ["a.json", "b.json"]])
def test_a_zip_of_no_or_several_traces_is_refused(tmp_path, names):
    path = tmp_path / "t"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("x.txt", "")
        archive.writestr("y.txt", "")
        for name in names:
            archive.writestr(name, "[]")
    with pytest.raises(ProfdbError, match="holds 2 files"):
        open_content(path)


def test_a_damaged_zip_is_refused(tmp_path):
    path = tmp_path / "t"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("trace.json", PLAIN)
    packed = path.read_bytes()
    path.write_bytes(packed[: len(packed) // 2])
    with pytest.raises(ProfdbError, match="zip archive that cannot be read"):
        open_content(path)
    path.write_bytes(packed[:1000] + bytes([packed[1000] ^ 0xFF]) + packed[1001:])
    with pytest.raises(ProfdbError, match="zip archive that cannot be read"):
        read_all(path)


spans = st.lists(st.tuples(st.integers(-5, 30), st.integers(-2, 20)), max_size=12)


@settings(max_examples=200, deadline=None)
@given(spans)
def test_pieces_name_the_span_that_began_last(given_spans):
    whole = [Span(n, start, start + size) for n, (start, size) in enumerate(given_spans)]
    pieces = cut(whole)
    assert all(a.end_ns <= b.start_ns for a, b in zip(pieces, pieces[1:], strict=False))
    assert all(piece.start_ns < piece.end_ns for piece in pieces)
    for at in range(-6, 55):
        around = [s for s in whole if s.start_ns <= at < s.end_ns]
        found = [whole[p.context_no] for p in pieces if p.start_ns <= at < p.end_ns]
        if not around:
            assert not found
            continue
        best = max(around, key=lambda s: (s.start_ns, -s.end_ns))
        assert [(s.start_ns, s.end_ns) for s in found] == [(best.start_ns, best.end_ns)]


def test_a_failed_load_stops_the_thread_that_cuts(tmp_path):
    # It would go on to write into the folder of the next profile.
    pieces = ((1, b"[{}]") for _ in range(1000))
    before = threading.active_count()
    groups = feed._slice_files(SimpleNamespace(folder=tmp_path), pieces)
    next(groups)
    groups.close()
    assert threading.active_count() == before
    written = len(list(tmp_path.iterdir()))
    assert written < 100
    time.sleep(0.05)
    assert len(list(tmp_path.iterdir())) == written
