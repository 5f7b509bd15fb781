"""The report page: what was corrected, and what came of it, to look at and to send."""
