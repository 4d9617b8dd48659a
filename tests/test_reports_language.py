"""The languages of the pages: every sentence has its Chinese, none stands beside the catalogue."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from click.testing import CliRunner
from jinja2 import Environment, nodes

from profdb.cli import main
from profdb.errors import ProfdbError
from profdb.reports import LANGUAGES, render_budget, render_regression
from profdb.reports.language import speak
from profdb.warehouse import Warehouse

from . import golden, tiny

REPORTS = Path(__file__).parents[1] / "reports"
SPOKEN = sorted(
    file
    for file in (REPORTS / "templates").iterdir()
    # The style, and what other commands tell a terminal in English.
    if file.name.partition(".")[0] not in {"page", "ingest_summary", "dry_run", "verify", "fail_on"}
)
PLACE = re.compile(r"%\((\w+)\)s")
WORD = re.compile(r"[A-Za-z]{2,}")
WORDS = re.compile(r"[A-Za-z]{2,} +[A-Za-z]{2,}")
# Units, and the language of code blocks.
NO_SENTENCE = re.compile(r"\b(?:ms/step|ms/token|ms|sh|sql)\b|\bp(?:50|99)\b")
# Classes of marks.
CLASSES = {"more", "less"}
GETTEXT = {"_", "gettext", "ngettext"}


def reader() -> Environment:
    """An environment that reads templates as the reports do."""
    made = Environment(trim_blocks=True, lstrip_blocks=True)
    speak(made, "en", str.__mod__)
    return made


def extracted() -> set[tuple[str, ...]]:
    """The sentences of the templates: one form, or one for a thing and one for several."""
    found = set()
    for file in SPOKEN:
        text = file.read_text(encoding="utf-8")
        for _, _, forms in reader().extract_translations(text):
            # What is given by name stands as None.
            found.add(tuple(form for form in _forms(forms) if form))
    return found


def catalogue() -> dict[tuple[str, ...], tuple[str, ...]]:
    """Chinese by English."""
    with (REPORTS / "locale" / "zh.po").open("rb") as file:
        read = read_po(file, locale="zh", abort_invalid=True)
    pairs = [(message.id, message.string, message.fuzzy) for message in read if message.id]
    assert not [english for english, _, fuzzy in pairs if fuzzy]
    return {_forms(english): _forms(chinese) for english, chinese, _ in pairs}


def _forms(text: str | tuple[str | None, ...]) -> tuple[str | None, ...]:
    return (text,) if isinstance(text, str) else tuple(text)


def test_every_sentence_has_its_chinese():
    translated = {english for english, chinese in catalogue().items() if all(chinese)}
    assert not extracted() - translated, "add these to reports/locale/zh.po"


def test_no_sentence_of_the_catalogue_is_unused():
    assert not catalogue().keys() - extracted()


def test_the_chinese_has_the_same_places_and_marks():
    for english, chinese in catalogue().items():
        for text in (*english, *chinese):
            assert "%" not in PLACE.sub("", text).replace("%%", ""), text
        for text in chinese:
            places = set(PLACE.findall(text))
            assert places == {place for form in english for place in PLACE.findall(form)}, text
            for mark in ("|", "**", "`", "⚠", "%%"):
                assert text.count(mark) == english[-1].count(mark), (mark, text)
            assert re.findall(r"`.*?`", text) == re.findall(r"`.*?`", english[-1]), text


def printed_data(text: str) -> str:
    """What a template prints of itself, without tags: trans blocks and expressions are a gap."""
    found, spoken, opening = [], False, False
    for _, kind, value in reader().lex(text):
        if kind == "data" and not spoken:
            found.append(value)
        elif kind == "block_begin":
            opening = True
        elif kind == "name" and opening:
            spoken = (spoken or value == "trans") and value != "endtrans"
            opening = False
        elif kind in ("variable_begin", "comment_begin"):
            found.append("…")
    return re.sub(r"<[^>]*>", "", "".join(found))


def constants(node: nodes.Node, everything: bool) -> Iterator[str]:
    """Strings of an expression that may be printed; only those of two words, unless all."""
    match node:
        case nodes.Const(value=str(value)):
            seen = (WORD if everything else WORDS).search(NO_SENTENCE.sub("", value))
            if seen and value not in CLASSES:
                yield value
        case nodes.CondExpr():
            yield from constants(node.expr1, everything)
            if node.expr2 is not None:
                yield from constants(node.expr2, everything)
        case nodes.Filter(name="fenced"):
            pass
        case nodes.Filter():
            yield from constants(node.node, everything)
            if node.name == "default":
                for argument in node.args:
                    yield from constants(argument, everything)
        case nodes.Call(node=nodes.Name(name=name)):
            for argument in () if name in GETTEXT else node.args:
                yield from constants(argument, False)
            for keyword in node.kwargs:
                yield from constants(keyword.value, everything)
        case nodes.Call(node=nodes.Getattr(node=inner)) | nodes.Getitem(node=inner):
            yield from constants(inner, everything)
        case nodes.Dict():
            for pair in node.items:
                yield from constants(pair.value, everything)
        case nodes.Concat() | nodes.Or() | nodes.And() | nodes.List() | nodes.Tuple():
            for inner in node.iter_child_nodes():
                yield from constants(inner, everything)


def scattered(text: str) -> list[str]:
    """English that a template prints and the catalogue does not know."""
    found = WORD.findall(NO_SENTENCE.sub("", printed_data(text)))
    tree = reader().parse(text)
    for output in tree.find_all(nodes.Output):
        for node in output.nodes:
            found += constants(node, everything=True)
    for assigned in tree.find_all(nodes.Assign):
        found += constants(assigned.node, everything=False)
    for loop in tree.find_all(nodes.For):
        found += constants(loop.iter, everything=False)
    return found


@pytest.mark.parametrize("file", SPOKEN, ids=lambda file: file.name)
def test_no_sentence_stands_beside_the_catalogue(file):
    assert scattered(file.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "text",
    [
        "The step is slow.",
        "| phase |",
        "<b>slow</b>",
        '{{ "slower" if x }}',
        '{{ x or "slower" }}',
        '{{ x ~ " and slower" }}',
        '{{ {"a": "it is slow"}.get(x) }}',
        '{{ _("A row: %(why)s", why="it is slow") }}',
        '{{ said("it is slow") }}',
        '{% set why = "it is slow" %}',
        '{% for a, b in {"it is slow": 1, "b": "it is slow"}.items() %}{% endfor %}',
    ],
)
def test_a_planted_sentence_is_seen(text):
    assert scattered(text)


def test_sentences_of_the_catalogue_are_not_seen():
    text = '{% trans n=x %}It is slow.{% endtrans %}{{ _("So is it.") }} {{ row.ms | ms }} ms/step'
    assert scattered(text) == []


@pytest.mark.parametrize("run", ["a", "b", "c"])
def test_the_budget_in_chinese(small, renew, run):
    golden.check(f"budget_{run}_zh.md", render_budget(small, run, lang="zh"), renew, small.path)


def test_the_regression_in_chinese(small, renew):
    page = render_regression(small, "a", "b", lang="zh")
    golden.check("regression_a_b_zh.md", page, renew, small.path)


@pytest.mark.parametrize("run", ["a", "b", "c"])
def test_figures_and_statements_are_those_of_the_english_page(small, run):
    pages = [render_budget(small, run, lang=lang) for lang in LANGUAGES]
    figures = [sorted(re.findall(r"\d[\d,.]*\d %|\d+\.\d+", page)) for page in pages]
    assert figures[0] == figures[1]
    assert pages[0].split("```sql")[1] == pages[1].split("```sql")[1]


def test_names_that_look_like_places_stay_names(tmp_path):
    tiny.build(tmp_path / "w.duckdb")
    odd = "%(n)s <b>50%</b> %s %(rank)s"
    with Warehouse.open(tmp_path / "w.duckdb", write=True) as warehouse:
        warehouse.con.execute("UPDATE runs SET label = ? WHERE label = 'a'", [odd])
    with Warehouse.open(tmp_path / "w.duckdb") as warehouse:
        for lang in LANGUAGES:
            shown = odd.replace("<", "&lt;").replace(">", "&gt;")
            assert shown in render_budget(warehouse, odd, lang=lang).splitlines()[0]
            html = render_budget(warehouse, odd, lang=lang, format="html")
            title, caption = re.findall(r"<(?:h1|figcaption)>(.*)</(?:h1|figcaption)>", html)
            assert shown in title and shown in caption


def test_an_unknown_language_is_refused(small):
    with pytest.raises(ProfdbError, match="no language 'xx'; there is en, zh"):
        render_budget(small, "a", lang="xx")


def budget(small, *words: str, **environment: str):
    """Run the command."""
    asked = ["report", "budget", "--run", "a", "--no-sql", "--db", str(small.path), *words]
    return CliRunner().invoke(main, asked, env=environment)


def test_the_command_line_speaks_chinese(small):
    chinese = render_budget(small, "a", sql=False, lang="zh")
    assert budget(small, "--lang", "zh").output == chinese
    assert budget(small, PROFDB_LANG="zh").output == chinese
    assert budget(small, "--lang", "en", PROFDB_LANG="zh").output == budget(small).output != chinese


def test_check_speaks_chinese(small):
    said = "rank 0：没有可对照的数据，只有昇腾的 profiler 会写出自己的汇总\n"
    done = CliRunner().invoke(main, ["check", "a", "--lang", "zh", "--db", str(small.path)])
    assert (done.exit_code, done.output) == (0, said)


def test_html_names_its_language(small):
    assert '<html lang="zh-Hans">' in budget(small, "--lang", "zh", "--format", "html").output
    assert '<html lang="en">' in budget(small, "--format", "html").output


def test_a_document_is_the_same_in_every_language(small):
    documents = {budget(small, "--format", "json", "--lang", lang).output for lang in LANGUAGES}
    assert len(documents) == 1


@pytest.mark.parametrize("asked", [["--lang", "xx"], []])
def test_the_command_line_names_the_languages(small, asked):
    done = budget(small, *asked, PROFDB_LANG="" if asked else "xx")
    assert done.exit_code == 2
    assert "'xx' is not one of 'en', 'zh'" in done.output
