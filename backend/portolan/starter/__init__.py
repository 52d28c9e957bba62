"""What a new company begins with: a registry, a brand, and pages whose texts say what belongs there."""
