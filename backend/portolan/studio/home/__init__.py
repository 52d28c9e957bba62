"""The studio's dashboard: tasks, problems, live sites, schedule and recent changes."""
