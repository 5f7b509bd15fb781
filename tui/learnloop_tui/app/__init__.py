"""The app and the parts it owns, each given what it needs. Nothing but `main` imports from here."""
