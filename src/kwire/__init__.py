"""kwire: a Kafka-wire-compatible message broker in Python on trio.

Importing this package loads nothing else: `import kwire` must stay instant.
"""

__version__ = "0.1.0"
