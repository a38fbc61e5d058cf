#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""POET's energies on random graphs against another program by another solver, as Markdown.

The other program is written here from the rules of a plan alone, without cuts, starts or windows, and HiGHS solves it (in `ortools`,
of requirements-run.txt; POET's is solved by CBC). It holds all plans that make their first computations in the graph's order: what
was made may be computed again between two of those, it may leave, and come back any number of times; energy does not depend on when
copies are made. First memory is looked at during first computations only. Then the program's least energy is no more than that of any
plan, and where POET's plan, which the checker passed, takes that, it is the least (*equal*). Where it does not, memory is looked at
throughout, and an op is computed again at most once between two first computations and in the graph's order, as POET says of
its own proofs then (*equal, once a slot*). *Less*: POET did not prove its plan, and there is a better one; *open*: not known in the time.

Ends with 1 where POET takes less than the program proves, or says that its plan is the best and the program has a plan for less.

    .venv/bin/python tests/benchmarks/poet_oracle.py [--graphs random:60:1,random:60:2] [--devices nrf52840] [--shares 0.8,0.6]
"""

import argparse
import collections
import datetime
import json
import math
import pathlib
import subprocess
import sys
import tempfile
import time

from ortools.math_opt.python import mathopt

_ROOT = pathlib.Path(__file__).resolve().parents[2]
_SAME = 1e-6  # share of the energy


def main():
    options = _options()
    print("| graph | device | budget | POET adds | status | seconds | at least | at most | seconds | |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    wrong = 0
    for name in options.graphs:
        command = [options.bin / "remat-benchmark", "write", name]
        text = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
        for device in options.devices:
            figures = json.loads((_ROOT / "resources" / "devices" / f"{device}.json").read_text())
            rules = Rules(json.loads(text), figures)
            for share in options.shares:
                wrong += _compare(options, name, text, device, rules, share)
    sys.exit(1 if wrong else 0)


def _options():
    def words(text):
        return text.split(",")

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--graphs", type=words, default=[f"random:60:{seed}" for seed in range(1, 13)],
                        help="as remat-benchmark takes them; forward passes without updates")
    parser.add_argument("--devices", type=words, default=["nrf52840", "raspberry-pi-4"])
    parser.add_argument("--shares", type=lambda text: [float(each) for each in text.split(",")], default=[0.9, 0.8, 0.6],
                        help="budgets, from 0, what the largest op takes, to 1, keep-all's peak")
    parser.add_argument("--prove", action="store_true", help="end with 1 where a row is open or less, too")
    parser.add_argument("--time-limit", type=float, default=60, help="seconds for either")
    parser.add_argument("--bin", type=pathlib.Path, default=_ROOT / "build" / "bin", help="where remat is")
    return parser.parse_args()


class Rules:
    """Graph and prices as the rules of a plan see them. Storages are numbered as they are made; the last op, which takes nothing, is
    the end, at which outputs are held. Energies in joules."""

    def __init__(self, graph, device):
        self.watts = device["joules_per_byte"] * device["bytes_per_second"]
        self.bytes, self.maker, number = [], [], {}
        self.reads, self.makes, self.joules, self.workspace, self.once = [], [], [], [], []
        for op in graph["ops"]:
            self.reads.append({number[name] for name in op["inputs"] if name in number})
            self.makes.append(set())
            for made in op["outputs"]:
                number[made["name"]] = len(self.bytes)
                self.makes[-1].add(len(self.bytes))
                self.bytes.append(made["bytes"])
                self.maker.append(len(self.joules))
            self.joules.append(self.watts * op["time_us"] * 1e-6)
            self.workspace.append(op.get("workspace_bytes", 0))
            self.once.append(op.get("compute_once", False))
        self.ops = len(self.joules)
        self.reads.append({number[name] for name in graph["outputs"]})
        self.makes.append(set())
        self.workspace.append(0)
        link = device["link_bytes_per_second"]
        watts = device.get("link_watts", 0) or device["joules_per_byte"] * link
        self.copy_joules = [watts * (device["link_latency_us"] * 1e-6 + size / link) for size in self.bytes]

    def touched(self, op):
        """Bytes that a computation takes by itself."""
        return self.workspace[op] + sum(self.bytes[s] for s in self.reads[op] | self.makes[op])

    def keep_all_peak(self):
        last = [max((t for t in range(self.ops + 1) if s in self.reads[t]), default=made) for s, made in enumerate(self.maker)]
        return max(self.workspace[t] + sum(size for s, size in enumerate(self.bytes) if self.maker[s] <= t <= last[s])
                   for t in range(self.ops + 1))

    def useful(self, t):
        """Storages that can still matter before the first computation of op t."""
        useful = set().union(*self.reads[t:])
        for i in reversed(range(t)):
            if self.again(i, useful):
                useful |= self.reads[i]
        return useful

    def again(self, i, useful):
        return not self.once[i] and not useful.isdisjoint(self.makes[i])


class Program:
    """The least energy added to one computation of each op. Slot t lies before the first computation of op t; in a fine one ops are
    computed again at most once, in their order, and memory is looked at meanwhile."""

    def __init__(self, rules, budget, fine=False):
        self._rules, self._budget = rules, budget
        self._unit = sum(rules.joules) / 100  # the objective is in percent
        self._model = mathopt.Model()
        self._price = []
        self._across = collections.defaultdict(list)  # per op: bytes held during its first computation that it does not touch
        self._held = {}
        self._leaves = [self._binary(joules) for joules in rules.copy_joules]
        for t in range(rules.ops + 1):
            useful = rules.useful(t)
            computed = {i: self._binary(rules.joules[i]) for i in range(t) if rules.again(i, useful)}
            before = {s: self._hold(t - 1, s) for s in sorted(useful) if rules.maker[s] < t}
            (self._add_fine_slot if fine else self._add_coarse_slot)(t, computed, before)
        for t in range(rules.ops + 1):
            self._at_most(mathopt.fast_sum(self._across[t]), budget - rules.touched(t))
        self._model.minimize(mathopt.fast_sum(self._price))

    def _binary(self, joules=0.0):
        column = self._model.add_binary_variable()
        self._price.append(joules / self._unit * column)
        return column

    def _at_most(self, left, right):
        self._model.add_linear_constraint(left <= right)

    def _below(self, most):
        """A new column that is at most `most`."""
        column = self._binary()
        self._at_most(column, most)
        return column

    def _back(self, s):
        """The column that s comes back once."""
        column = self._binary(self._rules.copy_joules[s])
        self._at_most(column, self._leaves[s])
        return column

    def _hold(self, t, s):
        """1 or the column that s is held during the first computation of t."""
        if s in self._rules.reads[t] or s in self._rules.makes[t]:
            return 1
        if (t, s) not in self._held:
            self._held[t, s] = self._binary()
            self._across[t].append(self._rules.bytes[s] * self._held[t, s])
        return self._held[t, s]

    def _add_coarse_slot(self, t, computed, before):
        there = {}
        for s, held in before.items():
            ways = held + self._back(s) + computed.get(self._rules.maker[s], 0)
            if s in self._rules.reads[t]:
                there[s] = 1
                self._at_most(1, ways)
            else:
                there[s] = self._below(ways)
                self._at_most(self._hold(t, s), there[s])
        for i, column in computed.items():
            for s in self._rules.reads[i]:
                self._at_most(column, there[s])

    def _add_fine_slot(self, t, computed, before):
        rules = self._rules
        now = {s: self._below(held) if isinstance(held, int) else held for s, held in before.items()}
        for i, column in computed.items():
            for s in rules.reads[i]:
                back = self._back(s)
                self._at_most(back, column)
                now[s] = self._below(now[s] + back)
                self._at_most(column, now[s])
            makes = rules.workspace[i] + sum(rules.bytes[s] for s in rules.makes[i])
            self._at_most(mathopt.fast_sum([makes * column, *(rules.bytes[s] * held for s, held in now.items())]), self._budget)
            for s in rules.reads[i]:
                now[s] = self._below(now[s])
            for s in rules.makes[i] & now.keys():
                now[s] = self._below(now[s] + column)
        for s, held in now.items():
            if s in rules.reads[t]:
                self._at_most(1, held + self._back(s))
            else:
                self._at_most(self._hold(t, s), held)

    def solve(self, seconds):
        """(proven least, least found) in percent of keep-all's energy; what is not known is infinite."""
        limit = datetime.timedelta(seconds=seconds)
        parameters = mathopt.SolveParameters(time_limit=limit, relative_gap_tolerance=0, absolute_gap_tolerance=1e-7)
        bounds = mathopt.solve(self._model, mathopt.SolverType.HIGHS, params=parameters).termination.objective_bounds
        return bounds.dual_bound, bounds.primal_bound


def _compare(options, name, text, device, rules, share):
    """Prints a row; whether it is one to end with 1 for."""
    least, most = max(map(rules.touched, range(rules.ops + 1))), rules.keep_all_peak()
    budget = int(least + (most - least) * share)
    begun = time.monotonic()
    poet = _poet(options, text, device, budget)
    poet_seconds, begun = time.monotonic() - begun, time.monotonic()
    added = 100 * (poet["energy_joules"] / sum(rules.joules) - 1) if "energy_joules" in poet else math.inf
    proven, of_once = poet["status"] == "optimal", "at most once" in poet.get("message", "")
    lower, upper = Program(rules, budget).solve(options.time_limit)
    told = "equal" if _same(lower, added) else "open"
    wrong = _less(added, lower) or (proven and not of_once and _less(upper, added))
    if told == "open" and not wrong and (of_once or not proven):
        lower, upper = Program(rules, budget, fine=True).solve(options.time_limit)
        told = "equal, once a slot" if _same(lower, added) else "less" if _less(upper, added) else "open"
        wrong = _less(added, lower) or (proven and _less(upper, added))
    seconds = time.monotonic() - begun
    print(f"| {name} | {device} | {share} | {_percent(added)} | {poet['status']} | {poet_seconds:.0f} | {_percent(lower)} | "
          f"{_percent(upper)} | {seconds:.0f} | {'WRONG' if wrong else told} |", flush=True)
    return wrong or (options.prove and not told.startswith("equal"))


def _less(a, b):
    """Whether one added percent is less than another."""
    return a < b - 100 * _SAME


def _same(a, b):
    return abs(a) < math.inf and not _less(a, b) and not _less(b, a)


def _percent(added):
    return f"{added:.4f} %" if abs(added) < math.inf else "none"


def _poet(options, text, device, budget):
    with tempfile.NamedTemporaryFile("w", suffix=".json") as graph:
        graph.write(text)
        graph.flush()
        command = [options.bin / "remat", "plan", graph.name, "--device", device, "--solver", "poet", "--set", "objective=energy",
                   "--budget", str(budget), "--time-limit", str(options.time_limit), "--threads", "1", "--json"]
        return json.loads(subprocess.run(command, stdout=subprocess.PIPE, text=True).stdout)


if __name__ == "__main__":
    main()
