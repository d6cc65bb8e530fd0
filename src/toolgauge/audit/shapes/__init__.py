"""The shapes that recorded calls come in, one file each."""
