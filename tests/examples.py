"""How many examples a property is tried with: few while a person waits, all of them in `make test-all`."""

from hypothesis import settings

_FEW = 30


def load_profiles() -> None:
    """Register `fast`, which is used unless `--hypothesis-profile=ci` is given."""
    settings.register_profile("fast", max_examples=_FEW, deadline=None)
    settings.register_profile("ci", max_examples=100, deadline=None)
    settings.load_profile("fast")


def examples(count: int) -> int:
    """As many as the profile in use allows: `ci` sets no limit."""
    return min(count, _FEW) if settings.get_current_profile_name() == "fast" else count
