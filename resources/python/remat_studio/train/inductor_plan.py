"""Plans a joint graph for Inductor's kernels: tries cuts until one holds the budget exactly, or no smaller is found."""

import dataclasses

from . import costs, inductor_cuts, planner, torch_private
from .errors import PlanError
from .step_graph import StepGraph

_ROUNDS = 4  # plans that are tried on one base before the next
_CLOSE = 0.97  # share of the budget: a plan that holds so much wastes nothing that is worth another round
_WIDER = 1.15  # multiple of what the least plan asks for, after one that the budget has no room for
_NEAR = 0.99  # the ratio of a base of its own
_WORTH_SAYING = 0.05  # share of a peak
_RATIOS = (0.5, 0.1)  # budgets for PyTorch's own partitioner, whose cuts are candidates too


@dataclasses.dataclass
class Fitted:
    """The cut that was taken, the one without a plan, and all peaks that were seen on the way."""

    cut: inductor_cuts.Cut
    plain: inductor_cuts.Cut
    budget_bytes: int
    tried: list  # [{"cut": ..., "asked_bytes": ..., "peak_bytes": ...}]
    solver: dict | None = None
    missed: str | None = None


def fit(module, joint_inputs, arguments, options, name, taken_bytes=0):
    """The fastest cut within the budget; the smallest one, with a sentence, where none is.

    ``arguments`` are those of a partitioner beside the graph and its inputs. ``taken_bytes`` are held by other parts.
    """
    outputs = arguments["num_fwd_outputs"]
    raw = StepGraph.of_joint_graph(torch_private.copied(module), outputs)
    raw.draw_once()
    program = planner.executable()
    time_of = costs.time_of_work(options.device, raw, program)
    time_us = costs.device_costs(options.device, raw, program)
    plain = inductor_cuts.own(torch_private.copied(module), joint_inputs, arguments, 1, time_of)
    if plain is None:  # PyTorch's cut draws random numbers twice: every op once is what is safe
        order = [{"do": "compute", "op": op.name if op else raw.border} for op in raw.in_planned_order()]
        plain = inductor_cuts.of_steps("everything kept", raw, order, outputs, time_of)
    budget = options.budget.of(plain.bytes) if options.budget else plain.bytes
    if options.budget and options.budget.share is None:
        budget = max(budget - taken_bytes, 1)
    fitted = Fitted(plain, plain, budget, [_seen(plain)])
    if plain.bytes <= budget:
        return fitted
    cuts = [plain]
    bases = {"raw": raw, plain.name: inductor_cuts.joined(plain, outputs)}
    # Below 1 PyTorch computes again what its kernels fuse with what reads it; a plan goes on from there.
    near = inductor_cuts.own(torch_private.copied(module), joint_inputs, arguments, _NEAR, time_of)
    if near is not None and near.bytes != plain.bytes:
        cuts.append(near)
        fitted.tried.append(_seen(near))
        bases[near.name] = inductor_cuts.joined(near, outputs)
    for base, graph in bases.items():
        graph.draw_once()
        cuts += _planned(fitted, base, graph, options, name, time_us, time_of, outputs)
    for ratio in _RATIOS:
        cut = inductor_cuts.own(torch_private.copied(module), joint_inputs, arguments, ratio, time_of)
        if cut is not None:
            cuts.append(cut)
            fitted.tried.append(_seen(cut))
    within = [cut for cut in cuts if cut.bytes <= budget]
    if within:
        fitted.cut = min(within, key=lambda cut: (cut.time_us, cut.bytes))
    else:
        fitted.cut = min(cuts, key=lambda cut: (cut.bytes, cut.time_us))
        fitted.missed = (
            f"No cut for Inductor holds {budget} bytes; the smallest exact peak that was found is {fitted.cut.bytes} "
            f'bytes ({fitted.cut.bytes / 2**20:.1f} MiB): "{fitted.cut.bytes}B".'
        )
        relaid = fitted.cut.peak.relaid_bytes
        if relaid > _WORTH_SAYING * fitted.cut.bytes:
            fitted.missed += (
                f" Of these, {relaid / 2**20:.1f} MiB are copies of weights and inputs in the layout of convolutions: "
                "model.to(memory_format=torch.channels_last) leaves most of them out."
            )
        if options.strict:
            raise PlanError(fitted.missed)
    return fitted


def _planned(fitted, base, graph, options, name, time_us, time_of, outputs):
    """Cuts of plans for one base; each asks for as much less or more as the last one was over or below."""
    as_json = graph.as_json(name, time_us)
    found = []
    ask = fitted.budget_bytes
    in_order = any(op.is_random or op.is_collective for op in graph.ops)
    options = dataclasses.replace(options, strict=False)
    for _ in range(_ROUNDS):
        plan, _ = planner.make_plan(as_json, max(int(ask), 1), options, in_order)
        cut = inductor_cuts.of_steps(f"a plan on {base}", graph, plan["steps"], outputs, time_of)
        found.append(cut)
        fitted.solver = plan["solver"]
        fitted.tried.append(_seen(cut, int(ask)))
        slack = fitted.budget_bytes - cut.bytes
        if 0 <= slack <= (1 - _CLOSE) * fitted.budget_bytes:
            break
        if slack < 0 and "missed" in plan:  # the least by the rules of plans need not be the least with fused kernels
            ask = _WIDER * max(ask, plan["predicted"]["peak_bytes"])
        else:
            ask += slack if slack > 0 else 1.25 * slack
    return found


def _seen(cut, asked=None):
    return {"cut": cut.name, "asked_bytes": asked, "peak_bytes": cut.bytes, "time_us": cut.time_us}
