"""What is known of agents, of the person and of projects.

May import language, feedback and lessons.
"""
