from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolgauge.cli.marked import BEGIN, END, BrokenMarkers, take_apart

SECTION = "## Tools\n\nThere are none.\n"


@pytest.mark.parametrize(
    "before", [b"", b"# A\n", b"# A", b"# A\r\n", b"\xef\xbb\xbf# A\n", b"\xff\n"]
)
def test_a_file_without_markers_keeps_all_its_bytes(before: bytes) -> None:
    """The section comes after them, set off by a blank line."""
    made = take_apart(before).with_section(SECTION)

    assert made.startswith(before)
    assert made.rstrip().endswith(END)
    gap = made[len(before) : made.index(BEGIN)]
    assert b"" == gap.strip()
    assert (before == b"") == (gap == b"")


@pytest.mark.parametrize("newline", [b"\n", b"\r\n"])
def test_a_section_is_written_with_the_files_own_line_ends(newline: bytes) -> None:
    """A new one, and one that is there."""
    new = take_apart(newline.join([b"# A", b"text", b""])).with_section(SECTION)
    again = take_apart(new).with_section(SECTION)

    assert new == again
    assert new.count(b"\n") == new.count(newline)


@pytest.mark.parametrize("after", [b"", b"\n", b"\n\n# B\n", b" \t\r\n\xff\r"])
@pytest.mark.parametrize(
    "before", [b"", b"# A\n\n", b"\xff\r\n", b"\xef\xbb\xbf", b"\xef\xbb\xbf\n"]
)
def test_everything_outside_stays(before: bytes, after: bytes) -> None:
    """Byte for byte, whatever it is."""
    file = before + BEGIN + b"\nold\n" + END + after

    made = take_apart(file).with_section(SECTION)

    assert made.startswith(before + BEGIN)
    assert made.endswith(END + after.lstrip(b" \t"))
    assert b"old" not in made


BROKEN = [
    pytest.param([BEGIN], "line 1", id="begin alone"),
    pytest.param([b"a", END], "line 2", id="end alone"),
    pytest.param([END, BEGIN], "line 1", id="the wrong way round"),
    pytest.param([BEGIN, END, BEGIN, END], "lines 1, 3", id="two pairs"),
    pytest.param([BEGIN, BEGIN, END, END], "lines 1, 2", id="one in the other"),
    pytest.param([BEGIN, END, END], "lines 2, 3", id="two ends"),
    pytest.param([b"a " + BEGIN], "line 1", id="beside text"),
    pytest.param([b"  " + END], "line 1", id="indented"),
    pytest.param([BEGIN, END, b"see " + BEGIN], "line 3", id="beside text after the section"),
    pytest.param([BEGIN + END], "line 1", id="both in one line"),
    pytest.param([b"\0"], "no UTF-8", id="no text"),
]


@pytest.mark.parametrize(("lines", "told"), BROKEN)
@pytest.mark.parametrize("newline", [b"\n", b"\r\n", b"\r"])
def test_broken_markers_are_told_with_their_line(
    lines: list[bytes], told: str, newline: bytes
) -> None:
    """Guessing might delete what somebody wrote."""
    with pytest.raises(BrokenMarkers, match=told):
        take_apart(newline.join(lines))


def test_markers_inside_the_section_are_only_text() -> None:
    """A tool may describe itself with one; it stands beside other text there."""
    file = BEGIN + b"\n> " + END + b"\n" + END + b"\n"

    made = take_apart(file).with_section(f"> {BEGIN.decode()}\n")

    assert made == take_apart(made).with_section(f"> {BEGIN.decode()}\n")


@given(before=st.binary(max_size=20), after=st.binary(max_size=20), section=st.text(max_size=20))
def test_any_bytes_outside_stay(before: bytes, after: bytes, section: str) -> None:
    """And a second run changes nothing."""
    before, after = before.replace(b"\0", b""), after.replace(b"\0", b"")
    section = section.replace("\0", "")
    file = before + b"\n" + BEGIN + b"\n" + END + b"\n" + after

    made = take_apart(file).with_section(section)

    assert made.startswith(before + b"\n" + BEGIN)
    assert made.endswith(END + b"\n" + after)
    assert made == take_apart(made).with_section(section)
