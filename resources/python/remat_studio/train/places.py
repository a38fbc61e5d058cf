# SPDX-License-Identifier: Apache-2.0
"""Where ops that Dynamo captured come from; ops of the backward have the places of their forward ops."""

import re

_LINE = re.compile(r'File "([^"]+)", line (\d+), in [^\n]*\n\s*([^\n]*)')


def module_of(node):
    """The path of the module that an op lies in, `layers.0.mlp`; empty where nothing is known."""
    modules = node.meta.get("nn_module_stack") or node.meta.get("fwd_nn_module_stack") or {}
    path = next(reversed(modules.values()))[0] if modules else ""
    path = re.sub(r"\._modules\['([^']*)'\]", r".\1", path)
    return re.sub(r"^[LG]\['[^']*'\]\.?", "", path)


def line_of(node):
    """File, number and text of the line; empty where nothing is known."""
    found = _LINE.findall(node.meta.get("stack_trace") or "")
    return "{}:{}: `{}`".format(*found[-1]) if found else ""
