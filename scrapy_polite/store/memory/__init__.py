"""A store that ends with the process: bounded by count and bytes; what was used or set longest ago goes first."""
