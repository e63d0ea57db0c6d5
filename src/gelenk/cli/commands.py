"""Command `gelenk` with all its subcommands: parses, calls, prints.

Only the parser is loaded here; a command imports what it needs when it runs, so that
`gelenk --help` answers at once.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from gelenk.cli import exit_codes
from gelenk.cli.amee import amee
from gelenk.cli.armbot import RawCommand, armbot
from gelenk.cli.campaign import campaign
from gelenk.cli.course import course
from gelenk.cli.doctor import doctor
from gelenk.cli.ik import ik
from gelenk.cli.list_subjects import list_
from gelenk.cli.nao import nao
from gelenk.cli.open_page import open_
from gelenk.cli.piggy import piggy
from gelenk.cli.replay import replay
from gelenk.cli.robot import robot
from gelenk.cli.run import run
from gelenk.cli.warmup import warmup
from gelenk.errors import GelenkError

REPORT_TO = "the issue tracker of the project (CONTRIBUTING.md says how)"

OVERVIEW = """\
Gelenk: robots in Python, from the mathematics to a simulated world.

  gelenk open              robots at work, in your browser; `gelenk open hall`
  gelenk run bounce        compute a scenario once and print its figures
  gelenk list              everything that can be opened or run, and all robots
  gelenk robot panda       joints, limits, masses and sources of a robot
  gelenk campaign bounce   a scenario over many seeds, on all cores or on a cluster
  gelenk armbot cells      arms that grip balls and boxes; `gelenk armbot -?` says more
  gelenk nao calibrate     a humanoid that calibrates itself by looking at its feet
  gelenk piggy play        a robot that sees thrown balls and bats them back
  gelenk amee walk         a rescue robot whose four legs think for themselves
  gelenk replay FILE       a recording as text, tables and plots, or run again
  gelenk ik panda --pose 0.4,0.1,0.5,3.14,0,0
  gelenk course            every method of a robotics course: formula, place, example
  gelenk warmup            compile everything for this machine ahead of its first use
  gelenk doctor            what is missing here and the command that mends it

`gelenk COMMAND --help` says the rest. In Python: import gelenk; gelenk.load("panda")"""

app = typer.Typer(
    name="gelenk",
    help="Robots in Python, from the mathematics to a simulated world.",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("open")(open_)
app.command("list")(list_)
for _command in (run, robot, ik, replay, campaign, course, doctor, warmup):
    app.command()(_command)
app.command(cls=RawCommand)(armbot)
app.add_typer(nao)
app.add_typer(piggy)
app.add_typer(amee)


def _print_version(wanted: bool) -> None:
    if wanted:
        from gelenk import __version__

        print(f"gelenk {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _overview(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, help="Print the version."),
    ] = False,
    debug: Annotated[
        bool,
        typer.Option("--debug", help="Show tracebacks; the same as GELENK_DEBUG=1."),
    ] = False,
) -> None:
    if debug:
        os.environ["GELENK_DEBUG"] = "1"
    if context.invoked_subcommand is None:
        print(OVERVIEW)


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command line of `gelenk`.

    Args:
        argv: Words after `gelenk`; None: those of this process.

    Returns:
        Exit code: 0 success, 1 missed, 2 impossible, 70 a defect of ours.

    Example:
        >>> from gelenk.cli import main
        >>> main(["--version"])
        gelenk 0.1.0
        0
    """
    args = list(sys.argv[1:] if argv is None else argv)
    try:
        code = app(args=args, prog_name="gelenk", standalone_mode=False)
        sys.stdout.flush()
    except GelenkError as error:
        return _fail(str(error), exit_codes.IMPOSSIBLE, error)
    except typer.TyperException as error:
        return _fail(_usage_message(error), exit_codes.IMPOSSIBLE, error)
    except BrokenPipeError:
        return _leave_quietly()
    except (KeyboardInterrupt, typer.Abort):
        return exit_codes.INTERRUPTED
    except SystemExit as leaving:
        # The parser itself turns a closed pipe into this.
        return _leave_quietly() if leaving.code == 1 else int(leaving.code or 0)
    except Exception as error:
        return _confess(error)
    return int(code or exit_codes.OK)


def _usage_message(error: typer.TyperException) -> str:
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "gelenk"
    return f"{error.format_message().rstrip('.')}; `{path} --help` lists what there is"


def _fail(message: str, code: int, error: Exception) -> int:
    if os.environ.get("GELENK_DEBUG"):
        _print_traceback(error)
    sys.stderr.write(f"gelenk: error: {message}\n")
    return code


def _confess(error: Exception) -> int:
    """Report a defect of ours: short, with the way to more and to us."""
    if os.environ.get("GELENK_DEBUG"):
        _print_traceback(error)
        hint = "the traceback is above"
    else:
        hint = "set GELENK_DEBUG=1 to see the traceback"
    kind = type(error).__name__
    sys.stderr.write(
        f"gelenk: this is a defect of ours, sorry: {kind}: {error}\n"
        f"gelenk: {hint}; please take it, with your command, to {REPORT_TO}\n"
    )
    return exit_codes.DEFECT


def _print_traceback(error: Exception) -> None:
    import traceback

    traceback.print_exception(error)


def _leave_quietly() -> int:
    """Drop what the reader of our pipe no longer wants, without a traceback."""
    with contextlib.suppress(OSError):  # no file: nothing is flushed into it later
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return exit_codes.BROKEN_PIPE


if __name__ == "__main__":
    sys.exit(main())
