"""Kinematic schemes in SVG → documents of XsysTel: groups are bodies, markers say how they are joined."""
