# SPDX-License-Identifier: Apache-2.0
"""Steps of one graph each: what lies beside it, as its second step shows, and its plan once more with that."""

import collections
import dataclasses
import functools
import json
import math
import operator

from .. import torch_private
from ..sizes import size_text
from . import beside, beside_records, workspaces
from .between import may_begin, step_of
from .held_outputs import GivenOutputs, is_large
from .session import MEASURED, TOLERANCE
from .telling import tell

_HOLDS = "The step holds {}"
_ABOUT = "A step of the sizes that the plan is for ({}) holds about {{}}, as one with {} shows"
_OVER = (
    "{}, and its budget is {}: no plan was found that leaves so much room, and the least one holds that: "
    '"{}B". The step runs with it; strict=True refuses it.'
)
_OF_THAT = ", {} of that beside its graph"
_LESS = ", and its budget is {}: it is known now what is held around its graph. That is planned once more with it."
_MORE = (
    ", with what runs around its graph, which adds {}; the budget is {}. The graph is planned once more, for what that "
    "leaves."
)
_RETAINED = (
    "A backward of the step keeps what was saved for it (retain_graph=True): the graph is planned once more with that. It "
    "holds less where the losses are added up and backward is called once."
)
_INSIDE = (
    "The step holds {}, {} more than was predicted, and its budget is {}. What {} take is known only when they run, "
    "since they are not PyTorch's. The graph is planned once more with that."
)


