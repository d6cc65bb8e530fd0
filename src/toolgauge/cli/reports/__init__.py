"""How ``check`` shows what it found: one module for each format, each a pure function."""
