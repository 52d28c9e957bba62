"""Observability: logs, request ids, metrics, traces and errors.

Each is imported only if a setting enables it.
"""
