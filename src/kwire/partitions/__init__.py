"""Partitions as their leader sees them: the log, the high watermark, and who waits for what to happen to it."""
