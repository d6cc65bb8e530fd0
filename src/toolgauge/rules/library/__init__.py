"""The rules, one file each. To add one: this file's neighbour, and its cases."""
