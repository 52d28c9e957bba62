"""The plugin's page types."""

from .branch import BranchPage as BranchPage
