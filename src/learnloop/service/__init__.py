"""What console and command line may call, a room per area. May import everything below; never a face."""
