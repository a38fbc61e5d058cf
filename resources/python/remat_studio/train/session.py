# SPDX-License-Identifier: Apache-2.0
"""Which graphs make one step, what they hold together, and how they share its budget."""

import collections
import dataclasses
import functools
import threading
import weakref

from .. import torch_private
from ..sizes import size_text
from . import between, breaks, handed, memory, once_more, options, ranks, sessions, workspaces
from .errors import PlanError
from .graph_names import GraphNames
from .pace import Pace
from .part import Room, Run, Waiting, went_back
from .telling import tell
from .untold import Untold

TOLERANCE = 1.001  # times the budget: parts are planned to whole bytes, their sum need not be planned again for less
_ROUNDS = 2  # times the parts: each is planned once more, and again where others got smaller since
MEASURED = 3  # times a step in parts: as first planned, and after each of two times that it took too much
TRIES = 4  # steps that are measured at most; one of other sizes, or in another order, tells nothing
LITTLE = 0.01  # share of a part's peak that is not worth another plan
_NEAR = 1.1  # times the budget: shares that aim a little lower may meet it
_SAID_AGAIN = 1.02  # times what was said of a step: if it is measured to hold more, that is said
RETAINED = (
    "A backward ran a second time (retain_graph=True), and until then all that is saved stayed beside what the plan "
    "counts; add the losses up and call backward once to hold the budget."
)
TAKES = (
    "The step holds {} with what runs between its graphs, which adds {}; the budget is {}. The graphs are planned once "
    "more, for what that leaves."
)
_GATHERED = (
    "The step holds {} with what fully_shard gathers and what runs around its graphs, which adds {}; the budget is {}. It "
    "is planned once more, for what that leaves."
)
_KNOWN = (
    "The step holds {}, and its budget is {}. What runs between its graphs is known now: they are planned once more, "
    "for what that leaves."
)
OTHER_SIZES = (
    "Other sizes of the step hold more than their budget, too; remat_studio.records() has what each of them holds."
)


def planned_for_between(held_bytes, between_bytes, budget_bytes, gathers=False):
    """The sentence on a step that holds too much with what runs between its graphs, which may also lower its peak.

    ``gathers`` says that ``fully_shard`` holds parameters beside it.
    """
    if between_bytes > 0:
        return (_GATHERED if gathers else TAKES).format(*map(size_text, (held_bytes, between_bytes, budget_bytes)))
    return _KNOWN.format(size_text(held_bytes), size_text(budget_bytes))


