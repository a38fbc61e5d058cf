# SPDX-License-Identifier: Apache-2.0
"""Calls ``remat sweep`` and reads the table that it writes; this is all that runs on other machines."""

import csv
import json
import pathlib
import subprocess
import tempfile

from ..executable import find


class SweepError(ValueError):
    """A sentence for the user: what is wrong with a model, a budget or a planner."""


def run(model, budgets, planner, flags, profile=None):
    """One dict for each row of ``remat sweep``.

    ``row`` has the table's columns as text, ``point`` what ``--json`` prints of it, ``model`` what that prints beside
    the points, ``plan`` the plan's file as text or None.

    ``model`` is the name of the file and its bytes, or its path; ``profile`` are the bytes of a profile.
    """
    with tempfile.TemporaryDirectory(prefix="remat-") as folder:
        folder = pathlib.Path(folder)
        if isinstance(model, tuple):
            name, content = model
            model = folder / name
            model.write_bytes(content)
        if profile is not None:
            (folder / "profile.json").write_bytes(profile)
            flags = [*flags, "--profile", str(folder / "profile.json")]
        table, plans = folder / "table.csv", folder / "plans"
        command = [find(), "sweep", str(model), "--budgets", budgets, "--solver", planner, *flags]
        command += ["--json", "-o", str(table), "--plans", str(plans)]
        done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
        if done.returncode not in (0, 1) or not table.is_file():
            said = (done.stderr or done.stdout).strip().splitlines()
            raise SweepError(said[-1] if said else f"remat sweep ended with {done.returncode} and said nothing.")
        answer = json.loads(done.stdout)
        points = answer.pop("points")
        with table.open(newline="") as file:
            rows = list(csv.DictReader(file))
        made = []
        for row, point in zip(rows, points, strict=True):
            path = row["plan_file"]
            row["plan_file"] = ""
            point.pop("plan_file", None)
            plan = pathlib.Path(path).read_text() if path else None
            made.append({"row": row, "point": point, "plan": plan, "model": answer})
        return made


def planners():
    """The names of all planners in their order, each with the names of its options."""
    done = subprocess.run([find(), "solvers", "--json"], capture_output=True, text=True, check=True)
    return {
        planner["name"]: [option["name"] for option in planner["options"]]
        for planner in json.loads(done.stdout)["solvers"]
    }
