"""URDF and SRDF, read and written."""
