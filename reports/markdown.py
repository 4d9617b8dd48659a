"""Text of profiles as plain text in Markdown, whatever characters it holds."""

import re
import shlex
from collections.abc import Iterable, Mapping
from itertools import takewhile

from markupsafe import Markup

from .formats import NOTHING

# Control characters, line ends and marks that turn the direction of writing.
_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
_ACTIVE = re.compile(r"[\\`*\[\]<>|~&#$^]|(?<![^\W_])_|_(?![^\W_])")
_NO_CODE_SPAN = re.compile(r"[`|\\]|^ | $|^$")


def text(value: object) -> Markup:
    """Write a text so that no character of it means anything to Markdown."""
    if isinstance(value, Markup):
        return value
    if value is None:
        return NOTHING
    return Markup(_ACTIVE.sub(_entity, visible(str(value))))


def filled(sentence: str, values: Mapping[str, object]) -> Markup:
    """Put values into the places %(name)s of a sentence that may hold Markdown; they may not."""
    return Markup(sentence) % {name: text(value) for name, value in values.items()}


def code(value: str | None, limit: int = 0) -> Markup:
    """Write a name as code, on one line and in one table cell; shortened to `limit` characters."""
    if value is None:
        return NOTHING
    shown = visible(shortened(value, limit))
    if not _NO_CODE_SPAN.search(shown):
        return Markup(f"`{shown}`")
    inner = re.sub(r"[\\`*_\[\]<>|~&#$^]", _entity, shown)
    return Markup(f"<code>{inner}</code>")


def oneline(value: Markup) -> Markup:
    """Join the lines that macros gave to one; the text of profiles has no line ends by then.

    Chinese has no space behind the end of a sentence.
    """
    return Markup(" ".join(value.split()).replace("。 ", "。"))


def fenced(content: str, language: str = "") -> Markup:
    """Write a block of code, its fence longer than any run of backticks inside."""
    runs = re.findall(r"`{3,}", content)
    fence = max(runs, key=len, default="``") + "`"
    return Markup(f"{fence}{language}\n{content.rstrip()}\n{fence}")


def prepared(query: str, name: str, calls: Iterable[Mapping[str, object]]) -> str:
    """Write a query and its calls as the DuckDB shell takes them.

    One that creates something cannot be prepared there: its parameters are written into it.
    """
    body = query.lstrip().splitlines()
    comment = [line for line in takewhile(lambda line: line.startswith("--"), body)]
    used = dict.fromkeys(re.findall(r"\$([a-z_]+)", query))
    if body[len(comment)].startswith("CREATE"):
        (params,) = calls
        return re.sub(r"\$([a-z_]+)", lambda match: _literal(params[match[1]]), query.strip())
    arguments = dict.fromkeys(
        ", ".join(f"{key} := {_literal(params[key])}" for key in used) for params in calls
    )
    executed = [f"EXECUTE {name}({given});" if given else f"EXECUTE {name};" for given in arguments]
    return "\n".join([*comment, f"PREPARE {name} AS", *body[len(comment) :], *executed])


def shell_word(path: object) -> str:
    """Quote a path for a POSIX shell."""
    return shlex.quote(str(path))


def _literal(value: object) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_literal, value))}]"
    quoted = "'" + str(value).replace("'", "''") + "'"
    # A mark that turns the direction of writing would show another statement than the one run.
    return _UNSEEN.sub(lambda match: f"' || chr({ord(match[0])}) || '", quoted)


def shortened(value: str, limit: int) -> str:
    """Leave out the middle: the ends of kernel names and shapes tell them apart."""
    if not limit or len(value) <= limit:
        return value
    tail = limit // 3
    return f"{value[: limit - tail - 1]}…{value[-tail:]}"


def visible(value: str) -> str:
    """Show what moves a terminal's cursor or turns the direction of writing."""
    return _UNSEEN.sub(_picture, value)


def _picture(match: re.Match[str]) -> str:
    point = ord(match[0])
    if point < 0x20:
        return chr(0x2400 + point)
    return "␡" if point == 0x7F else f"\\u{point:04x}"


def _entity(match: re.Match[str]) -> str:
    named = {"<": "&lt;", ">": "&gt;", "&": "&amp;"}
    return named.get(match[0], f"&#{ord(match[0])};")
