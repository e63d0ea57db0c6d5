"""From a predicted flight and a wanted velocity to a stroke of the bat."""
