#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whether time limits are kept on large graphs: every planner over every graph, `remat plan` as users call it.

    tests/benchmarks/time_limits.py [--remat build/bin/remat] [--ops 20000,200000] [--graphs chain,random]
                                    [--solver a,b] [--seconds 2,5] [--budget 60%] [--stop SECONDS] [-o table.csv]

A limit of s seconds is kept when the command ends within 1.2 s + 1 after the model is read; reading is measured by itself,
with `remat costs`. On a busy machine the wall clock measures the others too, so CPU seconds are told beside it: what is
late by the wall clock and not by them had to wait. --stop sends an interrupt after so many seconds instead, and the
command has to end a second and a half later."""

import argparse
import csv
import json
import os
import signal
import subprocess
import sys
import tempfile
import time

import made_graphs


def measured(command, stop_after=None, give_up=120):
    """(wall seconds, CPU seconds, most MB, exit code, what it said) of a command; None as code when it was killed."""
    start = time.monotonic()
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(command, stdout=said, stderr=subprocess.STDOUT)
        killed = False
        while True:
            ended, status, used = os.wait4(process.pid, os.WNOHANG)
            wall = time.monotonic() - start
            if ended:
                break
            if stop_after is not None and wall > stop_after:
                process.send_signal(signal.SIGINT)
                stop_after = None
            if wall > give_up and not killed:
                process.kill()
                killed = True
            time.sleep(0.02)
        process.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        text = said.read().decode(errors="replace").strip()
    return wall, used.ru_utime + used.ru_stime, used.ru_maxrss // 1024, None if killed else process.returncode, text


def status_of(code, text):
    if code is None:
        return "killed"
    try:
        told = json.loads(text)
        return told["status"] + (" with a plan" if "solver" in told else "")
    except (ValueError, KeyError):
        return text.splitlines()[-1][:60] if text else f"exit {code}"


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--remat", default=os.path.join(here, "..", "..", "build", "bin", "remat"))
    arguments.add_argument("--ops", default="20000,50000,100000,200000")
    arguments.add_argument("--graphs", default="chain,layers,u,random")
    arguments.add_argument("--solver", default="")
    arguments.add_argument("--seconds", default="2,5,10")
    arguments.add_argument("--budget", default="60%")
    arguments.add_argument("--stop", type=float)
    arguments.add_argument("-o", "--output")
    asked = arguments.parse_args()

    told = json.loads(subprocess.check_output([asked.remat, "solvers", "--json"]))
    solvers = asked.solver.split(",") if asked.solver else [each["name"] for each in told["solvers"]]
    out = csv.writer(open(asked.output, "w", newline="") if asked.output else sys.stdout)
    out.writerow("graph ops solver limit_s read_wall_s read_cpu_s wall_s cpu_s late_wall_s late_cpu_s mb result".split())
    worst = 0.0
    with tempfile.TemporaryDirectory() as folder:
        for kind in asked.graphs.split(","):
            for ops in map(int, asked.ops.split(",")):
                path, plan = os.path.join(folder, f"{kind}-{ops}.json"), os.path.join(folder, "plan.json")
                with open(path, "w") as file:
                    json.dump(made_graphs.MAKERS[kind](ops), file)
                read_wall, read_cpu, _, code, text = measured([asked.remat, "costs", path, "--json"])
                if code != 0:
                    sys.exit(f"{kind} with {ops} ops cannot be read: {text[-300:]}")
                for solver in solvers:
                    for seconds in map(float, asked.seconds.split(",")):
                        limit = "1000" if asked.stop is not None else str(seconds)
                        wall, cpu, megabytes, code, text = measured(
                            [asked.remat, "plan", path, "--budget", asked.budget, "--solver", solver, "--threads", "1",
                             "--chunk", "off", "--time-limit", limit, "-o", plan, "--json"],
                            None if asked.stop is None else read_wall + asked.stop)
                        allowed = 1.2 * seconds + 1 if asked.stop is None else asked.stop + 1.5
                        late_wall, late_cpu = wall - read_wall - allowed, cpu - read_cpu - allowed
                        worst = max(worst, late_cpu)
                        figures = [read_wall, read_cpu, wall, cpu, max(0, late_wall), max(0, late_cpu)]
                        out.writerow([kind, ops, solver, limit] + [f"{each:.2f}" for each in figures] +
                                     [megabytes, status_of(code, text)])
                        sys.stdout.flush()
                os.remove(path)
    print(f"latest by CPU time: {worst:.2f} s", file=sys.stderr)
    return 1 if worst > 0 else 0


if __name__ == "__main__":
    sys.exit(main())