class Alone:
    """What is known of graphs that are whole steps, by code and sizes: planned beside what, and measured with what."""

    def __init__(self, asker, read, planned, forget, ledger=None, keep=None):
        """As of ``Parts``, which is the ``asker``: sentences are its, and it knows which graphs are parts of a step."""
        self._asker = asker
        self._options = read
        self._planned = planned
        self._forget = forget
        self._ledger = ledger
        self._keep = keep
        self._beside = {}  # the Beside that graphs were planned with
        self._seen = {}  # the same as it was measured
        self._seen_pages = {}  # where the ledger has that
        self._gathered = {}  # bytes of parameters that fully_shard gathered for them
        self._unknown = {}  # names of their operators whose bytes are not known beforehand
        self._record_of = {}  # what this process planned for them
        self._calls = collections.Counter()  # since they were compiled
        self._called = None  # the last of them
        self._measured = collections.Counter()  # how often such a step was
        self._alive = {}  # positions of outputs that the script held before their backwards, as of ``beside.seen``
        self._freed_bytes = {}  # of outputs that it does not hold
        self._open = {}  # numbers for open sizes that plans are for, and functions as of ``open_sizes.peaks`` or None
        self._ran = set()  # keys of those that ran since they were compiled
        self._shown = collections.Counter()  # how often they were planned once more for what one of other sizes took
        self._over = {}  # bytes that steps hold, as it was said of a missed budget
        self._retained = set()  # keys of those whose backward is not the only one (retain_graph=True)

    @property
    def is_due(self):
        """True where the next step is to be measured, if it is of the same size as the last one."""
        is_new = self._calls[self._called] == 1 and self._measured[self._called] < MEASURED
        return is_new and not self._asker.is_part(self._called[0])

    def comes(self, key, module, example_inputs, planned):
        """A graph is compiled: the Beside to plan it with, as measured, by an earlier process too, or as gathered.

        ``planned`` has the numbers that its open sizes count as: where these are larger now than they were, what was
        known grows with them.
        """
        self._gathered[key] = torch_private.gathered_bytes(module)
        gathered = beside.Beside.all_along(self._gathered[key])
        if self._ledger:
            page = self._seen_pages[key] = self._ledger.page(module, example_inputs, ("beside", gathered, *planned))
            known = None if key in self._seen else self._ledger.around(page)
            if known:
                self._seen[key] = known
        lies = self._beside[key] = self._seen.get(key) or self._grown(key[0], planned) or gathered
        self._calls[key] = 0
        self._ran.discard(key)
        self._unknown[key] = workspaces.unknown(module)
        return lies

    def _grown(self, code, planned):
        """The Beside of a function whose open sizes were smaller, for these ones; None where nothing showed it."""
        for key, (sizes, _) in reversed(self._open.items()):
            if key[0] == code and not self._gathered[key] and _are_smaller(sizes, planned):
                record = self._record_of[key]
                found = beside.Beside.of_json(record["beside"]) if record else self._beside[key]
                return _for_sizes(planned, found, sizes) if found.held is not None else None
        return None

    def counts_retained(self, key):
        """Whether the plan of a graph counts that its backward keeps what was saved for it."""
        return key in self._beside and self._beside[key].is_retained

    def is_planned(self, key, record):
        """What this process planned for a graph, or None where its plan is of an earlier one."""
        self._record_of[key] = record

    def has_open(self, key, planned, peak_at):
        """A graph was planned for these numbers of its open sizes; ``peak_at`` is of ``open_sizes.peaks``."""
        self._open[key] = planned, peak_at

    def begins(self, key, came, is_first):
        """A MeasuredStep for the second step of each size, or None; ``is_first`` where none waits for its backward.

        ``came`` has the numbers of open sizes in this step: also one of smaller ones shows what a planned one holds.
        """
        planned, _ = self._open[key]
        if came == planned:
            is_due = self._calls[key] == 1 and self._measured[key] < MEASURED
            self._calls[key] += 1
            self._called = key
        else:
            is_due = self._shows(key, came)
        self._ran.add(key)
        if not (is_due and may_begin() and is_first):
            return step_of(self._asker, None)

        def has_measured(measured):
            if came == planned:
                self._has_measured(key, measured, step.inside)
            else:
                self._has_measured_smaller(key, came, measured)

        step = step_of(self._asker, has_measured)
        if step:
            step.begins()
            step.begins()  # a piece in which nothing runs: its peak is what is held when the graph begins
        return step

    def has_around(self, key, args, outputs):
        """Whether what a step holds beside a graph is known only when it is measured.

        Not where it is all of the step, from leaves to a loss, but for operators of which that is not known.
        """
        before = any(getattr(value, "requires_grad", False) and not value.is_leaf for value in args)
        return before or any(map(is_large, outputs)) or bool(self._unknown[key])

    def goes_on(self, measuring, key, args, outputs):
        """The forward of a measured graph is over."""
        measuring.ends(True, key[0])
        node, _ = torch_private.ends_of_compiled(outputs)
        if node is not None and self.has_around(key, args, outputs):
            self._go_on(measuring, key, node, outputs)
            return
        measuring.drop()
        if node is not None:
            node.register_prehook(functools.partial(self._lands, key))

    def _lands(self, key, _gradients):
        """The backward of a step begins that is not measured."""
        if torch_private.keeps_graph():
            self._plan_retained(key)

    def _plan_retained(self, key):
        """Have a graph planned once more whose backward keeps what was saved for it; True unless that is planned for."""
        lies = self._beside[key]
        if lies.is_retained or self._measured[key] >= MEASURED or self._asker.is_part(key[0]):
            return False
        tell(_RETAINED, self._asker)
        self._asker.is_known(key)
        self._plan_with(key, dataclasses.replace(lies, is_retained=True))
        return True

    def _go_on(self, measuring, key, node, outputs):
        """Measure on through the backward of a graph that gave these, of which this is the node of autograd."""
        alive, is_between = [], True

        def lets_go():
            if is_between:
                alive.append(given.held())
                measuring.lets_go()

        def begins(_):
            nonlocal is_between
            is_between = False
            if torch_private.keeps_graph():
                self._retained.add(key)
            self._alive[key], self._freed_bytes[key] = alive, given.freed_bytes()
            measuring.begins()

        given = GivenOutputs(outputs, lets_go)
        alive.append(given.held())

        def ends(*_):
            measuring.ends(False, key[0])
            measuring.has_all()

        node.register_prehook(begins)
        node.register_hook(ends)

    def _shows(self, key, came):
        """Whether a step of other sizes than the planned ones is to show what one of these holds."""
        planned, peak_at = self._open[key]
        lies, is_smaller = self._beside[key], _are_smaller(came, planned)
        is_known = self._shown[key] == MEASURED or self._measured[key] or lies.is_measured
        is_other = self._unknown[key] or self._gathered[key]  # than the same share of what a larger one holds
        return peak_at and key in self._ran and is_smaller and not (is_known or is_other)

    def _has_measured_smaller(self, key, came, measured):
        """A step with these numbers of its open sizes took this: by that it is about known what a planned one holds."""
        alive = self._alive.get(key, ())
        if self._asker.is_part(key[0]) or not _is_whole(measured, key[0], alive):
            return
        (planned, peak_at), lies, record = self._open[key], self._beside[key], self._record_of[key]
        peak = peak_at(came)
        if peak is None:
            return
        self._asker.is_known(key)
        found = beside.seen([held for _, held in measured][2:], peak, alive, lies)
        found = _for_sizes(planned, found, came)
        known, asked = record["predicted"]["peak_bytes"], record["budget_bytes"]
        beside_records.write(found, record, self._options.budget)
        holds = _ABOUT.format(*(", ".join(map(str, sizes)) for sizes in (planned, came)))
        is_planned = self._judge(key, record, found, record["predicted"]["peak_bytes"], known, asked, holds)
        self._shown[key] = self._shown[key] + 1 if is_planned else MEASURED

    def _has_measured(self, key, measured, took):
        """A step took this; where that is too much, its graph is planned once more, with so much beside it.

        ``took`` is what operators that are not PyTorch's took.
        """
        alive = self._alive.get(key, ())
        if self._asker.is_part(key[0]) or not _is_whole(measured, key[0], alive):
            return
        (before_it, held, *peaks), lies = [peak for _, peak in measured], self._beside[key]
        unknown = self._unknown.get(key)
        forward, or_less = peaks[0] - held, bool(unknown)
        of_graph = [each for each in self._planned() if beside_records.is_of(each, forward, lies, or_less)]
        if not of_graph:
            return
        record, peak = of_graph[-1], max(before_it, *peaks)
        if unknown:  # their bytes may make the forwards of other graphs as large
            record = self._record_of.get(key) or max(of_graph, key=beside_records.forward_bytes)
        record["measured"] = {"peak_bytes": peak}
        self._measured[key] += 1
        self._asker.is_known(key)
        inside = _with_more(lies.inside, took) if unknown else lies.inside
        cut, _ = beside_records.peaks_of(record)
        asked = record["budget_bytes"]
        if inside != lies.inside and peak > asked * TOLERANCE and self._measured[key] < MEASURED:
            more = peak - record["predicted"]["peak_bytes"]
            tell(_INSIDE.format(*map(size_text, (peak, more, asked)), ", ".join(unknown)), self._asker)
            if self._keep:
                self._keep(record)
            self._plan_with(key, dataclasses.replace(lies, inside=inside))
            return
        found = beside.seen(peaks, cut, alive, lies)
        # An earlier process may have run a script that held other outputs.
        is_known = lies.is_measured and (lies.held == found.held or self._measured[key] > 1)
        known = record["predicted"]["peak_bytes"]
        if is_known or (self._gathered[key] and not lies.is_measured):
            found = found.or_more(lies)
        if not lies.is_measured:  # the prediction was of the graph alone, or by a step of other sizes
            beside_records.write(found, record, self._options.budget)
        self._judge(key, record, found, peak, known, asked)

    def _judge(self, key, record, found, takes, known, asked, holds=_HOLDS):
        """Where a step ``takes`` too much, have its graph planned once more if that may help (True), else say so.

        So many bytes were ``known`` and ``asked`` for; ``holds`` begins the sentence, and takes a size.
        """
        if self._keep:
            self._keep(record)
        if key in self._retained and self._plan_retained(key):
            return True
        lies, (cut, plain) = self._beside[key], beside_records.peaks_of(record)
        budget = self._options.budget.of(found.peak_with(plain))
        if takes <= budget * TOLERANCE:
            return False
        is_less = takes <= asked * TOLERANCE  # than was asked for, as it is known now what is held without a plan
        frees = found.held != lies.held  # other cuts may gain by that
        is_news = is_less or (frees and self._freed_bytes.get(key, budget) > (TOLERANCE - 1) * budget)
        is_news |= _is_news(found.places(cut), lies.places(cut), budget)
        holds, has = holds.format(size_text(takes)), size_text(budget)
        if self._measured[key] < MEASURED and is_news:
            more = _MORE.format(size_text(takes - known), has) if takes > known else _LESS.format(has)
            tell(holds + more, self._asker)
            self._plan_with(key, found)
            return True
        if takes > self._over.get(key, 0) * TOLERANCE:
            self._over[key], around = takes, found.at_peak(cut)
            of_that = _OF_THAT.format(size_text(around)) if around > 0 else ""
            tell(holds + _OVER.format(of_that, has, takes), self._asker)
        return False

    def _plan_with(self, key, lies):
        """Have a graph planned once more, with this beside it."""
        self._seen[key] = lies
        if self._ledger:
            self._ledger.write_around(self._seen_pages[key], lies)
        self._forget(key[0])


def _are_smaller(sizes, others):
    """Whether no open size is larger than the other one, and some are smaller."""
    return len(sizes) == len(others) and sizes != others and all(map(operator.le, sizes, others))


def _for_sizes(planned, found, came):
    """About the Beside of a step with these open sizes, by the one that was found with those that came."""
    return dataclasses.replace(found.scaled(math.prod(map(operator.truediv, planned, came))), is_measured=False)


def _is_whole(measured, code, alive):
    """Whether these are the pieces of a step of one graph, whose script held ``alive`` between forward and backward."""
    order = [None, None, (True, code), *[None] * len(alive), (False, code), None]
    return [piece for piece, _ in measured] == order


def _with_more(known, took):
    """What operators take, as JSON, where a step showed that too."""
    known = json.loads(known or "{}")
    return json.dumps({name: max(took.get(name, 0), known.get(name, 0)) for name in sorted({*took, *known})})


def _is_news(found, known, budget_bytes):
    """Whether what is held in the places of a step is other than was known, and that may decide about its plan."""
    pairs = [pair for pair in zip(found, known, strict=True) if max(pair) > budget_bytes]
    return any(abs(one - other) > (TOLERANCE - 1) * budget_bytes for one, other in pairs)
