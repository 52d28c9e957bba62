"""The plugin's page families."""

from .branch import BranchPage as BranchPage
