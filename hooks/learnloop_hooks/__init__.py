"""Short-lived processes that an agent starts: record and recall."""
