# SPDX-License-Identifier: Apache-2.0
"""Runs a step three ways: with its plan, as its graph stands, and as its user wrote it in plain PyTorch.

Plan and graph are compared bit for bit, graph and plain PyTorch too, and promised and measured figures written down.
"""

import json
import pathlib
import time

import torch
from torch.profiler import ProfilerActivity, profile

from .. import __version__, torch_private
from ..comparison import record as comparison_record
from ..comparison import steps
from ..comparison.held import allocations
from ..host_seeds import host_states, put_host_back
from ..sizes import size_text
from ..warned import warn
from . import against, digest, history, runner, whole_step

FORMAT = "remat-certificate/1"
_WORTH_SAYING = 0.01  # share of a peak
_AS_MUCH = 4  # of two differences of roundings, one may be the larger by so much

VECTOR_FUNCTIONS = "acos asin atan cos erf erfc erfinv exp expm1 lgamma log log10 log1p log2 sin sqrt tan tanh".split()


class Planned:
    """What the first call needs: the joint graph as it was captured, and the two graphs of the plan."""

    def __init__(self, joint, as_written, step_graph, steps, forward, backward, record, path):
        """``as_written`` is the step as its user wrote it, or what else plain PyTorch can run in its place."""
        self.joint = joint
        self.written = as_written
        self.steps = steps
        self.step_graph = step_graph
        self.forward = runner.boxed(forward, "forward")
        self.backward = runner.boxed(backward, "backward")
        self.record = record
        self.path = path if isinstance(path, str) else None

    def tangents(self):
        """One for a scalar, as ``loss.backward()`` does, else numbers that differ; the same in every run."""
        return _tangents(self.step_graph)


def on_first_call(run, planned, session):
    """The forward function; at its first call the certificate is made before it runs.

    The first graph of several runs the whole step once, so that all of them are certified in that.
    """
    waiting = [planned]

    def call(given):
        is_measured = session.rehearses and torch_private.is_profiling()  # another profiler would end that one
        if waiting and not is_measured:
            session.certified.append(_certify(waiting.pop(), given))
            if not session.rehearses:
                _certify_whole(planned, session)
                while session.certified:
                    _write(*session.certified.pop(0))
        return run(given)

    call._boxed_call = True
    return call


def certify(step, *args, budget, **options):
    """Compile ``step`` under the budget, run it and its backward once, and return the records with certificates.

    Gradients are added to the parameters as by any step.
    """
    before = len(history.records())
    compiled = torch.compile(step, backend="remat", options={"budget": budget, "verify": True, **options})
    result = compiled(*args)
    (result if isinstance(result, torch.Tensor) else result[0]).sum().backward()
    return history.records()[before:]


def _certify_whole(planned, session):
    """Give the certificates of a step in several graphs what the whole of it comes to."""
    if planned.written.step is None:
        return
    states = _generator_states()

    def causes():
        return [made["pytorch"]["why"] for _, made in session.certified if _is_explained(made["pytorch"])]

    session.rehearses = True
    try:
        found = whole_step.with_pytorch(planned.written.step, lambda: _restore(states), causes)
    finally:
        session.rehearses = False
        _restore(states)
    for _, made in session.certified:
        part = made["pytorch"]
        if found["verdict"] == "not compared":
            part["why"] += f" {found['why']}"
        elif part["verdict"] != "different":
            made["pytorch"] = found


def _is_explained(found):
    return any(row["explained_by"] for row in found["tensors"])


def _settle_vector_math():
    """Call MKL's vector functions once on this thread.

    It finds out what the processor can do during the first call of a process, and threads that make it together may
    compute their parts with other code than every later call: other last bits, once in some hundred starts.
    """
    for dtype in (torch.float32, torch.float64):
        for name in VECTOR_FUNCTIONS:
            getattr(torch, name)(torch.full((1,), 0.5, dtype=dtype))


def _certify(planned, given):
    """The certificate of a graph, which is not written yet, after what it is of."""
    _settle_vector_math()
    states = _generator_states()
    forward_count = len(planned.step_graph.forward_outputs)
    try:
        plain, plain_values = _measured(lambda args: _run_plainly(planned, args), planned, given, states)
        own, values = _measured(lambda args: _run_planned(planned, args, forward_count), planned, given, states)
        pytorch = _with_base(_against_pytorch(planned, given, states), planned)
        names = _names(planned, given)
        different = None if plain_values is None else _different(names, values, plain_values)
        unrepeatable = []
        if different:
            different, unrepeatable = _different_when_repeatable(planned, given, states, names)
    finally:
        _restore(states)
    for measured in (plain, own):
        measured.pop("workspaces", None)
    record = planned.record
    predicted = record["predicted"]
    certificate = record["certificate"] = {
        "format": FORMAT,
        "written_by": f"remat-studio {__version__}",
        "torch": torch.__version__,
        "device": "cuda" if planned.step_graph.has_cuda else "cpu",
        "graph": record["graph"],
        "steps": digest.of_steps(planned.steps),
        "budget_bytes": record["budget_bytes"],
        "outside_bytes": record["outside_bytes"],
        "predicted": predicted,
        "measured": {**own, "plain": plain},
        "time_over_bound": predicted["time_us"] / max(predicted.get("lower_bound_time_us") or 0, 1e-9) - 1
        if predicted.get("lower_bound_time_us")
        else None,
        "compared": len(names) - len(unrepeatable) if different is not None else 0,
        "unrepeatable": len(unrepeatable),
        "equal": None if different is None else not different,
        "different": different,
        "pytorch": pytorch,
    }
    return planned, certificate


