"""What a robot is: links, joints, loops, and where descriptions come from."""
