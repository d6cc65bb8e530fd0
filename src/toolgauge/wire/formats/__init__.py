"""One file for each provider's shapes of tools, calls and results."""
