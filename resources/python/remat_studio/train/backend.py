"""The backend ``remat`` of torch.compile: plans each joint graph that AOTAutograd captures, and runs it as planned."""

import json
import pathlib
import threading
import time
import warnings

import torch
from torch._dynamo.backends.common import aot_autograd
from torch._functorch import config
from torch._guards import CompileContext

from ..kernels import as_in_eager_mode
from . import certificate, costs, history, options, planner, runner
from .errors import PlanError
from .partition import Partition
from .step_graph import StepGraph


def remat(module, example_inputs, *, options=None, mode=None):
    """Called by torch.compile for each graph of the step; the options are those of ``options.Options``."""
    if mode is not None:
        raise PlanError(f"The backend remat has no mode {mode!r}; leave mode out and give options.")
    session = _session(options)
    graph_name = session.enter()
    for value in example_inputs:
        _fix_shape(value)
    step = _Step(session, graph_name)
    if session.options.codegen == "inductor":
        from . import inductor  # loads much, which eager's kernels do without

        return inductor.compile_with(step.partition, module, example_inputs)
    compiler = aot_autograd(
        fw_compiler=step.compile_forward,
        bw_compiler=lambda graph, _: runner.boxed(graph, "backward"),
        inference_compiler=lambda graph, _: runner.boxed(graph, "inference"),
        partition_fn=step.partition,
        decompositions={},
        keep_inference_input_mutations=True,
    )
    # Donated buffers forbid retain_graph=True, and nothing here writes into what it is given.
    with as_in_eager_mode(), config.patch(donated_buffer=False):
        return compiler(module, example_inputs)


class _Session:
    """What belongs to one call of torch.compile: its options, and which functions were compiled how often."""

    def __init__(self, given):
        self.given = given  # kept alive: its id finds this session again
        self.options = options.read(given)
        self.shapes = {}

    @property
    def is_in_parts(self):
        """True once the step turned out to be several graphs."""
        return len(self.shapes) > 1

    def enter(self):
        """Count one more graph; returns its name."""
        compiled = CompileContext.current_compile_id()
        frame = compiled.frame_id if compiled else None
        count = self.shapes[frame] = self.shapes.get(frame, 0) + 1
        if count > self.options.shapes:
            raise PlanError(
                f"The step came in more than {self.options.shapes} shapes, and each is planned by itself; pad the "
                'batches to fewer shapes, or raise options={"shapes": ...}.'
            )
        if count == 1 and self.is_in_parts:
            warnings.warn(
                f"The step is in {len(self.shapes)} graphs, and the budget holds for each by itself, not for their "
                "sum; compile model and loss in one function, and fullgraph=True says where it breaks.",
                stacklevel=2,
            )
        number = list(self.shapes).index(frame)
        return f"step{number or ''}" + (f"_shape{count}" if count > 1 else "")


_sessions = {}
_sessions_lock = threading.Lock()


def _session(given):
    if given is None:  # nothing to find it by
        return _Session(None)
    with _sessions_lock:
        known = _sessions.get(id(given))
        if known is None or known.given is not given:
            known = _sessions[id(given)] = _Session(given)
        return known


def _fix_shape(value):
    """Dynamo may leave a size open; a plan is for one, so another one compiles again."""
    if isinstance(value, torch.SymInt):
        int(value)
    elif isinstance(value, torch.Tensor):
        for size in (*value.shape, *value.stride()):
            int(size)


class _Step:
    """One joint graph on its way from capture to the two functions that run it."""

    def __init__(self, session, name):
        self.session = session
        self.name = name
        self.record = None
        self.planned = None

    def partition(self, module, _joint_inputs, *, num_fwd_outputs, **_):
        """AOTAutograd's partitioner: plans the graph and cuts the plan at the border."""
        options = self.session.options
        begin = time.perf_counter()
        graph = StepGraph.of_joint_graph(module, num_fwd_outputs)
        if options.codegen:
            graph.draw_once()
        as_json = graph.as_json(self.name, costs.device_costs(options.device, graph, planner.executable()))
        if options.graph:
            pathlib.Path(options.graph).write_text(json.dumps(as_json))
        if options.plan:
            plan, cached = planner.read_plan(options.plan, as_json), False
        else:
            # Random ops draw in the order of the model, and the collectives of all ranks meet in it.
            in_order = any(op.is_random or op.is_collective for op in graph.ops)
            plan, cached = planner.make_plan(as_json, options, in_order, or_smallest=self.session.is_in_parts)
        if options.codegen and any(step["do"] in ("offload", "prefetch") for step in plan["steps"]):
            raise PlanError(
                "The plan copies to host memory, which Inductor's code does not do; plan without copies, or leave out "
                "codegen."
            )
        partition = Partition(graph, plan["steps"])
        self.record = {
            "graph": {"name": self.name, **plan["graph"]},
            "budget": options.budget,
            "budget_bytes": plan["budget_bytes"],
            "solver": plan["solver"],
            "predicted": plan["predicted"],
            "outside_bytes": partition.outside_bytes,
            "from_cache": cached,
            "planning_seconds": time.perf_counter() - begin,
        }
        if options.codegen:
            from .inductor import LOST

            self.record["lost"] = list(LOST)
        history.add(self.record)
        forward, backward = partition.modules()
        if options.verify:
            self.planned = certificate.Planned(
                module, graph, plan["steps"], forward, backward, self.record, options.verify
            )
        return forward, backward

    def compile_forward(self, module, _example_inputs):
        run = runner.boxed(module, "forward")
        return certificate.on_first_call(run, self.planned) if self.planned else run
