"""Print the figures of the house beside their ceilings and goals; exit 1 where one is above its ceiling.

`-v` lists what is counted. `--docs` writes ceilings and goals into CONTRIBUTING.md instead.
"""

import sys
from pathlib import Path

from scripts.house.measures import MEASURES, House, details, goals, shown_goal

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "CONTRIBUTING.md"
START = "<!-- make docs writes this table: what is changed here is overwritten -->\n"
END = "<!-- end of the table -->\n"


def with_goals(page: str) -> str:
    """A page with today's table between its markers.

    Raises ValueError where a marker is missing.
    """
    before, start, rest = page.partition(START)
    _, end, after = rest.partition(END)
    if not start or not end:
        raise ValueError("CONTRIBUTING.md lacks the markers of the table of the house")
    return before + START + goals() + END + after


def report(house: House) -> int:
    """Print the table and the members of each circle; return the exit code."""
    print(f"{'measure':58} {'today':>8} {'ceiling':>8} {'goal':>8}")
    above = False
    for measure in MEASURES:
        figure = measure.count(house)
        above = above or figure > measure.ceiling
        row = f"{measure.title:58} {figure:>8,g} {measure.ceiling:>8,g} {shown_goal(measure):>8}"
        print(f"{row}  {measure.complaint(figure)}".rstrip())
    for kind, circles in (("files", house.file_circles), ("rooms", house.room_circles)):
        for members in circles:
            print(f"\ncircle of {len(members)} {kind}: " + ", ".join(members))
    return 1 if above else 0


def main(arguments: list[str]) -> int:
    """Run the command."""
    if "--docs" in arguments:
        PAGE.write_text(with_goals(PAGE.read_text("utf-8")), "utf-8")
        return 0
    house = House(ROOT)
    code = report(house)
    if "-v" in arguments:
        print("", *details(house), sep="\n")
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
