"""What all Python tests share, those of `backend/tests` and the journeys of `e2e`: how they are spread, and ports."""
