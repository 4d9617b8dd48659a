"""Reports as one HTML file: what it holds, what it must not do, and that a browser shows it."""

import json
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest

from profdb.reports import format_of, render_budget, render_regression
from profdb.reports.charts import _ticks, fitted, regression_charts
from profdb.reports.page import first_line, html_page
from profdb.warehouse import Warehouse

from . import judgeable, tiny

HOSTILE = (
    "k<script>alert(1)</script>|\"q'\\ ]]> &amp; <b>x</b> \u202e rtl ![i](http://x/y.png) </svg>"
)
SHOWN = HOSTILE.replace("\u202e", "\\u202e")
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
VOID = {"meta", "link", "br", "hr"}
LEAVES = {"href", "src", "srcset", "action", "data", "xlink:href", "poster", "background"}
CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
needs_browser = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed")


class Page(HTMLParser):
    """Tags, attributes and text of a page; refuses what is not nested."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str, str | None]] = []
        self.text: list[tuple[str, str]] = []
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert not self._open

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(tag, name, value) for name, value in attrs]
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(tag, name, value) for name, value in attrs]

    def handle_endtag(self, tag):
        assert self._open and self._open.pop() == tag, f"</{tag}> closes nothing"

    def handle_data(self, data):
        inside = "svg" if "svg" in self._open else self._open[-1] if self._open else ""
        self.text.append((inside, data))


@pytest.fixture(scope="module")
def pair(tmp_path_factory):
    with Warehouse.open(judgeable.build(tmp_path_factory.mktemp("html") / "w.duckdb")) as warehouse:
        yield warehouse


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    """Labels, operators, kernels, families, paths and facts that look like markup."""
    path = tmp_path_factory.mktemp("hostile") / "w.duckdb"
    with Warehouse.open(path, write=True) as warehouse:
        tiny.add_names(warehouse)
        for number, (label, addition) in enumerate({HOSTILE: 5, "new": 6}.items(), 1):
            judgeable.add_run(warehouse, number, label, addition, judgeable.PASSES)
        warehouse.con.execute("UPDATE names SET name = ? WHERE name_id = 3", [HOSTILE])
        warehouse.con.execute(
            "UPDATE kernel_names SET name = ?, stable_name = ?, family = ?, implementation = ?"
            " WHERE kernel_id = 6",
            [HOSTILE] * 4,
        )
        warehouse.con.execute("UPDATE profiles SET device_name = ?, source_path = ?", [HOSTILE] * 2)
        tiny.insert(warehouse, "run_facts", "run_id, key, value", [(1, HOSTILE, HOSTILE)])
    with Warehouse.open(path) as warehouse:
        yield warehouse


def pages(warehouse, base, cand):
    """A page of each kind."""
    return [
        render_budget(warehouse, base, format="html", remove={"gemm": 0.1}),
        render_regression(warehouse, base, cand, format="html"),
    ]


@pytest.mark.parametrize("runs", [("old", "new"), (HOSTILE, "new")], ids=["plain", "hostile"])
def test_a_page_is_whole_and_leaves_nothing(pair, hostile, runs):
    for text in pages(hostile if runs[0] == HOSTILE else pair, *runs):
        page = Page(text)
        assert text.startswith("<!DOCTYPE html>") and page.tags[:2] == ["html", "head"]
        assert ("meta", "content", POLICY) in page.attributes
        assert not {"script", "iframe", "object", "embed", "img", "a", "form", "b"} & set(page.tags)
        assert [v for _, name, v in page.attributes if name in LEAVES] == ["data:,"]
        assert not [name for _, name, _ in page.attributes if name.startswith("on")]
        assert "url(" not in text and "@import" not in text


def test_hostile_names_are_text_everywhere(hostile):
    budget, regression = (Page(text) for text in pages(hostile, HOSTILE, "new"))
    for page in (budget, regression):
        told = "".join(data for _, data in page.text)
        assert not re.search("[\u202a-\u202e\u2066-\u2069]", told)
        assert SHOWN in told
        assert SHOWN in "".join(data for inside, data in page.text if inside == "svg")
        assert [data for inside, data in page.text if inside == "title" and SHOWN in data]


def test_the_statements_of_a_hostile_page_name_the_marks(hostile):
    page = render_regression(hostile, HOSTILE, "new")
    statements = page.split("```sql")[1]
    assert "' || chr(8238) || '" in statements and "\u202e" not in statements


def test_raw_html_of_a_page_is_text():
    class Answer:
        class report:
            charts = None

    page = (
        "# t\n\nx <i>y</i> <code>a&lt;b</code>\n\n<div onclick=x>\n<summary>s</summary>\n</div>\n"
    )
    body = html_page(Answer, page).partition("<main>")[2]
    assert "<i>" not in body and "<div onclick" not in body
    assert "&lt;i&gt;y&lt;/i&gt; <code>a&lt;b</code>" in body
    assert "&lt;div onclick=x&gt;" in body and "<summary>s</summary>" in body


def test_the_page_says_what_the_markdown_says(pair):
    markdown = render_regression(pair, "old", "new", sql=False)
    text = " ".join("".join(data for _, data in Page(render_regression(
        pair, "old", "new", sql=False, format="html")).text).split())  # fmt: skip
    assert " ".join(first_line(markdown).split()) in text
    for heading in re.findall("^## (.*)$", markdown, re.MULTILINE):
        assert heading in text
    assert "PREPARE" not in text and "PREPARE" in render_regression(
        pair, "old", "new", format="html"
    )


def test_charts_are_told_to_who_cannot_see_them(pair):
    for text in pages(pair, "old", "new"):
        page = Page(text)
        ids = {value for _, name, value in page.attributes if name == "id"}
        named = [v.split() for _, name, v in page.attributes if name == "aria-labelledby"]
        assert len(named) >= 1 and all(set(pair_) <= ids for pair_ in named)
        assert len(ids) == 2 * len(named)


def test_a_budget_chart_has_the_time_of_each_phase(pair):
    told = "".join(
        data for inside, data in Page(pages(pair, "old", "new")[0]).text if inside == "svg"
    )
    # 8 steps of 10 + 5 + 5 + 4 + 3 µs
    assert "0.216 ms · 100.00 %" in told
    assert "decode, gemm · tensile: 0.080 ms (37.04 %)" in told


def test_marks_are_rows_to_scale(pair):
    rows = {
        "regression_phases": [
            {"phase": "decode", "place": 1, "base_gpu_ms": 200.0, "cand_gpu_ms": 50.0},
            {"phase": "mixed", "place": 1, "base_gpu_ms": None, "cand_gpu_ms": 100.0},
        ],
        "regression_effects": [
            {"part": "base", "part_ms": 10.0, "from_ms": 0.0, "to_ms": 10.0},
            {"part": "count", "part_ms": -20.0, "from_ms": 10.0, "to_ms": -10.0},
            {"part": "cand", "part_ms": -10.0, "from_ms": 0.0, "to_ms": -10.0},
        ],
        "regression_ecdf": [
            {"place": 1, "up_to_us": [0.0, 50.0, 100.0], "p50_us": 50.0},
        ],
    }
    phases, waterfall, curves = regression_charts(rows, {"base": "a", "cand": "b"})
    assert [bar["widths"] for bar in phases.marks["bars"]] == [[440, 110], [0, 220]]
    assert [(b["left"], b["width"]) for b in waterfall.marks["bars"]] == [
        (220, 220),
        (0, 440),
        (0, 220),
    ]
    assert curves.marks["lines"][0]["points"] == "0.0,150.0 150.0,148.5 300.0,147.0"
    assert curves.marks["ticks"] == [(0, 0), (150, 50), (300, 100)]
    nothing = {"regression_phases": [], "regression_effects": [], "regression_ecdf": []}
    assert regression_charts(nothing, {}) == []


def test_curves_are_of_all_launches_of_the_rows_shown_first(pair):
    text = render_regression(pair, "old", "new", format="html")
    assert (
        "old: 16 launches, half of them up to 5.0 µs, 99 of 100 up to 5.0 µs, the slowest 5.0 µs."
        in text
    )
    assert "new: 16 launches, half of them up to 6.0 µs" in text


@pytest.mark.parametrize(
    ("low", "high", "ticks"),
    [
        (0, 100, [0, 50, 100]),
        (3, 3, [0, 5]),
        (13.4, 15.4, [13, 13.5, 14, 14.5, 15, 15.5]),
        (1299, 10303, [0, 5000, 10000, 15000]),
    ],
)
def test_ticks_are_round(low, high, ticks):
    assert _ticks(low, high) == ticks


def test_texts_are_cut_to_their_room():
    assert fitted("gemm · tensile", 100) == "gemm · tensile"
    assert fitted("gemm · tensile", 60).endswith("ile") and len(fitted("gemm · tensile", 60)) == 9
    assert fitted("gemm · tensile", 40) == "" and fitted("", 100) == ""
    assert len(fitted("算子" * 10, 132)) == 10


@pytest.mark.parametrize(
    ("file", "asked", "format"),
    [
        (None, None, "md"),
        ("a.html", None, "html"),
        ("a.HTM", None, "html"),
        ("a.json", None, "json"),
        ("a.txt", None, "md"),
        ("a.html", "json", "json"),
        (None, "html", "html"),
    ],
)
def test_the_suffix_of_a_file_is_its_format(file, asked, format):
    assert format_of(Path(file) if file else None, asked) == format


def browse(folder: Path, text: str) -> tuple[str, list[str], list[str]]:
    """Show a page in Chromium: what it then holds, what its console says, what it asked for."""
    (folder / "page.html").write_text(text, encoding="utf-8")
    words = [
        *(CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"),
        *("--no-first-run", "--disable-background-networking", "--disable-component-update"),
        *("--disable-sync", "--disable-extensions", f"--user-data-dir={folder / 'profile'}"),
        *("--enable-logging=stderr", f"--log-net-log={folder / 'net.json'}", "--dump-dom"),
        (folder / "page.html").as_uri(),
    ]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60, check=True)
    console = [line for line in done.stderr.splitlines() if "CONSOLE" in line]
    log = json.loads((folder / "net.json").read_text())
    asked = [event["params"] for event in log["events"] if "initiator" in event.get("params", {})]
    # The browser itself asks its maker for updates; that is "not an origin".
    urls = {one["url"] for one in asked if one["initiator"] != "not an origin"}
    return done.stdout, console, sorted(url for url in urls if url.startswith("http"))


@needs_browser
def test_a_browser_shows_the_page_and_asks_for_nothing(hostile, tmp_path):
    shown, console, asked = browse(tmp_path, pages(hostile, HOSTILE, "new")[1])
    assert shown.count("<polyline") == 2 and "</html>" in shown
    assert (console, asked) == ([], [])


@needs_browser
def test_a_browser_refuses_what_the_policy_forbids(pair, tmp_path):
    planted = '<script>document.title = "ran"</script><img src="http://127.0.0.1:9/x.png"></main>'
    text = render_budget(pair, "old", format="html").replace("</main>", planted)
    shown, console, asked = browse(tmp_path, text)
    assert "<title>ran</title>" not in shown and asked == []
    assert len([line for line in console if "Content Security Policy" in line]) == 2
    shown, console, asked = browse(tmp_path, text.replace(POLICY, ""))
    assert "<title>ran</title>" in shown and asked == ["http://127.0.0.1:9/x.png"]
