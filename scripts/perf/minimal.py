"""The smallest Textual app that looks like one: what the console's start is compared with."""

from textual.app import App, ComposeResult
from textual.widgets import Footer, Header, Static


class Minimal(App[None]):
    """A header, one line, a footer."""

    def compose(self) -> ComposeResult:
        """Lay it out."""
        yield Header()
        yield Static("minimal-app-is-here")
        yield Footer()


if __name__ == "__main__":
    Minimal().run()
