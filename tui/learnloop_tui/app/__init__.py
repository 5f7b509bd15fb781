"""The app and the helpers it owns."""
