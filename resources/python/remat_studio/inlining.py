"""Dissolves regions (autocast, no_grad) that export keeps as nested graphs, so that their ops keep their own lines."""

import torch


def inline_regions(module):
    """Replace nested graphs by their ops between calls that enter and leave the region."""
    changed = True
    while changed:
        changed = False
        for node in list(module.graph.nodes):
            boundaries = _BOUNDARIES.get(getattr(node.target, "__name__", None)) if node.op == "call_function" else None
            if boundaries:
                _inline(module, node, *boundaries(node.args))
                changed = True
    module.graph.eliminate_dead_code(is_impure_node=lambda node: node.op != "get_attr")
    module.recompile()


def _autocast(args):
    device, dtype, enabled, cache, body, *operands = args
    return (
        (torch.amp.autocast_mode._enter_autocast, (device, dtype, enabled, cache)),
        lambda entered: (torch.amp.autocast_mode._exit_autocast, (entered,)),
        body,
        operands,
    )


def _grad_mode(args):
    enabled, body, *operands = args
    before = not enabled
    return (
        (torch._C._set_grad_enabled, (enabled,)),
        lambda entered: (torch._C._set_grad_enabled, (before,)),
        body,
        operands,
    )


_BOUNDARIES = {"wrap_with_autocast": _autocast, "wrap_with_set_grad_enabled": _grad_mode}


def _inline(module, node, enter, leave, body, operands):
    """Copy the body's nodes before ``node``, then hand its results to those that used ``node``."""
    graph = module.graph
    region = getattr(module, body.target)
    mapping = dict(zip(region.graph.find_nodes(op="placeholder"), operands))
    with graph.inserting_before(node):
        entered = graph.call_function(*enter)
        for inner in region.graph.nodes:
            if inner.op == "output":
                results = torch.fx.node.map_arg(inner.args[0], lambda n: mapping[n])
            elif inner.op == "get_attr":
                mapping[inner] = _lift_attribute(module, region, inner)
            elif inner.op != "placeholder":
                mapping[inner] = graph.node_copy(inner, lambda n: mapping[n])
        graph.call_function(*leave(entered))
    for user in list(node.users):
        user.replace_all_uses_with(results[user.args[1]])
        graph.erase_node(user)
    graph.erase_node(node)


def _lift_attribute(module, region, inner):
    """Nested graphs hold their own nested graphs and constants as attributes: move them up one level."""
    name = f"{inner.target}_of_{id(region)}".replace(".", "_")
    setattr(module, name, getattr(region, inner.target))
    return module.graph.get_attr(name)
