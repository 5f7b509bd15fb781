"""Pure rules in six rooms: offers and profile on top of lessons, feedback, language and sessions.

Imports point downwards; may import models and wire.
"""
