# SPDX-License-Identifier: Apache-2.0
"""The backend ``remat`` of torch.compile: plans each joint graph that AOTAutograd captures, and runs it as planned."""

import functools

import torch

from .. import recurrent, torch_private
from ..errors import one_line
from ..kernels import as_in_eager_mode
from ..threads import settle
from . import (
    absent,
    as_eager,
    attention_masks,
    between,
    doubled,
    halves,
    handed,
    merged,
    planning,
    ranks,
    runner,
    scans,
    session,
    sessions,
    skipped,
    sums,
    ways,
    written,
)
from .errors import PlanError
from .step_graph import StepGraph
from .telling import tell

_MARKED = (
    "Sizes are marked by mark_dynamic, and a plan is for one size, so each size that comes is compiled and planned by "
    "itself; remat_studio.install leaves the sizes of a step in one graph open."
)

_CAPTURE = {
    # Donated buffers forbid retain_graph=True, and nothing here writes into what it is given.
    "donated_buffer": False,
    # The backward is called outside of autocast, although Dynamo may have broken the step inside of it.
    "backward_pass_autocast": "off",
}

torch_private.ignore_logging(tell)  # torch.compile loads this file before Dynamo looks at the step
torch_private.exporting_as_it_is()
skipped.say_for("remat")
torch_private.look_at_changes()
between.watch_calls()
settle()


def remat(module, example_inputs, *, options=None, mode=None):
    """Called by torch.compile for each graph of the step; the options are those of ``options.Options``."""
    if mode is not None:
        raise PlanError(f"The backend remat has no mode {mode!r}; leave mode out and give options.")
    skipped.came(module)
    if not (isinstance(options, dict) and options.get("codegen")):
        scans.begin_again(module)
    compiled = torch_private.current_compile()
    step = sessions.of(options, compiled, session.Session)
    torch_private.allow_shapes(step.options.shapes)
    entered = step.enter(compiled, torch_private.sizes_of(example_inputs))
    fix_shapes(example_inputs, step)  # of one without a plan, too: with open sizes it would run for those that have one
    if entered is None:
        return module.forward
    if step.options.codegen == "inductor":
        from . import inductor  # loads much, which eager's kernels do without

        return inductor.compile_with(step, *entered, module, example_inputs)
    caught = written.compiled_now()

    def compile_way(module, word, inputs):
        return _compiled(step, *step.enter_way(*entered, word), caught, module, inputs)

    is_one = step.options.plan or step.options.graph  # a file has one graph, for all batches
    masks = None if is_one else attention_masks.of(module, example_inputs)
    all_now = ranks.are_several() or any(isinstance(value, torch.SymInt) for value in example_inputs)
    if masks is None:
        return compile_way(module, None, example_inputs)
    return ways.compiled(masks, example_inputs, compile_way, all_now)


def _compiled(step, key, name, caught, module, example_inputs):
    """The function that runs a graph of Dynamo's as it is planned; ``caught`` is as of ``written.compiled_now``."""
    planned = _PlannedPart(step, key, name, example_inputs, module, caught)
    compiler = torch_private.aot_autograd(
        fw_compiler=planned.compile_forward,
        bw_compiler=planned.compile_backward,
        inference_compiler=lambda graph, _: written.unwatched(runner.boxed(graph, "inference")),
        partition_fn=planned.partition,
        decompositions={},
        keep_inference_input_mutations=True,
    )
    try:
        with as_in_eager_mode() as stepped, torch_private.draws_kept(), torch_private.aot_settings(**_CAPTURE):
            run = compiler(module, example_inputs)
    except (PlanError, torch_private.RestartAnalysis):
        raise
    except Exception as error:
        if step.options.strict:
            raise
        loops = torch_private.loops_of(module)
        what = f"PyTorch cannot capture a graph with {loops[0]}" if loops else "A graph of the step cannot be planned"
        hint = "; write the loop in Python to have it planned" if loops else ""
        tell(f"{what} ({one_line(error)}), and it runs as it is, without a plan{hint}.", step)
        return module.forward
    if stepped:
        tell(recurrent.SENTENCE, step)
    return doubled.differentiable(run, module, planned.to_repeat, step, absent.zero) if planned.to_repeat else run