def _write(planned, certificate):
    """Seal the certificate, write its file, and say what is wrong."""
    certificate["digest"] = digest.of_text(_before_digest(certificate))
    if planned.path:
        pathlib.Path(planned.path).write_text(json.dumps(certificate, indent=1) + "\n")
    different, pytorch, own = certificate["different"], certificate["pytorch"], certificate["measured"]
    if different:
        warn(f"The planned step differs from the plain one in {', '.join(different[:5])}.")
    if pytorch["verdict"] == "different":
        warn(f"The graph of the step is not what PyTorch computes. {pytorch['why']}")
    elif "after one update" in pytorch["why"]:
        warn(pytorch["why"])
    allowed = certificate["budget_bytes"] + certificate["outside_bytes"]
    known = certificate["predicted"]["peak_bytes"] + certificate["outside_bytes"]  # it was told, if it is too much
    if own["peak_bytes"] > max(allowed, known):
        between = own.get("peak_between_ops_bytes")
        warn(
            f"The step held {own['peak_bytes']} bytes, {own['peak_bytes'] - allowed} more than the budget allows, "
            f"while {own['peak_op']} ran: workspaces of kernels are outside of the plan."
            + (f" Between ops it held {between} at most." if between is not None else ""),
        )


def measure(planned, given):
    """Peak, time and workspaces of a run of the planned step on copies of ``given``; generators stay as they were."""
    states = _generator_states()
    count = len(planned.step_graph.forward_outputs)
    try:
        return _measured(lambda args: _run_planned(planned, args, count), planned, given, states)[0]
    finally:
        _restore(states)


def _names(planned, given):
    graph = planned.step_graph
    names = [str(desc) for desc in (*graph.forward_descs, *graph.backward_descs)]
    return names + [f"new value of input {index}" for index in range(len(given))]


def _different(names, values, expected):
    pairs = zip(names, values, expected, strict=True)
    return [name for name, value, wanted in pairs if not _same_bits(value, wanted)]


def _different_when_repeatable(planned, given, states, names):
    """What differs with kernels that add in one order: some add in that of their threads, which no two runs share.

    Second come results that differ as much between two runs of the graph: a GPU has kernels without any fixed order.
    """
    with steps.repeatable():
        plain = _run(lambda args: _run_plainly(planned, args), planned, given, states)
        count = len(planned.step_graph.forward_outputs)
        own = _run(lambda args: _run_planned(planned, args, count), planned, given, states)
        different = _different(names, own, plain)
        if not different or not steps.has_gpu():
            return different, []
        again = _run(lambda args: _run_plainly(planned, args), planned, given, states)
    unrepeatable = [
        name
        for name, value, one, other in zip(names, own, plain, again, strict=True)
        if name in different and isinstance(one, torch.Tensor) and _differs_as_much(value, one, other)
    ]
    return [name for name in different if name not in unrepeatable], unrepeatable


def _differs_as_much(value, one, other):
    """True where a value is no further from one than that is from another."""
    return comparison_record.relative(value, one) <= _AS_MUCH * comparison_record.relative(other, one)


def _before_digest(certificate):
    """The text of the file up to its last member, by which ``remat check`` sees that nothing was changed since."""
    return json.dumps(certificate, indent=1).removesuffix("\n}") + ",\n "


def _against_pytorch(planned, given, states):
    """The record of the graph against the step as its user wrote it."""

    def run_graph(interpreter, given):
        values = _run(lambda args: _run_plainly(planned, args, interpreter), planned, given, states)
        count = len(values) - len(given)
        return values[:count], values[count:]

    return against.with_pytorch(planned, given, lambda: _restore(states), run_graph)


def _with_base(found, planned):
    """The comparison, which says what a budget in percent is a share of where that is not what plain PyTorch holds."""
    plain, before_bytes = found.get("peak_bytes"), planned.record["before_bytes"]
    if plain and abs(before_bytes - plain) > _WORTH_SAYING * plain:
        found["why"] += (
            f" Compiled without a plan the step holds {size_text(before_bytes)}: a budget in percent is a share of that."
        )
        if before_bytes > plain and not planned.written.takes_inputs:
            found["why"] += " Where compiled code goes another way, remat_studio.planned goes plain PyTorch's."
    return found


