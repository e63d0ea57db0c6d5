"""Piggy: a robot that sees a thrown ball and bats it to the person you choose."""
