# SPDX-License-Identifier: Apache-2.0
"""Sees which graphs that Dynamo compiles are parts of one step, and has those share a budget."""

import collections
import contextlib
import functools
import weakref

from torch import distributed

from .. import torch_private
from ..sizes import size_text
from . import beside, breaks, skipped, unplanned
from .alone import Alone
from .between import from_calls_on, let_go
from .chains import Chain
from .errors import PartError
from .history import latest, records
from .session import RETAINED
from .telling import RUNS, tell
from .untold import Untold

_ANEW = 3  # times that a step is planned again for a larger size
_PATIENCE = 3  # times that more of a step is waited for
_LARGER = (
    "The step came with a larger size than the one that its plan is for ({}), and may hold more than the budget. Give "
    "mark_dynamic the largest one as max, or begin with the largest batch."
)
_GREW = (
    "The step came with a larger size than the one that its plan is for ({}): it runs once as it is, and is then "
    "planned again. Begin with the largest batch to compile less."
)


class Parts:
    """All graphs of a process. One that is a whole step is left to Inductor, with its caches.

    Parts of one step are those that Dynamo makes of one function, as for the buckets of DistributedDataParallel, those
    that are compiled while another one waits for its backward, and one that runs twice before its backward comes. They
    are a chain of regions: the first step holds the least, and when it is over, its functions are compiled once more,
    by the best choice of cuts.
    """

    def __init__(self, read, partitioner, planned=records, forget=torch_private.forget, ledger=None, keep=None):
        """``partitioner`` makes one for a whole step with a Beside, and with these numbers for sizes that are open.

        ``planned`` gives the records of such steps; ``forget`` has Dynamo compile a function anew; ``ledger`` is a
        missed.Ledger, where code may come from PyTorch's caches; ``keep`` gets records that a measurement changed."""
        self._options = read
        self._partitioner = partitioner
        self._forget = forget
        self._ledger = ledger
        self._by_itself = Alone(self, read, planned, forget, ledger, keep)
        self._chains = {}  # code of a function -> the _Chain that its graphs belong to
        self._alone = set()  # codes of functions whose graph is a whole step
        self._shapes = {}  # code of a function whose graph is a whole step -> shapes of its arguments, as they came
        self._grown = {}  # the same -> how often it came larger than planned
        self._stale = set()  # codes of those to be compiled again
        self._last = None
        self._flying = []  # (code, weak reference to what its backward hangs on) of graphs that are not in a chain
        self._alone_for = collections.Counter()  # code -> steps in which it may be a part, and had the only backward
        self._landed = set()  # (code, sizes) of those whose backward came since the last forward
        self._untold = Untold()
        weakref.finalize(self, self._untold.say_all)
        self._is_over = False  # the budget was taken back
        self._has_around = set()  # keys of graphs that eager mode holds something around, which is to be measured
        from_calls_on(self)

    @property
    def is_due(self):
        """True where the next step is to be measured, if it is of the same size as the last one."""
        return self._by_itself.is_due

    @property
    def is_in_flight(self):
        """True where a graph waits for its backward."""
        return bool(self._codes_in_flight())

    def is_part(self, code):
        """Whether a function has graphs that are parts of a step."""
        return code in self._chains

    def compile(self, original, module, example_inputs, patches):
        """A function for a graph of Dynamo's; ``original`` is Inductor's way, with settings ``patches``."""
        skipped.came(module)
        let_go()
        if not torch_private.has_backward(example_inputs):  # a teacher, or metrics: it holds nothing for a step
            return original(module, example_inputs, config_patches=patches)
        compiled = torch_private.current_compile()
        chain = self._chain_of(compiled)
        self._last = compiled
        if chain is not None:
            return chain.add(module, example_inputs, patches)
        given = patches
        shapes = self._shapes.setdefault(compiled.code, [])
        with contextlib.ExitStack() as stack:
            for symbol, most in torch_private.most_of(module, shapes).items():
                stack.enter_context(torch_private.counting_as(symbol, most))
            sizes = torch_private.sizes_of_dynamo(module)
            key = compiled.code, str(torch_private.shapes_of_dynamo(module))
            planned = [*sizes.values()]
            lies = self._by_itself.comes(key, module, example_inputs, planned)
            partitioner = self._partitioner(lies, planned) if lies != beside.Beside() or sizes else None
            if partitioner:
                patches = {**(patches or {}), "custom_partitioner_fn": partitioner}
            shapes.append(torch_private.sizes_of(example_inputs))
            with_these = lies, *planned
            page, before = self._ledger and self._ledger.page(module, example_inputs, with_these), latest()
            try:
                run = original(module, example_inputs, config_patches=patches)
            except PartError:
                if compiled.code in self._alone:
                    raise
                begun = self._chains[compiled.code] = _Chain(self._options, self._end_of)
                return begun.add(module, example_inputs, given)
            except Exception as error:
                return unplanned.compiled(error, module, example_inputs, given, self, self._options.strict)
        self._by_itself.has_open(key, planned, partitioner and partitioner.peak_at)
        self._note_missed(key, page, before)
        return self._watched(run, key, sizes)

    def _note_missed(self, key, page, before):
        """The plan of a graph may miss its budget, also where an earlier process made it: that is said after a step.

        Of what eager mode holds around a graph it is not known where that lies: there, a measured step is waited for,
        which says it by itself.
        """
        record = latest()
        self._by_itself.is_planned(key, None if record is before else record)
        if record is not before:
            missed, peak_bytes = record.get("missed"), record["predicted"]["peak_bytes"]
            missed = missed and missed + RUNS
            if page:
                self._ledger.write(page, missed, peak_bytes)
        else:
            missed, peak_bytes = self._ledger.read(page) if page else (None, 0)
        self.is_known(key)
        if missed:
            self._untold.add(key, missed, peak_bytes)

    def is_known(self, key):
        """A measured step shows whether a graph holds the budget, and says so."""
        self._untold.drop(key)

    def end(self):
        """The budget is taken back: no step is measured or planned again, and what waited for that is said."""
        self._is_over = True
        self._untold.say_all()
        for chain in {*self._chains.values()}:
            chain.untold.say_all()

    def _tell_of_missed(self):
        """A backward is over: say which plans miss the budget, but for parts of a step, which is to be planned."""
        may_be = set().union(*(chain.before for chain in self._chains.values()))
        for key in self._untold.ran(self._landed):
            code = key[0]
            waits = code in self._chains or not self._is_whole(code, may_be)
            waits |= key in self._has_around and self._untold.may_be_measured(key)
            if not waits:
                self._untold.say(key)

    def _is_whole(self, code, may_be):
        """Whether a graph is a step of its own, since the others that ran in its step had no backward, as for logs."""
        self._alone_for[code] += code in may_be
        return code not in may_be or self._alone_for[code] >= _PATIENCE

    def leaves_sizes_open(self, code):
        """Whether sizes of a function that differ are one graph: where more came than are planned one by one."""
        return code in self._grown or torch_private.variants_of(code) >= self._options.shapes

    def _chain_of(self, compiled):
        code = compiled.code
        if code in self._chains or code is None:
            return self._chains.get(code)
        is_bucket = torch_private.is_bucket()
        chains = set(self._chains.values())
        flying = self._codes_in_flight()
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
        """The first step of a chain is over, but for what may still come of it."""
        is_alone = chain.length == 1 and not chain.has_plans
        is_early = chain.before & self._codes_in_flight() or (chain.is_second and is_alone)
        if is_early and chain.may_wait():
            return
        codes = {code for code, each in self._chains.items() if each is chain}
        if chain.before:  # graphs that were planned for themselves are parts of it
            self._chains |= dict.fromkeys(codes | chain.before, chain.again())
        elif is_alone:
            self._alone |= codes
            for code in codes:
                del self._chains[code]
        else:
            is_first, is_changed = not chain.has_plans, chain.solve()
            self._untold.drop_functions(codes)
            if is_first:
                self._tell_of(chain)
            if not is_changed:
                return
        for code in codes | chain.before:
            self._forget(code)

    def _codes_in_flight(self):
        """Codes of graphs that are not in a chain and wait for their backward."""
        return {code for code, backward in self._flying if backward() is not None}

    def _end_late(self):
        """A backward is over: so may be the first step of a chain that waited for it."""
        for chain in {*self._chains.values()}:
            if chain.before and chain.has_gone_back and not chain.is_in_flight:
                self._end_of(chain)

    def _tell_of(self, chain):
        peak = latest()["predicted"]["peak_bytes"]
        sentence = (
            f"The step runs {chain.length} graphs, which share its budget and together hold {size_text(peak)}; "
            "what runs between them is measured in a step to come."
        )
        if chain.has_buckets:
            sentence += (
                " DistributedDataParallel cuts a step into its buckets; with "
                f"{torch_private.WITHOUT_BUCKETS} it is one graph."
            )
        tell(sentence, chain)
        breaks.say_for(chain)

    def _watched(self, run, key, sizes):
        """A function after whose forward it is known, until its backward comes, that its graph waits for that.

        ``sizes`` are what open ones of its arguments were planned for.
        """
        code, _ = key

        @functools.wraps(run)
        def call(*args):
            if self._is_over:
                return run(*args)
            came = [args[index] for index in sizes]
            measuring = self._by_itself.begins(key, came, not self._codes_in_flight())
            outputs = run(*args)
            if self._untold and self._by_itself.has_around(key, args, outputs):
                self._has_around.add(key)
            if measuring:
                self._by_itself.goes_on(measuring, key, args, outputs)
            if any(number > size for number, size in zip(came, sizes.values(), strict=True)):
                self._grows(code, args, sizes)
            backward, _ = torch_private.ends_of_compiled(outputs)  # views that are made of its outputs have other nodes
            if backward is not None:
                let_go()
                self._landed.clear()
                self._flying = [each for each in self._flying if each[1]() is not None]
                self._flying.append((code, weakref.ref(backward)))
                backward.register_prehook(functools.partial(self._lands, key, weakref.ref(backward)))
            return outputs

        return call

    def _grows(self, code, args, sizes):
        """A graph whose sizes are open was called with a larger one: it is compiled again after this step."""
        counts = ", ".join(map(str, sizes.values()))
        times = self._grown.get(code, 0)
        if times == _ANEW:
            tell(_LARGER.format(counts), self)
            return
        tell(_GREW.format(counts), self)
        self._shapes[code].append(torch_private.sizes_of(args))
        self._grown[code] = times + 1
        self._stale.add(code)

    def _lands(self, key, backward, _gradients):
        """The backward of a graph begins."""
        code, _ = key
        if code in self._stale:
            self._stale.remove(code)
            self._forget(code)
        left = [each for each in self._flying if each[1]() is not backward()]
        if len(left) == len(self._flying):  # it landed before
            is_another = hasattr(backward(), "remat_call")  # gradients of gradients may go through it again
            if not is_another and not self._by_itself.counts_retained(key):
                tell(RETAINED, self)
            return
        self._flying = left
        is_again = any(code == landed for landed, _ in self._landed)
        if is_again and code not in self._chains:  # one step ran it twice, as for equal blocks of a model
            self._chains[code] = _Chain(self._options, self._end_of)
            self._forget(code)
        self._landed.add(key)
        if any(code in chain.before for chain in self._chains.values()):
            torch_private.at_end_of_backward(self._end_late)
        if self._untold:
            torch_private.at_end_of_backward(self._tell_of_missed)


