"""Kafka's wire protocol: specs, message classes, codec and frames. Pure: bytes in, values out, and back."""
