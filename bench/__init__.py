"""What kwire costs, measured: `python -m bench PART`, or `make bench`."""
