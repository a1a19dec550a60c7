"""What the cluster is: topics, partitions, configs, features. A store behind a port, and the image handlers read."""
