# SPDX-License-Identifier: Apache-2.0
"""Which graphs make one step, what they hold together, and how they share its budget."""

import dataclasses
import functools
import re
import threading
import weakref

import torch

from ..sizes import size_text
from . import memory, options, torch_private, workspaces
from .errors import PlanError
from .pace import Pace
from .telling import tell

_TOLERANCE = 1.001  # times the budget: parts are planned to whole bytes, their sum need not be planned again for less
_ROUNDS = 2  # times the parts: each is planned once more, and again where others got smaller since
_BREAKS_TOLD = 2  # reasons that are said of one step; others are of the same kinds mostly
_RETAINED = (
    "A backward ran a second time (retain_graph=True), and until then all that is saved stayed beside what the plan "
    "counts; add the losses up and call backward once to hold the budget."
)
OTHER_SIZES = (
    "Other sizes of the step hold more than their budget, too; remat_studio.records() has what each of them holds."
)
_COPIED_CONFIG = re.compile(r"copy\.deepcopy\(UserDefinedObjectVariable\(\w*Config\)\)")
_WITHOUT_CACHE = (
    " Models of transformers copy their configuration for a cache of keys and values, which training has no use for: "
    "give the model use_cache=False."
)


@dataclasses.dataclass(frozen=True)
class Room:
    """What a part may hold, in bytes, and what lies on top of it between its forward and backward."""

    budget_bytes: int
    border_bytes: int

    @property
    def saved_bytes(self):
        """What it may hold between its forward and backward."""
        return self.budget_bytes - self.border_bytes

    def has(self, use):
        """Whether a part with this Use is within it."""
        return use.peak_bytes <= self.budget_bytes and use.saved_bytes <= self.saved_bytes

    def is_within(self, other):
        """Whether what fits it fits ``other``, too."""
        return self.budget_bytes <= other.budget_bytes and self.saved_bytes <= other.saved_bytes


@dataclasses.dataclass(eq=False)
class Part:
    """One planned graph of a step."""

    key: tuple  # code of the function and number of its graph, the same when it is compiled again
    name: str  # of this size of it
    record: dict
    use: memory.Use  # as planned
    before: memory.Use  # as the script holds it without a plan
    is_least: bool  # no plan was found within its room, and no smaller one
    room: Room | None = None  # what it was planned for, None where it is not planned once more
    is_held: bool = False  # it was planned once more for what its first step took
    to_come: int = 0  # backwards, one for each forward

    def may_fit(self, room):
        """Whether a plan within a Room may be found: none is where there was none with as much room."""
        return not self.is_least or (self.room is not None and not room.is_within(self.room))


class Waiting:
    """Parts of a step whose forward ran, and whose backward is to come."""

    def __init__(self):
        self._all = []  # (part, weak reference to what it saved)

    def parts(self):
        """Those in the order of their forwards, without what was dropped without a backward, as in an evaluation."""
        self._all = [(part, saved) for part, saved in self._all if saved() is not None]
        return [part for part, _ in self._all]

    def begins(self, part, saved):
        """The forward of a part ran; ``saved`` is a weak reference to something that its backward reads."""
        self._all.append((part, saved))

    def ends(self, part):
        """The backward of a part ran: True where no other one is to come."""
        position = max((i for i, (each, _) in enumerate(self._all) if each is part), default=None)
        if position is not None:
            del self._all[position]
        return not self._all


