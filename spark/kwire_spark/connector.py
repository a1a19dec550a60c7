"""Spark's Kafka connector as jars on this machine.

They are resolved with Maven into the cache, under a lock, and not by Spark with `spark.jars.packages`. Tried out on an
empty home, Spark's Ivy brings 63 MB where 10 MB are missing, asks a second repository for every pom that has no jar,
and resolves all of it again at every start. And it reads Maven's local repository too: a pom without its jar there,
which Maven itself simply completes, makes Ivy give up.
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
