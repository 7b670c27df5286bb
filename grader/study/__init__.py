"""Studying alone: a folder of exercises, where one is in it, hints, new numbers, starting over."""
