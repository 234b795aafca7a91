"""The version of the package; the build reads it from here and nowhere else."""

__version__ = "0.1.0"
