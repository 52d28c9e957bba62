"""The shipped deployments, carried out: machines with disks and addresses of their own on this one. `make drill`."""
