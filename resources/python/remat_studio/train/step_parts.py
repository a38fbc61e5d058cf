# SPDX-License-Identifier: Apache-2.0
"""Sees which graphs that Dynamo compiles are parts of one step, and has those share a budget."""

import functools
import weakref

from torch import distributed

from ..sizes import size_text
from . import torch_private
from .chains import Chain
from .history import records
from .telling import tell


class Parts:
    """All graphs of a process. One that is a whole step is left to Inductor, with its caches.

    Parts of one step are those that Dynamo makes of one function, as for the buckets of DistributedDataParallel, and
    those that are compiled while another one waits for its backward. They are a chain of regions: the first step holds
    the least, and when it is over, its functions are compiled once more, by the best choice of cuts.
    """

    def __init__(self, read, beside):
        """``beside`` makes a partitioner for a whole step with so many bytes of gathered parameters beside it, and with
        these numbers for sizes that are open."""
        self._options = read
        self._beside = beside
        self._chains = {}  # code of a function -> the _Chain that its graphs belong to
        self._alone = set()  # codes of functions whose graph is a whole step
        self._last = None
        self._flying = []  # (code, weak reference to what its backward hangs on) of graphs that are not in a chain

    def compile(self, original, module, example_inputs, patches):
        """A function for a graph of Dynamo's; ``original`` is Inductor's way, with settings ``patches``."""
        compiled = torch_private.current_compile()
        chain = self._chain_of(compiled)
        self._last = compiled
        if chain is not None:
            return chain.add(module, example_inputs, patches)
        gathered, sizes = torch_private.gathered_bytes(module), torch_private.sizes_of_dynamo(module)
        if gathered or sizes:
            patches = {**(patches or {}), "custom_partitioner_fn": self._beside(gathered, sizes)}
        return self._watched(original(module, example_inputs, config_patches=patches), compiled.code)

    def _chain_of(self, compiled):
        code = compiled.code
        if code in self._chains or code is None:
            return self._chains.get(code)
        is_bucket = torch_private.is_bucket()
        chains = set(self._chains.values())
        flying = {each for each, backward in self._flying if backward() is not None}
        begun = next((chain for chain in chains if chain.is_in_flight), None)
        if begun is None:
            is_part = is_bucket or flying or compiled == self._last
            may_be = distributed.is_available() and distributed.is_initialized() and code not in self._alone
            if not is_part and not may_be:
                return None
            begun = _Chain(self._options, self._end_of)
        begun.has_buckets |= is_bucket
        begun.before |= flying | ({code} if compiled == self._last else set())
        self._chains[code] = begun
        return begun

    def _end_of(self, chain):
        """The first step of a chain is over."""
        codes = {code for code, each in self._chains.items() if each is chain}
        if chain.before:  # graphs that were planned for themselves are parts of it
            self._chains |= dict.fromkeys(codes | chain.before, chain.again())
        elif len(chain.places) == 1:
            self._alone |= codes
            for code in codes:
                del self._chains[code]
        else:
            chain.solve()
            self._tell_of(chain)
        for code in codes | chain.before:
            torch_private.forget(code)

    def _tell_of(self, chain):
        peak = records()[-1]["predicted"]["peak_bytes"]
        sentence = (
            f"The step is in {len(chain.places)} graphs, which share its budget and together hold {size_text(peak)}; "
            "what runs between them is in no plan."
        )
        if chain.has_buckets:
            sentence += (
                " DistributedDataParallel cuts a step into its buckets; with "
                f"{torch_private.WITHOUT_BUCKETS} it is one graph."
            )
        tell(sentence, chain)

    def _watched(self, run, code):
        """A function after whose forward it is known, until its backward comes, that its graph waits for that."""

        @functools.wraps(run)
        def call(*args):
            outputs = run(*args)
            backward = next((node for value in outputs if (node := getattr(value, "grad_fn", None))), None)
            if backward is not None:
                self._flying = [each for each in self._flying if each[1]() is not None]
                self._flying.append((code, weakref.ref(backward)))
                backward.register_prehook(functools.partial(self._landed, weakref.ref(backward)))
            return outputs

        return call

    def _landed(self, backward, _gradients):
        self._flying = [each for each in self._flying if each[1]() is not backward()]


class _Chain(Chain):
    """Graphs of a step by the order in which they are compiled."""

    def __init__(self, read, end_of):
        super().__init__(read, "graphs", lambda: end_of(self))
        self.before = set()  # codes of functions that were compiled before it was known that they are parts of it
        self.has_buckets = False  # of DistributedDataParallel
        self._end_of = end_of
        self._count = 0

    def again(self):
        """A chain whose first step is still to come."""
        made = _Chain(self.options, self._end_of)
        made.known, made.has_buckets = self.known, self.has_buckets
        return made

    def add(self, module, example_inputs, patches):
        """A function for the next graph."""
        place = self._count
        self._count += 1
        return self.compile(lambda: place, self.picks.get(place, {}), module, example_inputs, patches)

    def solve(self):
        """Pick cuts, and begin with the first graph again."""
        super().solve()
        self._count = 0
