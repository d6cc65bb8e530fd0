"""Will a target accept this tool? Rules, targets, and the check of one against the other.

A rule never names a provider; a target never holds code.
"""

from __future__ import annotations

from toolgauge.rules._check import Report, Verdict, check
from toolgauge.rules._definition import MISSING, Definition, Node
from toolgauge.rules._errors import InvalidTarget, NotTools, UnknownTarget
from toolgauge.rules._rule import Example, Finding, Limits, Rule, rule_of, rules
from toolgauge.rules._targets import Applied, Target, select, targets

__all__ = [
    "MISSING",
    "Applied",
    "Definition",
    "Example",
    "Finding",
    "InvalidTarget",
    "Limits",
    "Node",
    "NotTools",
    "Report",
    "Rule",
    "Target",
    "UnknownTarget",
    "Verdict",
    "check",
    "rule_of",
    "rules",
    "select",
    "targets",
]
