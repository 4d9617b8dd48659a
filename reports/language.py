"""The languages of the pages: English stands in the templates, others in locale/LANG.po."""

from collections.abc import Callable, Mapping
from functools import cache
from gettext import GNUTranslations, NullTranslations
from importlib.resources import files
from io import BytesIO
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from jinja2 import Environment, PackageLoader, StrictUndefined

from ..errors import ProfdbError

LANGUAGES = ("en", "zh")

Fill = Callable[[str, Mapping[str, Any]], str]
"""Puts values in the places that a sentence names, such as %(share)s."""


def check_language(lang: str) -> str:
    """Refuse a language without a catalogue."""
    if lang not in LANGUAGES:
        raise ProfdbError(f"no language {lang!r}; there is {', '.join(LANGUAGES)}")
    return lang


def environment(lang: str, fill: Fill, **settings: Any) -> Environment:
    """The templates of the reports in a language; `settings` are those of Jinja's environment."""
    made = Environment(
        loader=PackageLoader(__package__),
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        **settings,
    )
    speak(made, lang, fill)
    return made


def speak(templates: Environment, lang: str, fill: Fill) -> None:
    """Let `trans` blocks, _() and ngettext() of templates give their sentence in a language.

    The words for one thing and for several are chosen by whether the number is 1, which may be a
    mean or unknown.
    """
    spoken = _translations(check_language(lang))

    def gettext(message: str, /, **values: Any) -> str:
        return fill(spoken.gettext(message), values)

    def ngettext(one: str, several: str, number: Any, /, **values: Any) -> str:
        return fill(spoken.ngettext(one, several, 1 if number == 1 else 2), values)

    templates.add_extension("jinja2.ext.i18n")
    templates.newstyle_gettext = True  # type: ignore[attr-defined]  # set by the extension
    templates.policies["ext.i18n.trimmed"] = True
    # Its own functions would escape the values for HTML; `fill` knows what the page is.
    templates.globals |= {"gettext": gettext, "ngettext": ngettext}


@cache
def _translations(lang: str) -> NullTranslations:
    """The catalogue of a language, read from its text: no compiled file is kept."""
    if lang == "en":
        return NullTranslations()
    with (files(__package__) / "locale" / f"{lang}.po").open("rb") as file:
        catalogue = read_po(file, locale=lang, abort_invalid=True)
    compiled = BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    return GNUTranslations(compiled)
