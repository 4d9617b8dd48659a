"""From a Markdown page to one self-contained HTML file that asks nothing of any network."""

import re
from collections.abc import Sequence
from functools import cache
from html import escape, unescape
from typing import Any

from jinja2 import Environment
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markupsafe import Markup

from . import formats, markdown
from .answer import Answer
from .charts import fitted
from .language import environment

# What templates and markdown.py write themselves, without attributes; the rest is text.
_OURS = re.compile(r"</?(?:details|summary|code)>")


_TAGS = {"en": "en", "zh": "zh-Hans"}
"""The languages as HTML calls them, so that a browser chooses the right characters."""


def html_page(answer: Answer, page: str, lang: str = "en") -> str:
    """Give the Markdown page of an answer as HTML, with its charts before the first section."""
    body = Markup(_parser().render(page))
    head, mark, rest = body.partition("<h2>")
    draw = answer.report.charts
    template = _environment(lang).get_template("page.html.j2")
    text = template.render(
        lang=_TAGS[lang],
        title=_plain(page.splitlines()[0].lstrip("# ")),
        head=head,
        rest=mark + rest,
        charts=draw(answer.worded, answer.runs) if draw else [],
    )
    # Marks that turn the direction of writing stand in texts only, wherever those come from.
    return "\n".join(markdown.visible(line) for line in text.split("\n"))


def first_line(page: str) -> str:
    """Give the line below the title of a Markdown page, its answer, as plain text."""
    return _plain(page.splitlines()[2])


def _plain(line: str) -> str:
    """The text that a line of Markdown shows."""
    (inline,) = _parser().parseInline(line)
    shown = [token.content for token in inline.children or [] if token.type != "html_inline"]
    return "".join(shown)


@cache
def _parser() -> MarkdownIt:
    made = MarkdownIt("commonmark", {"breaks": True}).enable("table")
    made.disable(["autolink", "image", "link", "reference"])
    made.add_render_rule("html_inline", _ours_only)
    made.add_render_rule("html_block", _ours_only)
    made.add_render_rule("table_open", _scrolled)
    made.add_render_rule("table_close", _scrolled)
    return made


def _ours_only(self: RendererHTML, tokens: Sequence[Token], place: int, *_: Any) -> str:
    """Raw HTML: the tags that the templates write, everything else as text."""
    found: list[str] = []
    end = 0
    content = tokens[place].content
    for tag in _OURS.finditer(content):
        # Entities are characters already, as everywhere in Markdown.
        found += [escape(unescape(content[end : tag.start()])), tag[0]]
        end = tag.end()
    return "".join(found) + escape(unescape(content[end:]))


def _scrolled(self: RendererHTML, tokens: Sequence[Token], place: int, *_: Any) -> str:
    """A table that is wider than the page scrolls by itself, with the keyboard too."""
    opens = tokens[place].nesting == 1
    return '<div class="wide" tabindex="0"><table>\n' if opens else "</table></div>\n"


@cache
def _environment(lang: str) -> Environment:
    made = environment(lang, lambda sentence, values: Markup(sentence) % values, autoescape=True)
    made.filters |= {function.__name__: function for function in formats.FILTERS}
    made.filters |= {"shortened": markdown.shortened, "fitted": fitted}
    return made
