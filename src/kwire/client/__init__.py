"""A thin client on kwire's own protocol: what the command line needs, and later brokers among themselves.

Everything here runs on trio, against any broker that speaks Kafka's protocol with message format 2 (Kafka 0.11 on).
"""
