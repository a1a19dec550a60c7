"""The trio side: listeners, connections, the composition of a broker."""
