"""Stands in for Matplotlib where it is not installed: the calls of the documentation, checked."""