class Session:
    """What belongs to one call of torch.compile, or to the graphs of a step that a library compiles one by one.

    Parts whose backward is still to come when another part runs hold memory together. After the first whole step the
    sum is known; where it is over the budget, the parts are planned once more, each for what the others leave. The step
    after is measured: what eager mode holds between the parts is a part of its own from then on, which has no plan.
    """

    def __init__(self, given):
        self.given = given
        self._all_given = [given]  # kept alive: their ids find this session again
        self.options = options.read(given)
        self.pace = Pace()
        self.demand = once_more.Demand()
        self.shares = None  # of what graphs hold without a plan, at their peak and saved, where some run several times
        self.graphs = None  # ``step_parts.Parts``, which share the budget with Inductor's kernels
        self.known = {}  # what was planned for each size of a part, by its key
        self.taken = {}  # what kernels of parts took that are to be planned once more for that, by their names
        self.absent = {}  # names of gradients that never came, by the keys of parts that are planned once more for that
        self._surprised = set()  # keys of those that had one of these gradients all the same
        self.rehearses = False  # True while a step in several graphs runs once for their certificates
        self.certified = []  # (what was planned, its certificate) of graphs whose step is not held against PyTorch yet
        self.missed = set()  # keys of parts one of whose shapes misses its budget, which was said
        self.untold = Untold()  # sentences on parts that miss the budget by their plans, by names
        weakref.finalize(self, self.untold.say_all)
        self._unread = []  # parts that had such in this step
        self._over = []  # parts that took more than their budget in this step, and what their kernels took
        self._names = GraphNames()  # with a key for each part
        self._rooms = {}  # what parts were given that were to be planned once more, by their names
        self._shared = {}  # parts of the last step that shared its budget so, by each of their keys
        self._told_of_parts = set()
        self._said_bytes = {}  # what steps in these parts were said to hold over the budget, the last time
        self._waiting = Waiting()
        self._step = []  # Runs of parts in their order, since the step began
        self._rounds = {}  # how often a step of parts with these names was planned again
        self._tried = {}  # what it held in all these rounds, and the shares with which it did
        self._lock = threading.Lock()
        self._between = {}  # what runs around the parts with these names, as ``between.uses`` gives it
        self._eager_between = {}  # the same where all parts run without plans
        self._retained = set()  # keys of parts whose backward runs more than once for one forward
        self._added = {}  # what that adds without plans, and not with those that were measured, by names of parts
        self._to_measure = set()  # names of parts whose sum is known, and not what the step takes
        self._measured = collections.defaultdict(list)  # the peaks that it was measured with, by these names
        self._tries = 0
        self._measuring = None  # a MeasuredStep
        self._last = []  # Runs of the step that was measured last
        self._compiles = False  # in this step, which takes memory beside it
        self._gathers = False  # whether ``fully_shard`` holds parameters beside this step
        between.from_calls_on(self)

    def is_of(self, given):
        """Whether these options, and not equal ones of another call of torch.compile, have this session."""
        return any(given is each for each in self._all_given)

    def joined_by(self, given):
        """Another call of torch.compile with equal options has a part of the step, and so of the budget."""
        self._all_given.append(given)
        return self

    @property
    def is_in_flight(self):
        """True between the forward of a part and its backward."""
        self._let_go()
        return bool(self._waiting.parts())

    def enter(self, compiled, size):
        """Count one more graph, for inputs of this size; its key and name, or None beyond the limit of shapes."""
        workspaces.remember_kernels()
        between.let_go()
        self._compiles = True
        key = self._names.key_of(compiled)
        name = self._names.name_of(key, size, self.options.shapes)
        if name is None:
            self._tell_of_shapes(key)
            return None
        return key, name

    def enter_way(self, key, name, word):
        """Count one more way to compile a graph of this key and name, called by ``word``; its own key and name.

        None for ``word`` is the graph as it was entered.
        """
        if word is None:
            return key, name
        self._compiles = True
        return self._names.way(key, name, word)

    def has_shapes(self, key):
        """True where a part came in more than one shape."""
        return self._names.shapes_of(key) > 1

    def count_of(self, name):
        """Which size of its part was planned by this name: 1 for the first one."""
        return self._names.count_of(name)

    def is_planned_again(self, name):
        """Whether a part is planned for what the others leave."""
        return name in self._rooms

    def room_of(self, key, name, before):
        """The Room of a part, or None where it has none; ``before`` is its Use without a plan.

        Another size of a step whose parts share its budget gets what the others leave, as these are planned already, or
        else as they would be had they grown as this part has.
        """
        if name in self._rooms:
            return self._rooms[name]
        if key not in self._shared:
            return Room(*memory.room_in(self.shares, before)) if self.shares else None
        parts = self._shared[key]
        index = [part.key for part in parts].index(key)
        ratio = before.peak_bytes / max(parts[index].before.peak_bytes, 1)
        waiting = self._waiting.parts()
        if [part.key for part in waiting] == [part.key for part in parts[:index]]:
            done = waiting
        else:
            done = []
        later = parts[len(done) :]
        uses = [part.use for part in done] + [memory.scaled(part.use, ratio) for part in later]
        befores = [part.before for part in done] + [memory.scaled(part.before, ratio) for part in later]
        befores[index] = before
        budget = self.options.budget.of(memory.step_peak(befores))
        return Room(*memory.room_of(uses, index, budget))

    def _tell_of_shapes(self, key):
        shapes = self.options.shapes
        sentence = (
            f"The step came in more than {shapes} shapes, and each is planned by itself; pad the batches to fewer "
            'shapes, or raise options={"shapes": ...}.'
        )
        if self._names.shapes_of(key) < shapes:
            is_planned = _is_planned_module(key)
            why = "settings or hooks of modules changed" if is_planned else "TORCH_LOGS=recompiles says for what"
            sentence = (
                f"{torch_private.place_of(key[0])} was planned {shapes} times, and not for shapes alone ({why}); keep what "
                'changes in each step out of it, or raise options={"shapes": ...}.'
            )
        elif any(part.key == key for part in self._waiting.parts()):  # of one step, and not of several
            sentence = (
                f"One step runs {torch_private.place_of(key[0])} in more than {shapes} shapes, each a graph of its own; "
                'compile the function that calls it as a whole, or raise options={"shapes": ...}.'
            )
        if self.options.strict:
            raise PlanError(sentence)
        tell(f"{sentence} Further ones run without a plan.", self)

    def taken_bytes(self):
        """What parts hold that wait for their backward."""
        self._let_go()
        return sum(part.use.saved_bytes for part in self._waiting.parts())

    def _let_go(self):
        with self._lock:
            if not self._waiting.parts():
                self._step = []

    @property
    def is_due(self):
        """True where the next step is to be measured, if it compiles nothing."""
        return bool(self._to_measure) and not self.rehearses and self._tries < TRIES and not self.is_in_flight

    def enters(self):
        """The forward or the backward of a part begins."""
        if not self.is_in_flight:
            may_be = self.is_due and not self._compiles and between.may_begin()
            self._tries += may_be
            self._measuring = between.step_of(self, self._has_measured if may_be else None)
            self._gathers = torch_private.Gathered().bytes_left() > 0
        if self._measuring and not self.rehearses:
            self._measuring.begins()

    def begins(self, part, saved, kept=(), given=frozenset()):
        """The forward of a part ran, see ``part.Run``."""
        self._let_go()
        if self._measuring:
            self._measuring.ends(True, part)
        with self._lock:
            self._waiting.begins(part, saved)
            self._step.append(Run(part, saved, kept, given))
        sessions.flies(self)

    def ends(self, part):
        """The backward of a part ran."""
        if self._measuring:
            self._measuring.ends(False, part)
        with self._lock:
            if self._waiting.is_retained(part):
                tell(RETAINED, self)
                self._retained.add(part.key)
            else:
                self._note_let_go()
                went_back(self._step, part)
            if not self._waiting.ends(part):
                return
            runs, self._step = self._step, []
            parts = [run.part for run in runs if run.has_gone_back]
        if self.rehearses or not parts:  # no part came since a backward of a graph that was retained
            return
        self._compiles = False
        breaks.say_for(self)
        if self._unread:
            self._plan_for_absent()
        elif self._over:
            self._plan_for_measured()
        elif len(parts) == 1 and parts[0].refusal:
            raise PlanError(parts[0].refusal)
        elif not self.graphs and (len(parts) > 1 or not parts[0].is_whole or self._gathers):
            self._complete(runs)
        if self._measuring:
            self._measuring.has_all()
            self._measuring, self._last = None, runs

    def _note_let_go(self):
        """The first backward of a step ran: see what the script let go of before."""
        given = set()
        for run in self._step if not any(run.has_gone_back for run in self._step) else ():
            run.let_go_bytes = handed.bytes_let_go(run.kept, given)
            given |= run.given

    def _has_measured(self, measured):
        """The step took this; where that is too much, plan it once more."""
        runs, self._last = self._last, []
        parts = [run.part for run in runs if run.has_gone_back]
        measured = between.without_those_left(measured, [run.has_gone_back for run in runs])
        names = tuple(part.name for part in parts)
        if names not in self._to_measure:
            return
        if len(parts) == 1 and measured:
            parts[0].may_have_let_go(max(peak for _, peak in measured))
        uses = [part.use for part in parts]
        found = between.uses(measured, parts, uses, memory.gradients_from(uses))
        if not found and self._tries == TRIES:
            found = between.all_along(measured, len(uses), memory.step_peak(uses), self)
        let_go = [run.let_go_bytes for run in runs if run.has_gone_back]
        found = found and [*map(dataclasses.astuple, found)], let_go
        found, let_go = ranks.shared_now(["between", *names], self.options.time_limit, lambda: found)
        if found is None:
            return
        self._tries %= TRIES
        self._to_measure.remove(names)
        self._measured[names].append(max(peak for _, peak in measured) if measured else None)
        self._between[names] = [memory.Use(*each) for each in found]
        self._eager_between[names] = handed.as_eager_holds(self._between[names], let_go)
        self._added[names] = [part.retained_bytes * (part.key in self._retained) for part in parts]
        self._rounds.pop(names, None)
        self._complete(runs, is_measured=True)

    def _complete(self, runs, is_measured=False):
        """A step in several parts is over: say what it holds, or plan it once more."""
        parts = [run.part for run in runs if run.has_gone_back]
        keys, names = (tuple(each) for each in zip(*((part.key, part.name) for part in parts), strict=True))
        around = self._between.get(names, [])
        added = self._added.get(names, [0] * len(parts))
        befores = [part.before.with_more(size) for part, size in zip(parts, added, strict=True)]
        before = memory.step_peak(between.joined(self._eager_between.get(names, []), befores))
        budget = self.options.budget.of(before) if self.options.budget else before
        held = memory.step_peak(between.joined(around, [part.use for part in parts]))
        step = {"parts": len(set(keys)), "budget_bytes": budget, "peak_bytes": held, "keep_all_peak_bytes": before}
        step["between_bytes"] = held - memory.step_peak([part.use for part in parts]) if around else None
        step["measured_bytes"] = self._measured[names][-1] if around else None
        for run in runs:  # one that had no backward, too: eager mode may have computed its gradients
            run.part.record["step"] = step
        rounds = self._rounds.get(names, 0)
        plan_again = None
        is_repeated = len(set(keys)) < len(keys)
        is_one = len(parts) == 1 and not around and not parts[0].is_first  # which was planned for all of the budget
        may_be = not self.options.plan and not is_one and len(self._measured[names]) < MEASURED
        is_over = held > budget * TOLERANCE
        if is_over and may_be:
            find = self._next_shares if is_repeated else self._next_room
            plan_again = find(parts, around, budget, rounds)
        if (plan_again or rounds) and not is_repeated:
            self._shared |= dict.fromkeys(keys, parts)
        if plan_again:
            if is_measured:
                tell(planned_for_between(held, step["between_bytes"], budget, self._gathers), self)
            self._rounds[names] = rounds + 1
            plan_again()
            return
        if not is_measured and len(self._measured[names]) < MEASURED and (rounds or not around):
            self._to_measure.add(names)
        if around and not is_over:  # with what the first plans did not know of
            for name in names:
                self.untold.drop(name)
        is_plans_own = is_measured and is_over and (step["between_bytes"] or 0) <= held * (TOLERANCE - 1)
        if self._say_untold(keys, names, len(names) > 1 or (is_measured and not is_plans_own), is_plans_own):
            self._told_of_parts |= {(keys, True), (keys, False), names}
        is_untold = around or rounds or parts[0].is_before_others  # else it was told when it was planned
        if len(parts) > 1 or (is_untold and is_over):
            self._tell_of_parts(step, keys, names)

    def _say_untold(self, keys, names, is_other, is_true):
        """Say which plans miss the budget, where a measured step shows that, or none comes: True if that was said.

        Not where what the step holds is another sentence, ``is_other``.
        """
        waiting = self.untold.ran({*names})
        if not is_other and not is_true and all(map(self.untold.may_be_measured, waiting)):
            return False
        if waiting and not is_other:
            if any(key in self.missed and self.has_shapes(key) for key in keys):
                tell(OTHER_SIZES, self)
            else:
                self.untold.say(waiting[0])
            self.missed.update(keys)
        for name in waiting:
            self.untold.drop(name)
        return bool(waiting) and not is_other

    def hold(self, part, workspaces):
        """When this step is over, plan a part again for the workspaces that its kernels took."""
        self._over.append((part, workspaces))

    def never_came(self, part, names, held_bytes):
        """A part had no gradients for outputs of these names: what follows from these alone would take so many bytes.

        Where that counts, it is planned once more. Where one comes that it was planned without, it is planned for that,
        and the next time for all, as some models take another way in each step.
        """
        known = self.absent.get(part.key)
        is_news = held_bytes > LITTLE * part.use.peak_bytes if known is None else known - names
        if not is_news or self.options.plan or self.options.graph:  # these are of the graph as it is captured
            return
        settled = known & names if known and part.key not in self._surprised else frozenset()
        self.absent[part.key] = names if known is None else settled
        self._surprised |= {part.key} if known else set()
        self._unread.append(part)

    def _plan_for_absent(self):
        again, self._unread = self._unread, []
        for code in dict.fromkeys(part.key[0] for part in again):
            self.forget(code)

    def _plan_for_measured(self):
        over, self._over = self._over, []
        for part, taken in over:
            self.taken[part.name] = taken
            if self.options.hold:  # to the budget that the first plan had
                self._compile_again(part, part.room)
            else:  # a percentage is of all that the step takes without a plan
                self.forget(part.key[0])

    def _next_room(self, parts, around, budget, rounds):
        """What gives the largest part what the others leave, of those that hold more and may do with less; or None.

        A part that was planned for less than that counts again, since others got smaller.
        """
        uses = between.joined(around, [part.use for part in parts])
        places = range(1, len(uses), 2) if around else range(len(uses))
        rooms = {
            part: Room(*memory.room_of(uses, place, budget)) for place, part in zip(places, parts, strict=True)
        }
        possible = [part for part, room in rooms.items() if not room.has(part.use) and part.may_fit(room)]
        if not possible or rounds >= _ROUNDS * len(parts):
            return None
        part = max(possible, key=lambda part: part.before.peak_bytes)
        return functools.partial(self._compile_again, part, rooms[part])

    def _next_shares(self, parts, around, budget, rounds):
        """What gives each graph the same shares of what it holds without a plan, as some are called several times.

        Where they miss the budget by little, they aim so much lower, and else are others. If these hold more, the first
        ones come again.
        """
        names, uses = tuple(part.name for part in parts), [part.use for part in parts]
        held = memory.step_peak(between.joined(around, uses))
        tried = self._tried[names] = [*(self._tried[names] if rounds else []), (held, self.shares)]
        least, best = min(tried, key=lambda each: each[0])
        befores, left = [part.before for part in parts], budget - held + memory.step_peak(uses)
        first, other = memory.shares_of_repeated(befores, max(left, 1))
        if least <= budget * _NEAR:
            other, _ = memory.shares_of_repeated(befores, max(left - (least - budget), 1))
        ways = [first, other]
        if rounds < len(ways):
            shares = ways[rounds]
            if any(part.may_fit(Room(*memory.room_in(shares, part.before))) for part in parts):
                return functools.partial(self._plan_again_alike, parts, shares)
        is_worse = least < held and rounds <= len(ways)
        return functools.partial(self._plan_again_alike, parts, best) if is_worse else None

    def _plan_again_alike(self, parts, shares):
        """Give each graph these shares."""
        self.shares = shares
        for code in dict.fromkeys(part.key[0] for part in parts):
            self.forget(code)

    def _compile_again(self, part, room):
        self._rooms[part.name] = room
        self.forget(part.key[0])

    def forget(self, code):
        """Have Dynamo compile a function anew at its next call, as no other size."""
        self._names.forget(code)
        if hasattr(code, "forget"):
            code.forget()
        else:
            sessions.replans(code, self)
            torch_private.forget(code)

    def _tell_of_parts(self, step, keys, names):
        over = step["peak_bytes"] > step["budget_bytes"] * TOLERANCE
        what = f"is in {step['parts']} graphs" if step["parts"] > 1 else f"runs one graph {len(keys)} times"
        outside = "parameters that fully_shard gathers beside" if self._gathers else "work outside of"
        what = f"has {outside} its graph and holds with it" if len(keys) == 1 else f"{what}, which together hold"
        sentence = (
            f"The step {what} at most {size_text(step['peak_bytes'])} of "
            f"{size_text(step['keep_all_peak_bytes'])} without a plan; the budget is {size_text(step['budget_bytes'])}."
        )
        if over:
            sentence += " Less was not found with the step in these parts."
        more = " Compile model and loss in one function for better plans; fullgraph=True says where it breaks."
        if all(map(_is_planned_module, keys)):
            more = ""
        elif step["parts"] == 1:
            more = "" if self._gathers else " Compile the function that calls it for better plans."
        if over and self.options.strict:
            raise PlanError(sentence + more)
        if (keys, over) not in self._told_of_parts:
            self._told_of_parts |= {(keys, over), (keys, False), names}
            self._said_bytes[names] = step["peak_bytes"]
            tell(sentence + more, self)
        elif over and step["peak_bytes"] > self._said_bytes.get(names, step["peak_bytes"]) * _SAID_AGAIN:
            self._said_bytes[names] = step["peak_bytes"]
            tell(f"Measured with what runs between its graphs: {sentence}", self)
        elif over and names not in self._told_of_parts:
            tell(OTHER_SIZES, self)


def _is_planned_module(key):
    """Whether a part is a ``planned`` module, and no code that torch.compile compiles."""
    return hasattr(key[0], "forget")
