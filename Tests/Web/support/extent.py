"""Whether a run tries everything, as script/test --full does: then SUBTRACKIT_FULL is set."""

import os

import pytest

IS_FULL = bool(os.environ.get("SUBTRACKIT_FULL"))


def full(*values, id=None):
    """A parameter that a full run alone tries."""
    return pytest.param(*values, id=id, marks=pytest.mark.full)
