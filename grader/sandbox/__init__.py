"""Runs a learner's code in a process of its own and brings back arrays, or how it ended. The door is `run.py`."""
