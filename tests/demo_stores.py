"""Demo stores: each is seeded once a session, every test gets a copy."""

import shutil
from pathlib import Path

import pytest

from learnloop.demo import demo_store
from learnloop.wire import clock

NOW_MS = 1_700_000_000_000


class DemoStores:
    """Seeds demo stores by the time that is now in them, and copies them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._started_ms = clock.now_ms()

    def copy(self, root: str, now_ms: int = NOW_MS) -> None:
        """A demo store at a root that does not exist yet."""
        seeded, pristine = self._folder / f"{now_ms}", self._folder / f"{now_ms}-pristine"
        if not pristine.exists():
            self._seed(seeded, now_ms)
            shutil.copytree(seeded, pristine, symlinks=True)
        shutil.copytree(pristine, root, symlinks=True)
        # The store names its prompt files by their path at the seeding, so copies share them.
        shutil.rmtree(seeded / demo_store.FOLDER)
        shutil.copytree(pristine / demo_store.FOLDER, seeded / demo_store.FOLDER)

    def copy_of_today(self, root: str) -> None:
        """A demo store in which now is when the tests started."""
        self.copy(root, self._started_ms)

    def _seed(self, root: Path, now_ms: int) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("HOME", str(self._folder))
            patch.setenv("LEARNLOOP_HOME", str(root))
            patch.setenv("LEARNLOOP_BACKGROUND", "0")
            demo_store.seed(str(root), now_ms=now_ms)
