# SPDX-License-Identifier: Apache-2.0
"""Runs a graph in its order with eager's kernels, and drops each value after its last use."""

import linecache
import operator

import torch
from torch import fx


def boxed(module, name):
    """A function that takes its arguments in one list, which it empties, so that nobody else holds them."""
    graph = module.graph
    names = {node: f"v{index}" for index, node in enumerate(graph.nodes)}
    constants = {}
    placeholders = graph.find_nodes(op="placeholder")
    lines = ["def run(given):"]
    if placeholders:
        lines += [f"    {', '.join(names[node] for node in placeholders)}, = given", "    given.clear()"]
    unread = [names[node] for node in placeholders if not node.users]
    if unread:
        lines.append(f"    del {', '.join(unread)}")
    last_use = _last_uses(graph)
    for node in graph.nodes:
        if node.op == "output":
            lines.append(f"    return {_text(node.args[0], names, constants)}")
        elif node.op != "placeholder":
            lines.append(f"    {names[node]} = {_expression(node, module, names, constants)}")
            ended = [names[source] for source in last_use.get(node, ())]
            if not node.users:
                ended.append(names[node])
            if ended:
                lines.append(f"    del {', '.join(ended)}")
    return _function(lines, constants, name)


def _last_uses(graph):
    """For each node the values that nobody reads after it."""
    ends = {}
    seen = set()
    for node in reversed(graph.nodes):
        for source in node.all_input_nodes:
            if source not in seen:
                seen.add(source)
                ends.setdefault(node, []).append(source)
    return ends


def _expression(node, module, names, constants):
    if node.op == "get_attr":
        return _constant(operator.attrgetter(node.target)(module), constants)
    if node.target is operator.getitem:
        return f"{names[node.args[0]]}[{node.args[1]!r}]"
    args = [_text(argument, names, constants) for argument in node.args]
    kwargs = [f"{key}={_text(value, names, constants)}" for key, value in node.kwargs.items()]
    return f"{_constant(node.target, constants)}({', '.join(args + kwargs)})"


def _text(value, names, constants):
    """A Python expression of an argument."""
    if isinstance(value, fx.Node):
        return names[value]
    if isinstance(value, tuple):
        return f"({''.join(f'{_text(item, names, constants)}, ' for item in value)})"
    if isinstance(value, list):
        return f"[{', '.join(_text(item, names, constants) for item in value)}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key!r}: {_text(item, names, constants)}' for key, item in value.items())}}}"
    if value is None or type(value) in (bool, int, str):
        return repr(value)
    return _constant(value, constants)


def _constant(value, constants):
    if isinstance(value, torch.SymInt):
        value = int(value)
    name = f"c{len(constants)}"
    constants[name] = value
    return name


def _function(lines, constants, name):
    source = "\n".join(lines) + "\n"
    file = f"<remat {name} {id(constants)}>"
    linecache.cache[file] = (len(source), None, source.splitlines(True), file)
    exec(compile(source, file, "exec"), constants)
    run = constants["run"]
    run._boxed_call = True
    return run
