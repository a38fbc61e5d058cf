# SPDX-License-Identifier: Apache-2.0
"""Writes a traced program as a torch.export archive: lean, reproducible, and all or nothing."""

import io
import json
import os
import tempfile
import zipfile

import torch
from torch.export import ExportedProgram
from torch.export.exported_program import ModuleCallEntry, ModuleCallSignature

from . import torch_private
from .torch_private import FakeTensor, FakeTensorMode, pytree

MAX_KEPT_BYTES = 1 << 20

_ROOT = "archive"
_PAYLOADS = {
    "data/weights/model_weights_config.json": "data/weights/weight_",
    "data/constants/model_constants_config.json": "data/constants/tensor_",
}
_SAMPLE_INPUTS = "data/sample_inputs/model.pt"
_COMPARISON = "extra/remat_comparison.json"
_FIXED_DATE = (1980, 1, 1, 0, 0, 0)


def save(program, path, with_weights=True, comparison=None):
    """Write the archive next to ``path`` and rename it, so that a reader never sees half a file.

    ``comparison`` is the record of what plain PyTorch computes, see comparison/record.py.
    """
    stand_ins = _without_data(program)
    buffer = io.BytesIO()
    with torch_private.archives_written_quickly():
        torch.export.save(_exported_program(program, stand_ins), buffer)
    decided = {item.fqn for item in program.inputs if program.batch and item.kind == "constant"}
    kept = (item for item in program.inputs if item.fqn in decided or _is_kept(item, with_weights))
    tensors = {item.fqn: item.tensor for item in kept}
    folder = os.path.dirname(os.path.abspath(path))
    handle, temporary = tempfile.mkstemp(suffix=".pt2", prefix=".", dir=folder)
    try:
        with os.fdopen(handle, "wb") as file:
            _rewrite(buffer, file, tensors, comparison)
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def _is_kept(item, with_weights):
    """Without weights, small buffers and constants stay: masks, positions and running statistics carry meaning."""
    if item.kind == "input" or item.tensor.is_meta or isinstance(item.tensor, FakeTensor):
        return False
    return with_weights or (item.kind != "parameter" and item.tensor.nbytes <= MAX_KEPT_BYTES)


def _without_data(program):
    """Stand-ins with shape, strides and type of each stored tensor, so that saving copies no data."""
    stand_ins = {}
    with FakeTensorMode():
        for item in program.inputs:
            if item.kind == "input":
                continue
            source = item.tensor
            fake = torch.empty_strided(source.shape, _dense_strides(source), dtype=source.dtype, device=source.device)
            if item.kind == "parameter":
                fake = torch.nn.Parameter(fake, requires_grad=source.requires_grad)
            stand_ins[item.fqn] = fake
    return stand_ins


def _dense_strides(tensor):
    """The tensor's strides if it fills its extent, else those of a contiguous copy."""
    if torch_private.is_dense(tensor):
        return tensor.stride()
    return torch.empty(tensor.shape, device="meta").stride()


def _exported_program(program, stand_ins):
    """The torch.export view of the program."""
    stored = [item for item in program.inputs if item.kind != "input"]
    in_state = [i for i in stored if i.kind == "parameter" or (i.kind == "buffer" and i.persistent)]
    users = [item.node.name for item in program.inputs if item.kind == "input"]
    signature = program.signature()
    call = ModuleCallSignature(
        inputs=[spec.arg for spec in signature.input_specs if spec.kind.name == "USER_INPUT"],
        outputs=[],
        in_spec=pytree.tree_flatten((tuple(users), {}))[1],
        out_spec=pytree.tree_flatten(tuple(range(len(program.outputs))))[1],
    )
    return ExportedProgram(
        root=program.module,
        graph=program.graph,
        graph_signature=signature,
        state_dict={item.fqn: stand_ins[item.fqn] for item in in_state},
        range_constraints={},
        module_call_graph=[ModuleCallEntry(fqn="", signature=call)],
        constants={item.fqn: stand_ins[item.fqn] for item in stored if item not in in_state},
    )


def _rewrite(source, target, tensors, comparison):
    """Copy the archive: graph compressed, tensors raw, without pickled sample inputs."""
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w", allowZip64=True) as new:
        for name in old.namelist():
            record = name.split("/", 1)[1]
            if record in _PAYLOADS:
                _write_payload(new, record, json.loads(old.read(name))["config"], tensors)
            elif record == _SAMPLE_INPUTS:
                _write(new, record, b"", zipfile.ZIP_STORED)
            elif not record.startswith(tuple(_PAYLOADS.values())):
                kind = zipfile.ZIP_DEFLATED if record.endswith(".json") else zipfile.ZIP_STORED
                _write(new, record, old.read(name), kind)
        if comparison is not None:
            _write(new, _COMPARISON, json.dumps(comparison).encode(), zipfile.ZIP_DEFLATED)


def _write_payload(archive, config_record, config, tensors):
    """One record for each tensor (empty where it is left out), and the config that names them."""
    prefix = _PAYLOADS[config_record]
    for number, (name, entry) in enumerate(config.items()):
        record = f"{prefix}{number}"
        entry["path_name"] = record.rsplit("/", 1)[1]
        _write(archive, record, _raw_bytes(tensors.get(name)), zipfile.ZIP_STORED)
    _write(archive, config_record, json.dumps({"config": config}).encode(), zipfile.ZIP_DEFLATED)


def _write(archive, record, data, compression):
    info = zipfile.ZipInfo(f"{_ROOT}/{record}", _FIXED_DATE)
    archive.writestr(info, data, compress_type=compression, compresslevel=9)


def _raw_bytes(tensor):
    """The bytes of a tensor in the layout that the archive declares; none for one that is left out."""
    if tensor is None or tensor.numel() == 0:
        return b""
    tensor = tensor.detach().cpu()
    flat = torch.empty(tensor.numel(), dtype=tensor.dtype)
    flat.as_strided(tensor.shape, _dense_strides(tensor)).copy_(tensor)
    return memoryview(flat.view(torch.uint8).numpy())


def _umask():
    mask = os.umask(0)
    os.umask(mask)
    return mask
