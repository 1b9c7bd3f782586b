from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from .generated.types import Pagination

Item = TypeVar("Item")


@dataclass(frozen=True)
class Page(Generic[Item]):
    """One page of a list, newest first."""

    data: list[Item]
    pagination: Pagination
    extra: Mapping[str, Any]
    """Further fields of single lists, such as the `balance` of `balance.movements`."""


class Pages(Generic[Item]):
    """
    A list. Iterate over it to get the objects of all pages, each page when it is needed, or call `first_page` for one.
    Nothing is sent before that.
    """

    def __init__(self, query: Mapping[str, object], read: Callable[[Mapping[str, object]], Any]) -> None:
        self._query = query
        self._read = read

    def first_page(self) -> Page[Item]:
        return self._page(self._query)

    def pages(self) -> Iterator[Page[Item]]:
        """Page after page: older ones, or newer ones if `before` was given."""
        direction = "after" if self._query.get("before") is None else "before"
        query = self._query
        while True:
            page = self._page(query)
            yield page
            cursor = page.pagination["next" if direction == "after" else "before"]
            if cursor is None or not page.data:
                return
            query = {**self._query, direction: cursor}

    def __iter__(self) -> Iterator[Item]:
        for page in self.pages():
            yield from page.data

    def _page(self, query: Mapping[str, object]) -> Page[Item]:
        answer = self._read(query)
        known = ("data", "pagination", "success", "error")
        extra = {name: value for name, value in answer.items() if name not in known}
        return Page(data=answer["data"], pagination=answer["pagination"], extra=extra)
