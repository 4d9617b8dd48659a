"""How reports write figures and names."""

from decimal import Decimal

import pytest

from profdb.reports.formats import change, count, ms, percent, ratio, us
from profdb.reports.markdown import code, fenced, oneline, prepared, text


@pytest.mark.parametrize(
    ("filter_", "value", "written"),
    [
        (ms, 43.10766666666667, "43.108"),
        (ms, 38.0775, "38.078"),
        (ms, 0.0005, "0.001"),
        (ms, 2.6745, "2.675"),
        (ms, 12374.0, "12374.000"),
        (ms, -57.135, "−57.135"),
        (ms, -0.0004, "0.000"),
        (ms, Decimal("2720.145000"), "2720.145"),
        (ms, 1e-7, "0.000"),
        (us, 3710.6, "3710.6"),
        (us, 0.25, "0.3"),
        (us, 14539.16, "14539.2"),
        (percent, 0.6766536342731729, "67.67 %"),
        (percent, 0.00125, "0.13 %"),
        (percent, 0.57125, "57.13 %"),
        (percent, 1.0, "100.00 %"),
        (change, 0.07963571823445537, "+8.0 %"),
        (change, -0.0964450296247531, "−9.6 %"),
        (change, 0.0005, "+0.1 %"),
        (change, -0.0005, "−0.1 %"),
        (change, -0.0004, "0.0 %"),
        (change, 0, "0.0 %"),
        (count, 12288, "12,288"),
        (count, 176.0, "176"),
        (count, 304.9983, "305.00"),
        (count, 2.125, "2.13"),
        (ratio, 2.7912901195720576, "2.79"),
    ],
)
def test_figures_are_rounded_half_up_on_their_digits(filter_, value, written):
    assert filter_(value) == written


@pytest.mark.parametrize("filter_", [ms, us, percent, change, count, ratio])
@pytest.mark.parametrize("value", [None, float("nan"), float("inf")])
def test_what_is_no_figure_is_a_dash(filter_, value):
    assert filter_(value) == "–"


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("aten::mm", "`aten::mm`"),
        ("void k<int, 4>(a*, b_c)", "`void k<int, 4>(a*, b_c)`"),
        ("a|b", "<code>a&#124;b</code>"),
        ("a`b", "<code>a&#96;b</code>"),
        ("<b>|*x*_y_", "<code>&lt;b&gt;&#124;&#42;x&#42;&#95;y&#95;</code>"),
        ("a\\|b", "<code>a&#92;&#124;b</code>"),
        ("a\nb\tc\x7f", "`a␊b␉c␡`"),
        ("a\u2028b\u202ec", "<code>a&#92;u2028b&#92;u202ec</code>"),
        ("🚀 \"q\" 'p'", "`🚀 \"q\" 'p'`"),
        (" a ", "<code> a </code>"),
        ("", "<code></code>"),
        (None, "–"),
    ],
)
def test_names_stay_one_cell(name, written):
    assert code(name) == written


def test_long_names_lose_their_middle():
    assert code("0123456789abcdefghij", 10) == "`012345…hij`"
    assert code("0123456789", 10) == "`0123456789`"


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("ascend_csv", "ascend_csv"),
        ("_a_ *b* [c](d) #1", "&#95;a&#95; &#42;b&#42; &#91;c&#93;(d) &#35;1"),
        ("a|b\nc", "a&#124;b␊c"),
        ("<script>&amp;", "&lt;script&gt;&amp;amp;"),
        (7, "7"),
    ],
)
def test_text_means_nothing_to_markdown(value, written):
    assert text(value) == written
    assert text(text(value)) == written


def test_lines_are_joined():
    assert oneline(text("a ") + "\n\n b ") == "a b"


def test_a_fence_is_longer_than_what_it_holds():
    assert fenced("a", "sql") == "```sql\na\n```"
    assert fenced("a\n````\n") == "`````\na\n````\n`````"


def test_statements_are_for_the_shell():
    query = "-- What.\n-- More.\nFROM t\nWHERE a = $a AND ($b IS NULL OR b = $b)\n  AND c = $c;\n"
    calls = [{"a": "it's", "b": None, "c": 1, "d": 2}, {"a": "x", "b": "y", "c": -1}]
    assert prepared(query, "q", calls).splitlines() == [
        "-- What.",
        "-- More.",
        "PREPARE q AS",
        "FROM t",
        "WHERE a = $a AND ($b IS NULL OR b = $b)",
        "  AND c = $c;",
        "EXECUTE q(a := 'it''s', b := NULL, c := 1);",
        "EXECUTE q(a := 'x', b := 'y', c := -1);",
    ]
    assert prepared("FROM t;\n", "q", calls).splitlines()[-1] == "EXECUTE q;"
    assert prepared("FROM t LIMIT $s;\n", "q", [{"s": 0.0005}]).endswith("(s := 0.0005);")
