"""A class: a set for each student from a roster, the lock that keeps them, marking what is handed in."""

LOCK = "course.lock.json"
"""The file that makes a folder a class: it keeps what every student was given."""