def fix_shapes(example_inputs, asker):
    """Dynamo may leave a size open; a plan is for one, so another one compiles again. ``asker`` is told about marks."""
    if torch_private.let_sizes_be_fixed():
        tell(_MARKED, asker)
    for value in example_inputs:
        if isinstance(value, torch.SymInt):
            int(value)
        elif isinstance(value, torch.Tensor):
            for size in (*value.shape, *value.stride()):
                int(size)


def _are_leaves(example_inputs):
    """For each input whether its gradient stays, as of a parameter; that of an activation is taken further."""
    return [isinstance(value, torch.Tensor) and value.is_leaf for value in example_inputs]


class _PlannedPart:
    """One joint graph on its way from capture to the two functions that run it."""

    def __init__(self, step, key, name, inputs, captured, caught):
        self.session = step
        self.key = key
        self.name = name
        self.leaves = _are_leaves(inputs)
        self.trained = [isinstance(value, torch.Tensor) and value.requires_grad for value in inputs]
        self.captured = captured  # Dynamo's module
        self.caught = caught
        self.autocasts = written.autocasts_now()
        self.planned = None
        self.hands = None
        self.to_repeat = None  # what a second run of the module in eager mode needs

    def partition(self, module, _joint_inputs, *, num_fwd_outputs, **_):
        """AOTAutograd's partitioner: plans the graph and cuts the plan at the border."""
        is_cast = functools.partial(merged.is_cast_by_each, self._weights(module.graph))
        read = functools.partial(self._read, num_fwd_outputs=num_fwd_outputs)
        graph, eager = as_eager.graphs(module, read, is_cast)
        is_cut_off = torch_private.ends_at_break(self.captured) or torch_private.is_bucket()
        graph.is_before_others = is_cut_off and not planning.may_be_all(graph)
        self.to_repeat = doubled.Repeats.of(graph, self.autocasts)
        self.hands = handed.Handed(eager or graph)
        find = functools.partial(written.find, self.captured, self.autocasts, self.caught)
        self.planned = planning.plan_graph(self.session, self.key, self.name, module, graph, find, eager)
        return self.planned.forward, self.planned.backward

    def _read(self, module, num_fwd_outputs):
        """The StepGraph of a joint graph, in which sums are then made in place."""
        never_come = absent.never(module.graph, self.session.absent.get(self.key))
        absent.add_last(module.graph, never_come)
        sums.in_place(module.graph, never_come)
        graph = StepGraph.of_joint_graph(module, num_fwd_outputs, self._is_leaf)
        graph.lets_gradients_end = True
        absent.count(graph, never_come)
        return graph

    def _is_leaf(self, index):
        return index is not None and index < len(self.leaves) and self.leaves[index]

    def _weights(self, graph):
        """The placeholders of leaves that get a gradient."""
        places = {node: getattr(node.meta.get("desc"), "idx", None) for node in graph.find_nodes(op="placeholder")}
        return {node for node, place in places.items() if self._is_leaf(place) and self.trained[place]}

    def compile_forward(self, module, _example_inputs):
        """The function that runs the forward graph."""
        run = written.unwatched(self.planned.watched(runner.boxed(module, "forward")))
        begins = functools.partial(self.session.begins, self.planned.part)
        return halves.forward_of(run, self.session.enters, begins, self.hands)

    def compile_backward(self, module, _example_inputs):
        """The function that runs the backward graph."""
        learn = functools.partial(self.session.never_came, self.planned.part)
        run = absent.passing_over(module, learn)
        return halves.backward_of(run, self.session.enters, lambda: self.session.ends(self.planned.part))
