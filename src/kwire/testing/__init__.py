"""What tests of kwire, and of programs that use it, start brokers and make faults with. Imports nothing by itself."""