class _Chain(Chain):
    """Graphs of a step by the order in which they are compiled."""

    def __init__(self, read, end_of):
        super().__init__(read, "graphs", lambda: end_of(self))
        self.before = set()  # codes of functions that were compiled before it was known that they are parts of it
        self.has_buckets = False  # of DistributedDataParallel
        self._end_of = end_of
        self._places = {}  # (what a graph is by Dynamo, how many equal ones were compiled before) -> its place
        self._compiled = collections.Counter()  # graphs by what they are, since the last choice
        self.is_second = False  # others than the first one of these are known to be in a step
        self._patience = _PATIENCE

    def again(self):
        """A chain whose first step is still to come."""
        made = _Chain(self.options, self._end_of)
        made.known, made.has_buckets, made.is_second = self.known, self.has_buckets, True
        return made

    def may_wait(self):
        """Whether more of a step may come, as for a discriminator that sees real data before it sees made ones."""
        self._patience -= 1
        return self._patience >= 0

    def add(self, module, example_inputs, patches):
        """A function for the next graph."""
        graph = torch_private.graph_of_dynamo(module, example_inputs)
        count = self._compiled[graph]
        self._compiled[graph] += 1
        while self.is_solved and count and (graph, count) not in self._places:
            count -= 1
        place = self._places.setdefault((graph, count), len(self._places))
        return self.compile(lambda: place, self.picks.get(place, {}), module, example_inputs, patches)

    def solve(self):
        """Pick cuts; graphs compiled anew are known again by what they are, in whichever order they come."""
        is_changed = super().solve()
        if is_changed:
            self._compiled.clear()
        return is_changed
