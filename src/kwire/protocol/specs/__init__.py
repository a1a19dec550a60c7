"""From protocol_specs/ to code: the parser of the spec format and the generator of message classes.

Used by `make generate` and by tests, never by a running broker. The format is described in docs/SPEC_FORMAT.md.
"""
