"""Record batches: Kafka's message format v2, its compression and its control records. Pure: bytes in, bytes out."""
