"""The log of a partition in Kafka's own files. Synchronous; files only through `storage.files`, time passed in."""
