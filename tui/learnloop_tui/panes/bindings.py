"""Textual key bindings made from the table of commands."""

from textual.binding import Binding, BindingType

from learnloop.keymap import commands


def bindings(*places: str) -> list[BindingType]:
    """The key bindings of places; all of them lead to the one action that runs commands."""
    return [
        Binding(",".join(command.keys), f"app.command('{command.id}')", command.title, show=False,
                id=f"{place}.{command.id}", tooltip=command.help)
        for place in places
        for command in commands.of(place)
    ]  # fmt: skip