class Session:
    """What belongs to one call of torch.compile, or to the graphs of a step that a library compiles one by one.

    Parts whose backward is still to come when another part runs hold memory together. After the first whole step the
    sum is known; where it is over the budget, the parts are planned once more, each for what the others leave.
    """

    def __init__(self, given):
        self.given = given  # kept alive: its id finds this session again
        self.options = options.read(given)
        self.pace = Pace()
        self.shares = None  # of what graphs hold without a plan, at their peak and saved, where some run several times
        self.known = {}  # what was planned for each size of a part, by its key
        self.taken = {}  # what kernels of parts took that are to be planned once more for that, by their names
        self.rehearses = False  # True while a step in several graphs runs once for their certificates
        self.certified = []  # (what was planned, its certificate) of graphs whose step is not held against PyTorch yet
        self.missed = set()  # keys of parts one of whose shapes misses its budget, which was said
        self._over = []  # parts that took more than their budget in this step, and what their kernels took
        self._sizes = {}  # (size, name) of what was planned, by the keys of parts
        self._anew = {}  # those that Dynamo was made to forget, and compiles again
        self._rooms = {}  # what parts were given that were to be planned once more, by their names
        self._shared = {}  # parts of the last step that shared its budget so, by each of their keys
        self._told_of_parts = set()
        self._last_compile, self._graph_of_compile = None, 0
        self._waiting = Waiting()
        self._step = []  # parts in the order of their forward, since the step began
        self._rounds = {}  # how often a step of parts with these names was planned again
        self._lock = threading.Lock()

    @property
    def is_in_flight(self):
        """True between the forward of a part and its backward."""
        self._let_go()
        return bool(self._waiting.parts())

    def enter(self, compiled, size):
        """Count one more graph, for inputs of this size; its key and name, or None beyond the limit of shapes."""
        workspaces.remember_kernels()
        if compiled == self._last_compile:
            self._graph_of_compile += 1
        else:
            self._last_compile, self._graph_of_compile = compiled, 0
        key = (compiled.code, self._graph_of_compile)
        known, anew = self._sizes.setdefault(key, []), self._anew.get(key, [])
        again = next((each for each in anew if each[0] == size), None)
        if again is not None:
            anew.remove(again)
            return key, again[1]
        if len(known) >= self.options.shapes:
            self._tell_of_shapes()
            return None
        number, count = list(self._sizes).index(key), len(known) + 1
        name = f"step{number or ''}" + (f"_shape{count}" if count > 1 else "")
        known.append((size, name))
        return key, name

    def has_shapes(self, key):
        """True where a part came in more than one shape."""
        return len(self._sizes.get(key, ())) > 1

    def count_of(self, name):
        """Which size of its part was planned by this name: 1 for the first one."""
        return next(
            index for sizes in self._sizes.values() for index, (_, each) in enumerate(sizes, 1) if each == name
        )

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

    def _tell_of_shapes(self):
        sentence = (
            f"The step came in more than {self.options.shapes} shapes, and each is planned by itself; pad the batches "
            'to fewer shapes, or raise options={"shapes": ...}.'
        )
        if self.options.strict:
            raise PlanError(sentence)
        tell(f"{sentence} Further shapes run without a plan.", self)

    def taken_bytes(self):
        """What parts hold that wait for their backward."""
        self._let_go()
        return sum(part.use.saved_bytes for part in self._waiting.parts())

    def _let_go(self):
        with self._lock:
            if not self._waiting.parts():
                self._step = []

    def begins(self, part, saved):
        """The forward of a part ran; ``saved`` is a weak reference to something that its backward reads."""
        self._let_go()
        with self._lock:
            self._waiting.begins(part, saved)
            self._step.append(part)
            part.to_come += 1
        _flight.session = self

    def ends(self, part):
        """The backward of a part ran."""
        with self._lock:
            part.to_come -= 1
            if part.to_come < 0:
                part.to_come = 0
                tell(_RETAINED, self)
            if not self._waiting.ends(part):
                return
            parts, self._step = self._step, []
        if self.rehearses:
            return
        self._tell_of_breaks()
        if self._over:
            self._plan_for_measured()
        elif len(parts) > 1:  # of several graphs, or of one that is called several times, as for equal layers
            self._complete(parts)

    def _tell_of_breaks(self):
        """What runs where Dynamo breaks a step is in no plan."""
        new = [reason for reason in torch_private.graph_breaks() if reason not in _known_breaks]
        _known_breaks.update(new)
        for reason in new[:_BREAKS_TOLD]:
            way_out = _WITHOUT_CACHE if _COPIED_CONFIG.search(reason) else ""
            tell(f"Dynamo breaks what is compiled, and what runs there is in no plan: {reason}{way_out}", self)

    def _complete(self, parts):
        """A step in several parts is over: say what it holds, or plan it once more."""
        keys, names = (tuple(each) for each in zip(*((part.key, part.name) for part in parts), strict=True))
        uses = [part.use for part in parts]
        before = memory.step_peak([part.before for part in parts])
        budget = self.options.budget.of(before) if self.options.budget else before
        held = memory.step_peak(uses)
        step = {"parts": len(set(keys)), "budget_bytes": budget, "peak_bytes": held, "keep_all_peak_bytes": before}
        for part in parts:
            part.record["step"] = step
        rounds = self._rounds.get(names, 0)
        plan_again = None
        is_repeated = len(set(keys)) < len(keys)
        if held > budget * _TOLERANCE and not self.options.plan:
            find = self._next_shares if is_repeated else self._next_room
            plan_again = find(parts, budget, rounds)
        if (plan_again or rounds) and not is_repeated:
            self._shared |= dict.fromkeys(keys, parts)
        if plan_again:
            self._rounds[names] = rounds + 1
            plan_again()
        else:
            self._tell_of_parts(step, keys, names)

    def hold(self, part, workspaces):
        """When this step is over, plan a part again for the workspaces that its kernels took."""
        self._over.append((part, workspaces))

    def _plan_for_measured(self):
        over, self._over = self._over, []
        for part, workspaces in over:
            self.taken[part.name] = workspaces
            self._compile_again(part, part.room)

    def _next_room(self, parts, budget, rounds):
        """What gives the largest part what the others leave, of those that hold more and may do with less; or None.

        A part that was planned for less than that counts again, since others got smaller.
        """
        uses = [part.use for part in parts]
        rooms = {part: Room(*memory.room_of(uses, index, budget)) for index, part in enumerate(parts)}
        possible = [part for part, room in rooms.items() if not room.has(part.use) and part.may_fit(room)]
        if not possible or rounds >= _ROUNDS * len(parts):
            return None
        part = max(possible, key=lambda part: part.before.peak_bytes)
        return functools.partial(self._compile_again, part, rooms[part])

    def _next_shares(self, parts, budget, rounds):
        """What gives each graph the same shares of what it holds without a plan, as some are called several times."""
        ways = memory.shares_of_repeated([part.before for part in parts], budget)[rounds:]
        if not ways or not any(part.may_fit(Room(*memory.room_in(ways[0], part.before))) for part in parts):
            return None
        return functools.partial(self._plan_again_alike, parts, ways[0])

    def _plan_again_alike(self, parts, shares):
        """Give each graph these shares."""
        self.shares = shares
        for code in dict.fromkeys(part.key[0] for part in parts):
            self._forget(code)

    def _compile_again(self, part, room):
        self._rooms[part.name] = room
        self._forget(part.key[0])

    def _forget(self, code):
        self._anew |= {key: list(sizes) for key, sizes in self._sizes.items() if key[0] == code}
        if hasattr(code, "forget"):
            code.forget()
        else:
            _replanned[code] = self
            torch_private.forget(code)

    def _tell_of_parts(self, step, keys, names):
        over = step["peak_bytes"] > step["budget_bytes"] * _TOLERANCE
        what = f"is in {step['parts']} graphs" if step["parts"] > 1 else f"runs one graph {len(keys)} times"
        sentence = (
            f"The step {what}, which together hold at most {size_text(step['peak_bytes'])} of "
            f"{size_text(step['keep_all_peak_bytes'])} without a plan; the budget is {size_text(step['budget_bytes'])}."
        )
        if over:
            sentence += " Less was not found with the step in these parts."
        more = " Compile model and loss in one function for better plans; fullgraph=True says where it breaks."
        if step["parts"] == 1:
            more = " Compile the function that calls it for better plans."
        if over and self.options.strict:
            raise PlanError(sentence + more)
        if (keys, over) not in self._told_of_parts:
            self._told_of_parts |= {(keys, over), (keys, False), names}
            tell(sentence + more, self)
        elif over and names not in self._told_of_parts:
            tell(OTHER_SIZES, self)


