"""`learn`: finds the verb, runs it, and turns every failure into one line and an exit code."""

import atexit
import gc
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from io import TextIOWrapper

from learnloop.cli import failures
from learnloop.errors import Busy, LearnloopError
from learnloop.wire import paths

_COLLECT_AT = 500_000
"""New objects before the garbage collector looks: a command that lives a second need not look hundredfold."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line; returns 0 done, 1 failed or refused, 2 wrong usage, 3 a fault, 130 Ctrl-C."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        code = _run(arguments)
        sys.stdout.flush()
    except SystemExit as stop:  # argparse leaves by it
        return stop.code if isinstance(stop.code, int) else 0
    except KeyboardInterrupt:
        if sys.stderr.isatty():
            print(file=sys.stderr)
        return 130
    except BrokenPipeError:  # the reader closed the pipe, as in `learn lessons | head`
        failures.let_go_of_stdout()
        return 0
    except Busy as error:  # a wait for the same lock was announced already
        failures.print_once(error.message, error.hint)
        return 1
    except LearnloopError as error:
        failures.print_error(error.message, error.hint)
        return 1
    except OSError as error:
        return failures.system(error)
    except Exception as error:
        return failures.unexpected(error, arguments)
    return code


def _run(arguments: list[str]) -> int:
    if "_ARGCOMPLETE" in os.environ:  # a shell completes, see cli.suggestions
        from learnloop.cli import suggestions

        return suggestions.answer()
    from learnloop.cli.registry import parse

    os.umask(os.umask(0o077) & 0o077)  # what is made here can be opened here, whatever the umask was
    gc.set_threshold(_COLLECT_AT)
    atexit.register(gc.freeze)  # at the end the system takes everything back faster than a look through it
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # a character that the terminal lacks becomes an escape
            stream.reconfigure(errors="backslashreplace")
    command, options = parse(arguments)
    from learnloop.service import workspace as services

    failures.print_once.cache_clear()
    services.announce_waits(failures.print_once)
    workspace = services.open_workspace()
    if os.path.lexists(paths.hooks(workspace.root) + "/current"):
        from learnloop.service.setup import install

        with suppress(OSError, LearnloopError):  # learn doctor reports a deployed copy that stays old
            for change in install.refresh(workspace):
                failures.print_error(change)
    if command.checks_settings and services.are_settings_touched():
        _ = workspace.settings
    if command.reads and services.is_of_earlier_program(workspace):
        from learnloop.cli.progress import progress

        with progress("Files of an earlier store") as on_file:
            services.take_in_store(workspace, on_file)
    if command.reads and (why := services.catch_up(workspace)):
        failures.print_error(why)
    return command.run(workspace, options) or 0


if __name__ == "__main__":
    sys.exit(main())
