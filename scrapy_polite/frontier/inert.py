"""Pickles read for the plain values in them, without running any of what they name."""

from __future__ import annotations

import pickle
from io import BytesIO
from typing import Any


class _Inert:
    """Stands for every class and function that a pickle names: takes whatever it is given, and does nothing."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        pass

    def __setitem__(self, key: object, value: object) -> None:
        pass

    def __setstate__(self, state: object) -> None:
        pass

    def append(self, item: object) -> None:
        pass

    extend = add = append


class _Reader(pickle.Unpickler):
    def find_class(self, module_name: str, global_name: str) -> Any:
        return _Inert


def read_inert(data: bytes) -> Any:
    """What was pickled: numbers, texts, bytes, lists, tuples, dictionaries (from protocol 4 on sets) as they are, all
    else inert.

    Raises ValueError for what is no pickle.
    """
    try:
        return _Reader(BytesIO(data)).load()
    except Exception as error:  # a damaged pickle may raise almost anything
        raise ValueError(str(error) or type(error).__name__) from error
