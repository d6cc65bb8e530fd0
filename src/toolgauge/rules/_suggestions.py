"""What a fix suggests: an accepted name, or the keyword or format that was meant.

Two words are close if they are the same without case, hyphens and underscores, or
if taking at most one letter out of each makes them so: one letter too many, too few,
wrong, or two that changed places.

Source: the keywords of JSON Schema draft-04 to 2020-12 and of OpenAPI 3.0 and 3.1;
the formats of JSON Schema 2020-12 and of OpenAPI's registry.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

MAX_SUGGESTED = 64
"""A longer name gets no suggestion, in characters."""

MIN_CHARACTERS, MAX_CHARACTERS = 4, 30
"""Shorter words are close to too much, longer ones to nothing."""

_KEYWORDS = """
    $anchor $comment $defs $dynamicAnchor $dynamicRef $id $recursiveAnchor $recursiveRef $ref
    $schema $vocabulary additionalItems additionalProperties allOf anyOf const contains
    contentEncoding contentMediaType contentSchema default definitions dependencies
    dependentRequired dependentSchemas deprecated description else enum examples
    exclusiveMaximum exclusiveMinimum format id if items maxContains maxItems maxLength
    maxProperties maximum minContains minItems minLength minProperties minimum multipleOf not
    oneOf pattern patternProperties prefixItems properties propertyNames readOnly required then
    title type unevaluatedItems unevaluatedProperties uniqueItems writeOnly
    discriminator example externalDocs nullable propertyOrdering xml
"""
_FORMATS = """
    date date-time duration email hostname idn-email idn-hostname ipv4 ipv6 iri iri-reference
    json-pointer regex relative-json-pointer time uri uri-reference uri-template uuid
    base64url binary byte char color commonmark date-time-local decimal decimal128 double
    double-int enum float html http-date int16 int32 int64 int8 media-range password phone
    sf-binary sf-boolean sf-decimal sf-integer sf-string sf-token time-local uint16 uint32
    uint64 uint8 unixtime
"""
KEYWORDS = frozenset(_KEYWORDS.split())
FORMATS = frozenset(_FORMATS.split())

# One letter away from words that people use on purpose: `when`, `count`, `desc`.
_NEVER_MEANT = frozenset({"$defs", "const", "else", "then", "byte", "char"})
_ALSO = {"guid": "uuid", "url": "uri"}


@lru_cache(maxsize=4096)
def meant_keyword(word: str) -> str:
    """Give the known keyword that an unknown one is close to, ``""`` for none.

    Example:
        >>> meant_keyword("requred"), meant_keyword("required"), meant_keyword("x-unit")
        ('required', '', '')
    """
    if word in KEYWORDS or word.startswith(("x-", "x_")):
        return ""
    return _closest(word, KEYWORDS)


@lru_cache(maxsize=1024)
def meant_format(word: str) -> str:
    """Give the known format that an unknown one is close to, ``""`` for none.

    Example:
        >>> meant_format("datetime"), meant_format("date-time"), meant_format("phone")
        ('date-time', '', '')
    """
    if word in FORMATS:
        return ""
    return _ALSO.get(word) or _closest(word, FORMATS)


def _closest(word: str, known: frozenset[str]) -> str:
    folded = _folded(word) if len(word) <= MAX_CHARACTERS else ""
    same, close = _indexes(known)
    if folded in same or len(folded) < MIN_CHARACTERS:
        return same.get(folded, "")
    return next((close[each] for each in _shortened(folded) if each in close), "")


@cache
def _indexes(known: frozenset[str]) -> tuple[dict[str, str], dict[str, str]]:
    """Give the known words without case and hyphens, and under what one letter less leaves."""
    close: dict[str, str] = {}
    for word in sorted(known - _NEVER_MEANT):
        folded = _folded(word)
        if len(folded) >= MIN_CHARACTERS:
            for each in _shortened(folded):
                close.setdefault(each, word)
    return {_folded(word): word for word in sorted(known)}, close


def _shortened(word: str) -> list[str]:
    return [word, *(word[:place] + word[place + 1 :] for place in range(len(word)))]


def _folded(word: str) -> str:
    return word.lower().replace("-", "").replace("_", "").replace("$", "")


def offender(name: str, pattern: str) -> tuple[int, str] | None:
    """Find the first character that a pattern for names has no place for.

    Each character is tried alone at the front and after a letter, so the answer
    costs one short match for each character that is new.

    Returns:
        Its index and the character; ``None`` where no single one is to blame:
        the length is, or the pattern wants more than a set of characters.

    Example:
        >>> offender("a/b", "^[a-z]+$")
        (1, '/')
    """
    if re.fullmatch(pattern, "aa") is None:
        return None
    if name and re.fullmatch(pattern, name[0]) is None:
        return (0, name[0])
    known: dict[str, bool] = {}
    for index, character in enumerate(name):
        if character not in known:
            known[character] = re.fullmatch(pattern, f"a{character}") is not None
        if not known[character]:
            return (index, character)
    return None


def suggestion(name: str, pattern: str) -> str:
    """Give the name with ``_`` for each character that has no place, ``""`` if that will not do.

    Example:
        >>> suggestion("repo/commit", "^[a-z_]+$")
        'repo_commit'
    """
    if not 0 < len(name) <= MAX_SUGGESTED:
        return ""
    letters = [each if re.fullmatch(pattern, f"a{each}") is not None else "_" for each in name]
    if re.fullmatch(pattern, letters[0]) is None:
        letters[0] = "_"
    found = "".join(letters)
    return found if re.fullmatch(pattern, found) is not None else ""
