"""For tests and comparisons: the reference broker, and what starting it takes. Imports nothing by itself."""
