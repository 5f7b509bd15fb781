"""Figures on agents, traits of the person, conventions of projects. May import language and lessons."""
