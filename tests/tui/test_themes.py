"""Themes: everything can be read in each of them, and nothing is told by colour alone."""

import functools

import pytest
from rich.color import Color as RichColor
from textual.color import Color

from learnloop.faces import lesson_page
from learnloop_tui.bridge import machine_queries
from learnloop_tui.view import session_lines, text, themes
from tests.tui.fakes import Console, FakeBridge, console, lesson

BLACK, WHITE, GREY = Color(0, 0, 0), Color(255, 255, 255), Color(119, 119, 119)


def test_contrast_is_counted_as_wcag_does() -> None:
    assert themes.contrast(BLACK, WHITE) == pytest.approx(21)
    assert themes.contrast(WHITE, WHITE) == 1
    assert themes.contrast(GREY, WHITE) == pytest.approx(4.48, abs=0.01)  # #777 on white, a known value


@pytest.mark.parametrize("background", [BLACK, WHITE, GREY, Color(30, 60, 90)])
def test_what_cannot_be_read_is_moved_until_it_can(background: Color) -> None:
    assert themes.contrast(themes.legible(background, background, 4.0), background) >= 4.0
    assert themes.legible(WHITE, BLACK, 7.0) == WHITE


def _ratio(seen: Console, name: str) -> float | None:
    style = seen.row_list.style_of(name)
    if style.color is None or style.color.is_default or style.color.triplet is None:
        return None
    return themes.contrast(Color.from_rich_color(style.color), Color.from_rich_color(style.bgcolor))


@pytest.mark.slow
async def test_every_piece_can_be_read_in_every_theme() -> None:
    async with console(FakeBridge(lesson(1), lesson(2, needs_words=True, statement=""))) as seen:
        for theme in sorted(seen.app.available_themes):
            seen.app.theme = theme
            await seen.pilot.pause()
            for name in text.STYLES:
                ratio = _ratio(seen, name)
                least = themes.least_contrast(theme, name)
                assert ratio is None or ratio >= least - 0.1, (theme, name, ratio)
            assert seen.rows, theme


async def test_high_contrast_is_seven_to_one_throughout() -> None:
    async with console(FakeBridge(lesson(1))) as seen:
        seen.app.theme = themes.CONTRAST.name
        await seen.pilot.pause()
        ratios = {name: _ratio(seen, name) for name in text.STYLES if name != "bar"}
        assert all(ratio is not None and ratio >= 7 for ratio in ratios.values()), ratios


async def test_the_terminals_own_colours_are_used_as_they_are() -> None:
    async with console(FakeBridge(lesson(1))) as seen:
        seen.app.theme = themes.ANSI.name
        await seen.pilot.pause()
        rows = seen.row_list
        plain, good = rows.style_of("text"), rows.style_of("good")
        assert (plain.color, plain.bgcolor) == (RichColor.default(), RichColor.default())
        assert rows.style_of("muted").dim
        assert good.color is not None
        assert good.color.number == 2


async def test_a_key_turns_through_the_house_themes_and_the_last_is_kept() -> None:
    bridge = FakeBridge(lesson(1))
    async with console(bridge) as seen:
        names = [theme.name for theme in themes.THEMES]
        assert seen.app.theme == names[0]
        for name in (*names[1:], names[0]):
            await seen.press("ctrl+t")
            assert seen.app.theme == name
            await seen.until(functools.partial(_is_kept, bridge, name))


def _is_kept(bridge: FakeBridge, name: str) -> bool:
    return bridge.asked(machine_queries.keep_theme)[-1:] == [(name,)]


def test_no_state_is_shown_by_colour_alone() -> None:
    states = list(lesson_page.STATE_GLYPHS.values())
    assert len({glyph for glyph, _ in states}) == len(states)
    phases = list(session_lines.PHASES.values())
    assert len({glyph for glyph, _, _ in phases}) == len({word for _, word, _ in phases}) == len(phases)
    kinds = list(session_lines.KINDS.values())
    assert len({glyph for glyph, _ in kinds}) >= len(kinds) - 1


async def test_without_colours_marks_and_cursor_still_show(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with console(FakeBridge(lesson(1), lesson(2))) as seen:
        await seen.press("space")
        drawn = seen.row_list.plain
        assert drawn[0].startswith(" ◆")
        assert drawn[1].startswith("▌ ")


@pytest.mark.slow
async def test_pieces_under_the_cursor_can_be_read_in_every_theme() -> None:
    async with console(FakeBridge(lesson(1), lesson(2))) as seen:
        rows = seen.row_list
        for theme in sorted(seen.app.available_themes):
            seen.app.theme = theme
            await seen.pilot.pause()
            for ground in ("cursor", "cursor-blurred"):
                for name in text.STYLES:
                    style = rows.style_on(ground, name)
                    if (
                        not style.color
                        or not style.bgcolor
                        or None in (style.color.triplet, style.bgcolor.triplet)
                    ):
                        continue
                    pair = (Color.from_rich_color(style.color), Color.from_rich_color(style.bgcolor))
                    assert themes.contrast(*pair) >= themes.least_contrast(theme, name) - 0.1, (theme, name)


async def test_in_sixteen_colours_the_cursor_is_the_terminals_own_turned_round() -> None:
    async with console(FakeBridge(lesson(1))) as seen:
        seen.app.theme = themes.ANSI.name
        await seen.pilot.pause()
        rows = seen.row_list
        styles = [rows.style_on("cursor", name) for name in ("text", "muted", "good")]
        assert all(style.reverse and style.color is None and style.bgcolor is None for style in styles)
        assert rows.style_of("tab").reverse
        assert rows.plain[0].startswith("▌"), "and a bar stands before it"
