"""Code that the tests of `backend/tests` and the journeys of `e2e` share: how they are spread, and ports."""
