# SPDX-License-Identifier: Apache-2.0
"""Training in chunks: the engine rewrites the joint graph of a step, whose head then runs in the forward."""
