"""AMEE on the page: what it shows, and what can be pressed."""
