"""Vision: cameras, images, and what can be found in them."""
