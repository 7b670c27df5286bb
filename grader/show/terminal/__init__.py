"""The terminal: reports, tables and pages at 80 columns, in both languages, with or without colour.

Every page is a list of lines made for a `Paper`, which knows what its stream can carry; `paper.print` writes them.
"""

from grader.show.terminal.paper import Paper
from grader.show.terminal.progress import progress
from grader.show.terminal.show import bank_list, class_table, explain, faults, hints, show

__all__ = ["Paper", "bank_list", "class_table", "explain", "faults", "hints", "progress", "show"]
