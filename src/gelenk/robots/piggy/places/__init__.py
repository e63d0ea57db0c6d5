"""Places in which balls fly: what two cameras see of a hall or a meadow."""
