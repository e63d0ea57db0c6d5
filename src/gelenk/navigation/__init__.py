"""Navigation of mobile robots: where am I, and what does the world look like?"""
