"""Projects are called by their folder, and told apart where two folders have the same name."""

import pytest

from learnloop.service.project_names import names


@pytest.mark.parametrize(
    ("paths", "called"),
    [
        (["/w/shop", "/w/cart"], ["shop", "cart"]),
        (["/code/shop/app", "/code/cart/app"], ["shop/app", "cart/app"]),
        (["/a/x/app", "/b/x/app", "/c/y/app"], ["a/x/app", "b/x/app", "y/app"]),
        (["/app", "/w/app"], ["app", "w/app"]),
        (["/w/app", "/w/app", ""], ["app", "app", ""]),
        (["/"], ["/"]),
    ],
)
def test_as_many_parts_as_it_takes(paths: list[str], called: list[str]) -> None:
    assert [names(paths).get(path, "") for path in paths] == called
