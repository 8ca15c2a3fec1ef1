"""How long a crawl waits for hosts that do not open."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scrapy_polite.services.robots import PROMPT_COMMANDS, PROMPT_WAIT_S, at_prompt

if TYPE_CHECKING:
    from typing_extensions import Self

    from scrapy_polite.settings import PoliteSettings


@dataclass(frozen=True, slots=True)
class Patience:
    """A host that fails is abandoned after `give_up_s`; a crawl of which nothing may leave for `max_idle_s` ends. Both
    are short where a person waits at a prompt."""

    give_up_s: float
    max_idle_s: float
    at_prompt: bool

    @classmethod
    def of(cls, settings: PoliteSettings) -> Self:
        prompt = at_prompt(sys.orig_argv, (*PROMPT_COMMANDS, "check"))
        limit_s = PROMPT_WAIT_S if prompt else math.inf
        return cls(min(settings.give_up, limit_s), min(settings.max_idle, limit_s), prompt)
