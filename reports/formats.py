"""How figures are written: half-up on decimals, NULL as a dash."""

from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from typing import TypeAlias

from markupsafe import Markup

NOTHING = Markup("–")
MINUS = "−"

Figure: TypeAlias = int | float | Decimal | None


def ms(value: Figure) -> Markup:
    """Write milliseconds to the microsecond: 43.108."""
    return _fixed(value, 3)


def signed_ms(value: Figure) -> Markup:
    """Write a difference of milliseconds to the microsecond: +70.867."""
    return _fixed(value, 3, plus="+")


def us(value: Figure) -> Markup:
    """Write microseconds to a tenth: 3710.6."""
    return _fixed(value, 1)


def percent(share: Figure) -> Markup:
    """Write a fraction of 1 as a share: 67.67 %."""
    return _fixed(share, 2, scale=2, unit=" %")


def change(fraction: Figure) -> Markup:
    """Write a fraction of 1 as a change: +8.0 %."""
    return _fixed(fraction, 1, scale=2, unit=" %", plus="+")


def count(value: Figure) -> Markup:
    """Write a count: 12,288; one that is not whole keeps two decimals, so that it shows."""
    number = _decimal(value)
    whole = number is None or number == number.to_integral_value()
    return _fixed(value, 0 if whole else 2, group=",")


def difference(value: Figure) -> Markup:
    """Write a difference of counts: −3, +48, 0; one that is not whole keeps two decimals."""
    number = _decimal(value)
    whole = number is None or number == number.to_integral_value()
    return _fixed(value, 0 if whole else 2, group=",", plus="+")


def ratio(value: Figure) -> Markup:
    """Write a ratio of two figures: 2.79."""
    return _fixed(value, 2)


def chance(value: Figure) -> Markup:
    """Write a p: 0.0061; below 0.0001 only that it is."""
    number = _decimal(value)
    if number is not None and number < Decimal("0.0001"):
        return Markup("&lt; 0.0001")
    return _fixed(value, 4)


def plain(value: Figure) -> Markup:
    """Write a figure that a user typed, with all its digits: 44.96."""
    number = _decimal(value)
    return NOTHING if number is None else Markup(f"{number.normalize():f}")


FILTERS = (ms, signed_ms, us, percent, change, count, difference, ratio, chance, plain)
"""All of them, as templates use them by their names."""


def _fixed(
    value: Figure, places: int, scale: int = 0, unit: str = "", plus: str = "", group: str = ""
) -> Markup:
    number = _decimal(value)
    if number is None:
        return NOTHING
    shown = number.scaleb(scale).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
    sign = MINUS if shown < 0 else plus if shown > 0 else ""
    return Markup(f"{sign}{abs(shown):{group}.{places}f}{unit}")


def _decimal(value: Figure) -> Decimal | None:
    if value is None:
        return None
    try:
        number = value if isinstance(value, Decimal) else Decimal(repr(value))
    except InvalidOperation:
        return None
    return number if number.is_finite() else None
