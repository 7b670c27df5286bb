"""Auto-graded exercises on the attention mechanism: from a template to a graded answer."""

__version__ = "0.1.0"
