"""Stories, the cookie, totals and the sync in Firefox. What is measured, drawn or looked at by axe is Chromium's alone."""

from test_sessions import *  # noqa: F403
from test_stories import *  # noqa: F403
from test_sync import *  # noqa: F403
from test_totals import *  # noqa: F403
