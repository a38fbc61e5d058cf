# SPDX-License-Identifier: Apache-2.0
"""Writes allowed_operators.inc: the operators of LibTorch that a trace may run.

    python core/graph/make_allowed_operators.py

Chosen by schema: an operator takes tensors, numbers and a few words of a fixed choice, and gives tensors back or writes to
XX by its schema and is no computation on ordinary tensors all the same. Look at the
difference before you commit it.
"""

import pathlib
import re

import torch

NUMBERS = {"int", "bool", "float", "number", "Device"}
TYPES = {"Tensor", "List[Tensor]", "Optional[Tensor]", "List[Optional[Tensor]]", "Optional[List[Optional[Tensor]]]"}
TYPES |= NUMBERS | {f"{kind}[{one}]" for kind in ("Optional", "List") for one in NUMBERS}
TYPES |= {"Optional[List[int]]", "Optional[List[float]]", "Optional[List[bool]]"}
# May be left out, and must be: a trace cannot name one.
TYPES |= {"Optional[Generator]"}

# Arguments that are a word out of a few. The same names are in gpu/torch/schema_rules.cpp.
WORDS = {
    "UPLO", "activation", "approximate", "driver", "equation", "indexing", "interpolation", "mode", "norm", "ord", "p",
    "pad_mode", "padding", "padding_side", "reduce", "rounding_mode", "side",
}  # fmt: skip

# A part of the name, and why such operators are not on the list.
LEFT_OUT = {
    # files, other processes, tests, messages
    "from_file": "maps a file", "_test_": "tests", "_foobar": "tests", "_debug": "prints", "assert": "no computation",
    "_print": "prints", "sym_constrain": "no computation", "batch_dim": "vmap", "autocast": "no computation",
    "slice_inverse": "views of other tensors", "dep_token": "no computation", "rpc": "other processes", "warn": "prints",
    # another storage, size or layout behind the same tensor
    "resize": "changes storages", "^set_?$": "changes storages", "^set_data$": "changes storages",
    "_copy_from": "changes storages", "swap": "changes storages", "as_strided_$": "changes a tensor in place",
    "_reshape_alias": "strides are not checked", "lazy_clone": "shares storages unseen", "pin_memory": "host memory",
    "record_stream": "streams", "efficientzerotensor": "has no storage",
    # state of autograd and of names
    "requires_grad": "autograd", "retain_grad": "autograd", "_dual": "autograd",
    "_fw_primal": "autograd", "feature_meta": "autograd", "^data$": "autograd", "^align_": "named tensors",
    "rename": "named tensors", "refine_names": "named tensors",
    # tensors that are no plain strided memory
    "sparse": "sparse", "compressed": "sparse", "coalesce": "sparse", "_csr": "sparse", "_csc": "sparse",
    "_bsr": "sparse", "_bsc": "sparse", "_coo": "sparse", "_spdiags": "sparse", "to_dense": "sparse",
    "^_?(values|indices|crow_indices|col_indices|ccol_indices|row_indices)(_copy)?$": "sparse", "smm": "sparse", "_spsolve": "sparse",
    "hspmm": "sparse", "sspaddmm": "sparse",
    "to_padded_tensor": "nested tensors",
    "nested": "nested tensors", "jagged": "nested tensors", "(?<!fake_)quantize_per": "quantized", "^quantize": "quantized",
    "_quantized": "quantized", "quantized_": "quantized", "^q_": "quantized", "fbgemm": "quantized",
    "int_repr": "quantized", "dequantize": "quantized", "qparams": "quantized", "make_per_": "quantized",
    "affine_quant": "quantized", "intpack": "packed weights", "int[48]pack": "packed weights",
    "dyn_quant": "packed weights", "prepack": "packed weights", "_cslt": "packed weights", "to_mkldnn": "opaque", "_mkldnn": "opaque", "mkldnn_(reorder|linear|adaptive|max_pool)": "opaque",
    "fill_mem_eff_dropout_mask": "raw memory", "^_fused_(adam|adagrad|sgd)": "raw memory: sizes are not checked",
    # other hardware
    "miopen": "AMD", "nnpack": "mobile", "xnnpack": "mobile", "vulkan": "mobile", "metal": "mobile", "mps": "Apple",
    "xla": "TPU", "_to_cpu": "TPU", "_triton": "Triton",
}  # fmt: skip


def left_out(name):
    return any(why and re.search(part, name) for part, why in LEFT_OUT.items())


def is_computation(schema):
    for argument in schema.arguments:
        kind = str(argument.type)
        if argument.is_out or not (kind in TYPES or kind in ("str", "Optional[str]") and argument.name in WORDS):
            return False
    returned = [str(value.type) for value in schema.returns]
    writes = any(argument.alias_info and argument.alias_info.is_write for argument in schema.arguments)
    if not returned:
        return writes
    return "Tensor" in " ".join(returned) and all(kind in ("Tensor", "List[Tensor]", "int") for kind in returned)


def main():
    allowed = {}
    in_dispatcher = set(torch._C._dispatch_get_all_op_names())
    for schema in torch._C._jit_get_all_schemas():
        full = schema.name + ("." + schema.overload_name if schema.overload_name else "")
        namespace, name = schema.name.split("::")
        if namespace == "aten" and full in in_dispatcher and is_computation(schema) and not left_out(name):
            allowed.setdefault(schema.name, set()).add(schema.overload_name or "default")
    lines = [f'REMAT_ALLOWED("{name}", "{" ".join(sorted(allowed[name]))}")' for name in sorted(allowed)]
    head = f"// The overloads of each operator; made by make_allowed_operators.py with PyTorch {torch.__version__.split('+')[0]}."
    pathlib.Path(__file__).with_name("allowed_operators.inc").write_text("\n".join([head, *lines]) + "\n")
    print(len(lines), "operators,", sum(map(len, allowed.values())), "overloads")


if __name__ == "__main__":
    main()
