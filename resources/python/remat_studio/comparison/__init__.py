# SPDX-License-Identifier: Apache-2.0
"""Holds a graph against one step as its user wrote it, run by plain PyTorch."""
