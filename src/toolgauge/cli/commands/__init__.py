"""The commands: one file each, named as the command; see ``toolgauge.cli.command``."""
