"""Read lessons: documents, rows, queue, lookup, filters. May import only the ground floor of the service."""
