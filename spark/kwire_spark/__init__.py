"""kwire with PySpark: a local session that has Spark's own Kafka connector. Importing this package loads no Spark."""