def forward_of(run, then):
    """The forward function ``run``, after which ``then`` gets a weak reference to something that it saved."""

    def call(given):
        inputs = {id(value) for value in given}
        result = run(given)
        made = [value for value in result if isinstance(value, torch.Tensor) and id(value) not in inputs]
        then(weakref.ref(made[-1]) if made else lambda: None)
        return result

    call._boxed_call = True
    return call


def backward_of(run, then):
    """The backward function ``run``, after which ``then`` is called."""

    def call(given):
        result = run(given)
        then()
        return result

    call._boxed_call = True
    return call


class _Flight(threading.local):
    session = None


_flight = _Flight()
_known_breaks = set(torch_private.graph_breaks())  # those before there was a step of ours, and those that were told
_sessions = {}
_replanned = {}  # code -> the session that has it compiled again
_lock = threading.Lock()


def of(given, compiled):
    """The session of a call of torch.compile with these options, or of a step that is under way without any."""
    with _lock:
        again = _replanned.pop(compiled.code, None)
        if again is not None:
            return again
        if given is not None:
            known = _sessions.get(id(given))
            if known is None or known.given is not given:
                known = _sessions[id(given)] = Session(given)
            return known
        flying = _flight.session
        if flying is not None and flying.given is None and flying.is_in_flight:
            _sessions[compiled.code] = flying
            return flying
        known = _sessions.get(compiled.code)
        if known is None or compiled.is_first:
            known = _sessions[compiled.code] = Session(None)
        return known
