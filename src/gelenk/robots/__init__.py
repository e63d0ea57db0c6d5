"""Complete robots: one folder each, with the same rooms.

They never import each other.
"""
