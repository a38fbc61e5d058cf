# SPDX-License-Identifier: Apache-2.0
"""Blocks of a model that are compiled one by one, and share a budget: ``remat_studio.compile_blocks``."""

import hashlib
import weakref

from . import history, options, regions, torch_private
from .backend import fix_shape
from .errors import PlanError
from .telling import tell

_OPTIONS = ("time_limit", "device", "solver", "cache", "strict")


def compile_blocks(blocks, budget, **given):
    """Compile each module of ``blocks`` by Inductor, so that all together hold ``budget`` in a step.

    The blocks run one after the other. The first step runs with the least that each can keep, and shows their order;
    the next one has the fastest choice within the budget, which differs along the chain. Equal blocks are explored
    once. The budget is for the blocks; what runs between them is not known. Percent is of what they hold without a
    plan. Options are ``time_limit``, ``device``, ``solver``, ``cache`` and ``strict`` of ``backend="remat"``.
    """
    options.only(_OPTIONS, given, "compile_blocks")
    chain = _Chain(list(blocks), options.read({"budget": budget, "codegen": "inductor", **given}))
    for index in range(len(chain.modules)):
        chain.compile(index, chain.first)


class _Chain:
    """The blocks, the regions that they are, and the order in which a step runs them."""

    def __init__(self, modules, read):
        self.modules = [weakref.ref(module) for module in modules]
        self.options = read
        self.first = _Backend(self, {})
        self.is_solved = False
        self.known = {}  # digest of a joint graph -> its options
        self._step = []  # (index of a block, digest) in the order of the forwards
        self._current = None
        self._went_back = False

    def compile(self, index, backend):
        """Have a block run by what a backend makes of it."""
        module = self.modules[index]()
        compiled = torch_private.compiled_call(module, backend)

        def call(*args, **kwargs):
            run = self._enter(index) or compiled
            return run(*args, **kwargs)

        torch_private.set_call(module, call)

    def ran(self, digest):
        """The forward of a region ran, with a backward to come."""
        if not self.is_solved:
            self._step.append((self._current, digest))

    def went_back(self):
        """A backward ran."""
        self._went_back = True

    def _enter(self, index):
        """Before a block runs; its new function, where this call begins the step after the first one."""
        self._current = index
        if self.is_solved or not self._went_back:
            return None
        self.is_solved = True
        self._solve()
        return torch_private.call_of(self.modules[index]())

    def _solve(self):
        chain = [self.known[digest] for _, digest in self._step]
        plain = [max(region, key=lambda option: option.ratio) for region in chain]
        before = regions.peak_of(plain)
        budget = self.options.budget.of(before)
        chosen = regions.choose(chain, budget)
        if chosen is None:
            chosen = regions.smallest(chain)
            sentence = (
                f"No choice of cuts holds {budget} bytes; the smallest exact peak of these blocks is "
                f'{chosen.peak_bytes} bytes: "{chosen.peak_bytes}B".'
            )
            if self.options.strict:
                raise PlanError(sentence)
            tell(f"{sentence} The step runs with that; strict=True refuses it.", self)
        history.add(self._record(chain, plain, budget, chosen))
        picks = {}
        for (index, digest), option in zip(self._step, chosen.picks, strict=True):
            one = picks.setdefault(index, {})
            # A block that runs twice has one cut.
            one[digest] = min(one.get(digest, option), option, key=lambda each: each.kept_bytes)
        torch_private.allow_shapes(self.options.shapes * (1 + len(picks)))  # each pick counts for each shape
        made = {}
        for index, one in picks.items():
            key = tuple(sorted((digest, option.name) for digest, option in one.items()))
            self.compile(index, made.setdefault(key, _Backend(self, one)))

    def _record(self, chain, plain, budget, chosen):
        uniform = _uniform(self._step, chain, budget)
        return {
            "graph": {"name": "blocks"},
            "budget": self.options.budget.text,
            "budget_bytes": budget,
            "predicted": {
                "peak_bytes": chosen.peak_bytes,
                "time_us": chosen.time_us,
                "keep_all_peak_bytes": regions.peak_of(plain),
                "keep_all_time_us": sum(option.time_us for option in plain),
                "uniform_time_us": uniform and uniform.time_us,
            },
            "before_bytes": regions.peak_of(plain),
            "choices": [
                {"block": index, "cut": option.name, "kept_bytes": option.kept_bytes}
                for (index, _), option in zip(self._step, chosen.picks, strict=True)
            ],
            "options": [[option.name for option in region] for region in chain],
        }


class _Backend:
    """What ``torch.compile`` calls for a block: cuts it by one pick for each region, else by the least."""

    def __init__(self, chain, picks):
        self._chain = chain
        self._picks = picks  # digest -> option

    def __call__(self, module, example_inputs):
        for value in example_inputs:
            fix_shape(value)
        part = _partitioner(self._chain, self._picks)

        def inner(graph, inputs, **settings):
            compiled = torch_private.compile_fx_inner(graph, inputs, **settings)
            if settings.get("is_inference") or part.digest is None:
                return compiled
            return _after(compiled, self._chain.went_back if settings.get("is_backward") else part.ran)

        with torch_private.aot_settings(enable_autograd_cache=False):
            patches = {"custom_partitioner_fn": part}
            return torch_private.compile_fx(module, example_inputs, inner, config_patches=patches)


def _after(run, then):
    def call(given):
        result = run(given)
        then()
        return result

    call._boxed_call = True
    return call


def _partitioner(chain, picks):
    class Cutter(torch_private.CustomPartitionerFn):
        """Cuts one region as it was picked; explores a new one, and takes what keeps least."""

        digest = None

        def __call__(self, module, joint_inputs, **arguments):
            self.digest = hashlib.sha256(str(module.graph).encode()).hexdigest()
            if self.digest in picks:
                return regions.make(picks[self.digest], module, joint_inputs, arguments)
            if chain.is_solved:
                tell(
                    "A block came with another graph or shape than in the first step, and runs with the cut that keeps "
                    "least; give batches of one shape.",
                    chain,
                )
            explored = regions.explore(module, joint_inputs, arguments, chain.options)
            chain.known[self.digest] = [option for option, _ in explored]
            _, cut = min(explored, key=lambda pair: (pair[0].kept_bytes, pair[0].time_us))
            return cut.forward, cut.backward

        def ran(self):
            """The forward ran."""
            chain.ran(self.digest)

        def __reduce__(self):
            return str, ("remat",)

        def uuid(self):
            return "remat"

    return Cutter()


def _uniform(step, chain, budget_bytes):
    """The fastest choice within the budget that has one option for all equal regions; None where none fits."""
    digests = [digest for _, digest in step]
    repeated = [digests.count(digest) > 1 for digest in digests]
    several = [region for region, is_repeated in zip(chain, repeated, strict=True) if is_repeated]
    names = {option.name for region in several for option in region}
    found = []
    for name in names:
        alike = [
            [option for option in region if option.name == name] if is_repeated else region
            for region, is_repeated in zip(chain, repeated, strict=True)
        ]
        found.append(regions.choose(alike, budget_bytes) if all(alike) else None)
    return min((each for each in found if each), key=lambda each: each.time_us, default=None)
