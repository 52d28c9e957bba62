"""For `backend/tests` and `e2e` alike."""

pytest_plugins = ("testing.garbage", "testing.sendable", "testing.spreading")
