"""How robots do what they should: feedback, force, compliance, vision, reflexes."""
