# SPDX-License-Identifier: Apache-2.0
"""Runs a traced archive and the same model in eager mode, for comparison."""

import contextlib
import copy
import dataclasses
import functools
import logging
import os
import pathlib
import typing
import warnings
from unittest import mock

import pytest
import remat_studio
import torch
from remat_studio.losses import Loss
from torch._dispatch.python import enable_python_dispatcher
from torch._export.serde import schema
from torch.export.graph_signature import InputKind, OutputKind

warnings.filterwarnings("ignore", message="The given buffer is not writable")
logging.getLogger("torch.export.pt2_archive._package").setLevel(logging.ERROR)

# Marks tests that run a trace in the program.
needs_libtorch = pytest.mark.skipif(
    os.environ.get("REMAT_HAS_TORCH") == "0", reason="the program was built without LibTorch"
)


@dataclasses.dataclass
class Step:
    """What one training step gives."""

    loss: torch.Tensor
    gradients: dict
    buffers: dict


_types_of = functools.cache(functools.partial(typing.get_type_hints, globalns=vars(schema)))


def loaded(path):
    """The archive, read by PyTorch, which else asks for the types of the same few classes at every node."""
    with mock.patch("typing.get_type_hints", lambda kind, globalns: _types_of(kind)):
        return torch.export.load(path)


def traced(model, args, path, loss_fn=None, **options):
    """Trace a copy of the model and load the archive back."""
    remat_studio.trace(copy.deepcopy(model), args, loss_fn, path, **options)
    return loaded(path)


@dataclasses.dataclass
class Traced:
    """A model of the zoo, what it is called with, and its trace; to be read only."""

    model: torch.nn.Module
    args: object
    loss_fn: object
    path: pathlib.Path
    program: torch.export.ExportedProgram


def traced_model(name, folder, **how):
    """A model of the zoo and its trace in a folder."""
    import zoo  # loads transformers, which few files need

    torch.manual_seed(1)
    model, args, *loss = getattr(zoo, name)(**how)
    loss_fn = loss[0] if loss else None
    path = folder / "model.pt2"
    return Traced(model.train(), args, loss_fn, path, traced(model, args, path, loss_fn))


def archive_inputs(program, args):
    """What the joint graph is called with: the archive's own weights and these arguments."""
    given = iter(_tensors(args))
    sources = {
        InputKind.PARAMETER: lambda spec: program.state_dict[spec.target],
        InputKind.BUFFER: lambda spec: (program.state_dict if spec.persistent else program.constants)[spec.target],
        InputKind.CONSTANT_TENSOR: lambda spec: program.constants[spec.target],
        InputKind.USER_INPUT: lambda _: next(given),
    }
    return [sources[spec.kind](spec).detach().clone() for spec in program.graph_signature.input_specs]


def run_archive(program, args, seed=0):
    """Run the joint graph with the archive's own weights."""
    inputs = archive_inputs(program, args)
    torch.manual_seed(seed)
    with torch.no_grad():
        values = torch.fx.Interpreter(program.graph_module).run(*inputs)
    step = Step(None, {}, {})
    for spec, value in zip(program.graph_signature.output_specs, values, strict=True):
        if spec.kind is OutputKind.LOSS_OUTPUT:
            step.loss = value
        elif spec.kind is OutputKind.BUFFER_MUTATION:
            step.buffers[spec.target] = value
        else:
            assert spec.target not in step.gradients, f"{spec.target} has two gradients"
            step.gradients[spec.target] = value
    return step


def run_eager(model, args, loss_fn=None, seed=0, python_dispatcher=False):
    """One ordinary step. With the Python dispatcher, dropout is one kernel call as it is on GPUs and in traces."""
    model = copy.deepcopy(model)
    before = {name: buffer.clone() for name, buffer in model.named_buffers()}
    torch.manual_seed(seed)
    call = {"args": (), "kwargs": args} if isinstance(args, dict) else {"args": args, "kwargs": {}}
    if python_dispatcher:
        with enable_python_dispatcher():
            loss = Loss(loss_fn)(model(*call["args"], **call["kwargs"]))
    else:
        loss = Loss(loss_fn)(model(*call["args"], **call["kwargs"]))
    loss.backward()
    gradients = {name: p.grad for name, p in model.named_parameters() if p.grad is not None}
    changed = {n: b for n, b in model.named_buffers() if not torch.equal(b, before[n])}
    return Step(loss.detach(), gradients, changed)


def assert_same(step, expected):
    """Loss, gradients and new buffer values agree to the bit."""
    assert torch.equal(step.loss, expected.loss), f"loss {step.loss} instead of {expected.loss}"
    assert step.gradients.keys() == expected.gradients.keys()
    for name, gradient in expected.gradients.items():
        assert _same_bits(step.gradients[name], gradient), f"the gradient of {name} differs"
    for name, buffer in expected.buffers.items():
        assert _same_bits(step.buffers[name], buffer), f"the new value of {name} differs"


@contextlib.contextmanager
def quick_inductor(folder):
    """Inductor with nothing compiled before, whose C++ compiles quickly: here, code for one number at a time, and
    no headers compiled first for so few kernels."""
    from torch._inductor import config

    quick = {"cpp.simdlen": 1, "cpp.vec_isa_ok": True, "compile_threads": 1, "cpp_cache_precompile_headers": False}
    with mock.patch.dict(os.environ, {"TORCHINDUCTOR_CACHE_DIR": str(folder)}), config.patch(quick):
        yield


def records(program):
    """The metadata of every op by its name; outputs of one op share a record."""
    return {
        node.name: node.meta["custom"]["remat"]
        for node in program.graph.nodes
        if node.op == "call_function" and node.target.__name__ != "getitem"
    }


def graph_record(program):
    """What the first op's metadata says about the whole graph."""
    return next(iter(records(program).values()))["graph"]


def _tensors(args):
    leaves = torch.utils._pytree.tree_leaves(args)
    unique = {id(leaf): leaf for leaf in leaves if isinstance(leaf, torch.Tensor)}
    return list(unique.values())


def _same_bits(a, b):
    return a.shape == b.shape and a.dtype == b.dtype and torch.equal(a.nan_to_num(), b.nan_to_num())


def without_data(make):
    """The model that ``make()`` gives, of which no step can be run, so that no values are known."""
    with torch.device("meta"):
        return make()


def refused(tmp_path, model, args=None, loss_fn=None, path="model.pt2"):
    """The sentence that a trace is refused with."""
    args = (torch.ones(2, 4),) if args is None else args
    with pytest.raises(remat_studio.TraceError) as caught:
        remat_studio.trace(model, args, loss_fn, tmp_path / path)
    sentence = str(caught.value)
    assert "\n" not in sentence and sentence.endswith(".")
    assert not (tmp_path / "model.pt2").exists()
    return sentence
