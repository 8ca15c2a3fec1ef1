"""Reading a project's `POLITE_*` settings: invalid values, unknown names, values that contradict each other.

All that is wrong is said at once, a sentence each, so that a person mends it in one go.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

    from scrapy_polite.settings.kinds import Kind

PREFIX = "POLITE_"


class SettingsError(ValueError):
    """Invalid settings. `errors` has a sentence for each, the message a line.

    `exit_status` is what `scrapy crawl` and `scrapy runspider` end with.
    """

    def __init__(self, errors: Sequence[str], exit_status: int = 1) -> None:
        super().__init__("scrapy-polite cannot start:\n" + "\n".join(f"  - {error}" for error in errors))
        self.errors = tuple(errors)
        self.exit_status = exit_status


#: A traceback shows the path by which people import it.
SettingsError.__module__ = "scrapy_polite.settings"


def setting_name(attribute: str) -> str:
    return f"{PREFIX}{attribute.upper()}"


def read_values(settings: BaseSettings, kinds: Mapping[str, Kind]) -> dict[str, Any]:
    """The values by attribute of what is set; `kinds` has each attribute. Raises SettingsError."""
    names = {setting_name(attribute): attribute for attribute in kinds}
    values: dict[str, Any] = {}
    errors = []
    for name in (name for name in settings if isinstance(name, str) and name.startswith(PREFIX)):
        if name not in names:
            near = difflib.get_close_matches(name.removeprefix(PREFIX).lower(), kinds, n=1)
            errors.append(
                f"unknown setting {name}: "
                + (f"did you mean {setting_name(near[0])}?" if near else "docs/settings.md lists all of them")
            )
            continue
        raw = settings[name]
        if raw is None:
            continue
        kind = kinds[names[name]]
        try:
            values[names[name]] = kind.read(raw)
        except (ValueError, TypeError, OverflowError) as error:
            errors.append(f"{name}{kind.complaint(raw, error)}")
    if errors:
        raise SettingsError(errors)
    return values


def contradictions(settings: object, pairs: Sequence[tuple[str, str]]) -> list[str]:
    """A sentence for each pair of attributes of which the first, a least value, is above the second."""
    return [
        f"{setting_name(low)} ({getattr(settings, low):g}) is above "
        f"{setting_name(high)} ({getattr(settings, high):g}): lower the one or raise the other"
        for low, high in pairs
        if getattr(settings, low) > getattr(settings, high)
    ]
