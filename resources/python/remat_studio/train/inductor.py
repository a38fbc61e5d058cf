"""Hands a partition to Inductor: what is kept and what is computed again are the plan's, the code is Inductor's."""

from torch._functorch import config as functorch_config
from torch._inductor.compile_fx import compile_fx
from torch._inductor.custom_graph_pass import CustomPartitionerFn

LOST = (
    "Inductor fuses and orders ops by itself, so peak and time are not those predicted, and no budget is promised.",
    "Its kernels round otherwise than eager's, so values agree to rounding, and not to the bit.",
    "It splits ops into smaller ones first; the plan is for those, at the costs of each by itself.",
    "Random numbers are drawn once and kept: none is drawn again in the backward.",
)


def compile_with(partition, module, example_inputs):
    """Inductor's function for the module, whose joint graph ``partition`` cuts."""
    # AOTAutograd's cache on disk would pass the partitioner by; compiled code and plans have caches of their own.
    with functorch_config.patch(enable_autograd_cache=False):
        return compile_fx(module, example_inputs, config_patches={"custom_partitioner_fn": _Partitioner(partition)})


class _Partitioner(CustomPartitionerFn):
    def __init__(self, partition):
        self.partition = partition

    def __call__(self, module, joint_inputs, *, num_fwd_outputs, **_):
        return self.partition(module, joint_inputs, num_fwd_outputs=num_fwd_outputs)

    def __reduce__(self):
        """What stands in the keys of Inductor's caches in place of this object."""
        return str, (self.uuid(),)

    def uuid(self):
        """The same for all: the graphs that come out are part of the keys of Inductor's cache."""
        return "remat"
