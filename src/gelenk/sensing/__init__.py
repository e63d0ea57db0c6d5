"""What sensors make of the world: the laws between a quantity and its reading."""
