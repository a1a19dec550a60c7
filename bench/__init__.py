"""Measurements, each beside something else in the same run: `make bench`, or `python -m bench <part>`.

A part is a module with `main(arguments) -> exit code`. It prints a table, marks every bar that was missed, and writes
the table and its plot into docs/ (see `bench.report`).
"""
