"""Every mistake that is recognised by its trace: the same steps, each computed wrong in one known way."""

from solutions.mistakes import project, scale
from solutions.mistakes.spec import MistakeSpec

__all__ = ["MISTAKES", "MistakeSpec"]

MISTAKES: tuple[MistakeSpec, ...] = project.MISTAKES + scale.MISTAKES
