"""AMEE: a four-legged rescue robot whose legs are computers of their own."""
