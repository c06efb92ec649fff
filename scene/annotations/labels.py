"""Labels: texts at points of objects (Scene.labels), with **bold** words and [links](https://...) as in Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from octoscope.scene.annotations.bookmarks import Bookmark, placed_bookmark
from octoscope.scene.annotations.measurement import Anchor, placed_anchor
from octoscope.scene.conventions.world import World

_MARKED = re.compile(r"\*\*(?P<bold>[^*]+)\*\*|\[(?P<words>[^\][]+)\]\((?P<link>https?://[^\s()]+)\)", re.IGNORECASE)


@dataclass(frozen=True)
class Label:
    """A text, which is not empty, at a point."""

    text: str
    anchor: Anchor  # the point, which moves with its node
    camera: Bookmark | None = None  # where one looks at it from; None: from where the view is
    is_shown: bool = True

    def __post_init__(self) -> None:
        if not self.text.strip():
            raise ValueError("a label needs a text")

    @property
    def anchors(self) -> tuple[Anchor]:
        """The anchor, as a measurement has its own."""
        return (self.anchor,)

    def with_anchors(self, anchors: Sequence[Anchor]) -> Label:
        """Return it with another anchor, the only one in a sequence."""
        return replace(self, anchor=anchors[0])


def placed_labels(labels: Iterable[Label], first: int, begin: World, end: World) -> Iterator[Label]:
    """Yield labels of a file, as placed_anchor."""
    for each in labels:
        camera = None if each.camera is None else placed_bookmark(each.camera, begin, end)
        yield replace(each, anchor=placed_anchor(each.anchor, first, begin, end), camera=camera)


class Span(NamedTuple):
    """A part of a label's text that is written in one way."""

    text: str
    is_bold: bool = False
    link: str = ""  # an address that begins with http:// or https://, or none


def spans_of(text: str) -> list[Span]:
    """Divide a label's text by its markup; what is no markup, such as a link to a file, stays as it was typed."""
    spans, end = [], 0
    for match in _MARKED.finditer(text):
        spans.append(Span(text[end : match.start()]))
        spans.append(Span(match["bold"], True) if match["bold"] else Span(match["words"], False, match["link"]))
        end = match.end()
    return [span for span in [*spans, Span(text[end:])] if span.text]


def plain_text(text: str) -> str:
    """Return a label's text without its markup, on one line."""
    return " ".join("".join(span.text for span in spans_of(text)).split())
