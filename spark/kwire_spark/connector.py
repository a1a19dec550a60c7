"""Spark's Kafka connector as jars on this machine.

They are resolved with Maven into the cache and not with `spark.jars.packages`, for reasons tried out on an empty home:
Spark resolves those with Ivy anew at every start, fetching 63 MB where 10 MB are missing and asking a second,
often unreachable, repository; several processes that start at once race for one Ivy directory; and Ivy reads Maven's
local repository too, where a pom without its jar is enough to make it give up.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from kwire.testing.maven_jars import announce_on_stderr, cache_directory, resolve_jars

SPARK_VERSION = "4.0.0"


def connector_jars(announce: Callable[[str], None] = announce_on_stderr) -> Path:
    """The directory that holds the connector's jars, resolved once."""
    pom = Path(__file__).with_name("pom.xml")
    what = f"Spark's Kafka connector {SPARK_VERSION}"
    return resolve_jars(pom, cache_directory() / f"spark-kafka-{SPARK_VERSION}", what, announce)
