"""Piggy measures itself: cameras, servos, flight of the ball, habits of throwers."""
