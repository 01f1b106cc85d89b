"""Recognises binary files by their first bytes, and says what to do instead. Pure."""

from __future__ import annotations

from gleanery.net.charset import MARKS

AS_CSV = "export it from there as CSV"
BEGINNINGS = (
    (b"PK\x03\x04", "a workbook (.xlsx, .ods) or a ZIP archive", f"open it and {AS_CSV}"),
    (b"\xd0\xcf\x11\xe0", "an old workbook or document (.xls, .doc)", f"open it and {AS_CSV}"),
    (b"SQLite format 3\0", "an SQLite database", AS_CSV),
    (b"\x1f\x8b", "compressed with gzip", "unpack it first"),
    (b"\xfd7zXZ", "compressed with xz", "unpack it first"),
    (b"(\xb5/\xfd", "compressed with zstd", "unpack it first"),
    (b"%PDF-", "a PDF document", "ask for the table behind it, as CSV"),
    (b"\x89PNG", "a picture (PNG)", "ask for the table behind it, as CSV"),
    (b"\xff\xd8\xff", "a picture (JPEG)", "ask for the table behind it, as CSV"),
    (b"GIF89a", "a picture (GIF)", "ask for the table behind it, as CSV"),
)
WORKBOOKS = ("xlsx", "xls", "xlsm", "xlsb", "ods", "numbers", "gsheet")
# Without tab, line breaks, escape and NUL, which some text files have. About a tenth of random bytes are of these.
CONTROLS = bytes({*range(1, 32)} - set(b"\t\n\v\f\r\x1b"))
FEW = 0.02


def problem_of(first: bytes) -> str:
    """Return what is wrong with the file, as a sentence without its subject; empty if it may be text."""
    if any(first.startswith(mark) for mark, _ in MARKS):
        return ""
    for beginning, what, instead in BEGINNINGS:
        if first.startswith(beginning):
            return f"seems to be {what}, not a text file. Nothing was read; {instead}."
    if len(first) - len(first.translate(None, CONTROLS)) > FEW * len(first):
        return "is not a text file. Nothing was read; export its content as CSV."
    return ""
