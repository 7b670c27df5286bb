"""Variants that the tests of judging share."""

import pytest

from grader.bank import draw, load
from grader.model import Seed


@pytest.fixture
def lesson():
    """The two-token lesson with the causal rule (E3): asks scaled, weights and output to four decimals."""
    return draw.draw(load.find("causal_attention"), Seed("0", "lesson"))
