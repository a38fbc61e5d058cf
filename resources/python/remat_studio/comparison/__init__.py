"""Holds a graph against one step as its user wrote it, run by plain PyTorch."""