def _run_plainly(planned, args, interpreter=torch.fx.Interpreter):
    """Every op once, in the order of the model, by PyTorch's own interpreter of the graph."""
    tangents = _tangents(planned.step_graph)
    outputs = interpreter(planned.joint).run(*args, *tangents)
    return torch_private.pytree.tree_leaves(outputs, is_leaf=lambda leaf: leaf is None)


def _run_planned(planned, args, forward_count):
    outputs = planned.forward(list(args))
    saved = list(outputs[forward_count:])
    outputs = outputs[:forward_count]
    saved += _tangents(planned.step_graph)
    return [*outputs, *planned.backward(saved)]


def _tangents(step_graph):
    """The same in both runs: one for a scalar, as ``loss.backward()`` does, else numbers that differ."""
    made = []
    for node in step_graph.tangents:
        fake = node.meta["val"]
        how = {"dtype": fake.dtype, "device": fake.device}
        value = torch.ones(1, **how) if fake.numel() == 1 else torch.linspace(0.5, 1.5, fake.numel(), **how)
        made.append(value.reshape(fake.shape))  # a run is measured: nothing is held beside them
    return made


def _measured(run, planned, given, states):
    """Peak, time and values of a run, and of what its inputs hold after it; no values where it does not fit."""
    measure = _on_cuda if planned.step_graph.has_cuda else _on_cpu
    record = {}

    def run_measured(args):
        measured, values = measure(run, args)
        record.update(measured)
        return values

    try:
        return record, _run(run_measured, planned, given, states)
    except torch.OutOfMemoryError as error:
        return {"did_not_fit": str(error).splitlines()[0]}, None


def _run(run, planned, given, states):
    """The values of a run on copies of what the step writes to, and then these."""
    changed = {storage for op in planned.step_graph.ops for storage in op.mutates}
    primals = planned.step_graph.primals
    args = [
        value.clone() if planned.step_graph.storage_of[node] in changed else value
        for node, value in zip(primals, given, strict=True)
    ]
    _restore(states)
    with torch.no_grad(), torch_private.without_autocast():
        return [*run(args), *args]


def _on_cuda(run, args):
    torch.cuda.synchronize()
    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_allocated()
    begin = time.perf_counter()
    values = run(args)
    torch.cuda.synchronize()
    seconds = time.perf_counter() - begin
    return {"peak_bytes": torch.cuda.max_memory_allocated() - before, "peak_op": "a kernel", "seconds": seconds}, values


def _on_cpu(run, args):
    how = {"activities": [ProfilerActivity.CPU], "profile_memory": True, "acc_events": True}
    with torch_private.quiet_allocator(), profile(**how) as profiler:
        begin = time.perf_counter()
        values = run(args)
        seconds = time.perf_counter() - begin
    return {**_held(profiler), "seconds": seconds}, values


def _held(profiler):
    """What was held at most while ops ran and between them, and by which op: the rest of the peak is its workspace.

    ``workspaces`` has the largest by the name of the op and the bytes that it makes.
    """
    events, allocated = profiler.profiler.kineto_results.events(), allocations(profiler)
    position = held = peak = between = 0
    peak_op, workspaces = "an op", {}
    for op in _outermost(each for each in events if "::" in each.name()):
        while position < len(allocated) and allocated[position][0] < op.start_ns():
            held += allocated[position][1]
            position += 1
        before = most = held
        while position < len(allocated) and allocated[position][0] <= op.end_ns():
            held += allocated[position][1]
            position += 1
            most = max(most, held)
        if most > peak:
            peak, peak_op = most, op.name()
        key = op.name(), held - before
        workspaces[key] = max(most - max(before, held), workspaces.get(key, 0))
        between = max(between, held)
    return {"peak_bytes": peak, "peak_between_ops_bytes": between, "peak_op": peak_op, "workspaces": workspaces}


def _outermost(ops):
    """Those that no other one called, in the order in which they ran."""
    found = []
    for op in sorted(ops, key=lambda each: (each.start_ns(), -each.end_ns())):
        if not found or op.start_ns() >= found[-1].end_ns():
            found.append(op)
    return found


def _generator_states():
    cuda = torch.cuda.get_rng_state_all() if torch.cuda.is_initialized() else []
    return torch.get_rng_state(), cuda, host_states()


def _restore(states):
    torch.set_rng_state(states[0])
    if states[1]:
        torch.cuda.set_rng_state_all(states[1])
    put_host_back(states[2])


def _same_bits(value, expected):
    if not isinstance(value, torch.Tensor) or not isinstance(expected, torch.Tensor):
        return value is expected or value == expected
    if value.shape != expected.shape or value.dtype != expected.dtype:
        return False
    a, b = (each.detach().resolve_conj().resolve_neg().contiguous() for each in (value, expected))
    if a.is_complex():
        a, b = torch.view_as_real(a), torch.view_as_real(b)
    kinds = {1: torch.int8, 2: torch.int16, 4: torch.int32, 8: torch.int64}
    return torch.equal(a.view(kinds[a.element_size()]), b.view(kinds[b.element_size()]))
