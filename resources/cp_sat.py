# SPDX-License-Identifier: Apache-2.0
"""Solves one model with OR-Tools' CP-SAT, for remat and remat-studio, which start it with --serve.

The model comes over standard input; bounds, solutions and the end go to standard output. Each message has its length
before it. Any byte after the model ends the search with the best so far; the end of the input ends this process.
"""

import os
import struct
import sys
import threading

NO_SOLVER = 3


def read_exactly(count):
    data = b""
    while len(data) < count:
        part = os.read(0, min(count - len(data), 1 << 20))
        if not part:
            sys.exit(2)
        data += part
    return data


class Teller:
    """Writes messages, from any thread."""

    def __init__(self):
        self.lock = threading.Lock()

    def __call__(self, text):
        data = text.encode()
        data = struct.pack("=Q", len(data)) + data
        with self.lock:
            try:
                while data:
                    data = data[os.write(1, data) :]
            except OSError:
                os._exit(1)  # nobody waits for an answer any more


def serve():
    try:
        from ortools.sat.python import cp_model_helper as cp
    except ImportError as error:
        print(f"OR-Tools cannot be used: {error}", file=sys.stderr)
        return NO_SOLVER
    told, parameters_text, model_text = read_exactly(*struct.unpack("=Q", read_exactly(8))).decode().split("\n", 2)
    model, parameters = cp.CpModelProto(), cp.SatParameters()
    if not model.parse_text_format(model_text) or not parameters.parse_text_format(parameters_text):
        print("The model is not one that this version of OR-Tools reads.", file=sys.stderr)
        return 2
    tell = Teller()
    solver = cp.SolveWrapper()
    solver.set_parameters(parameters)

    class Solutions(cp.SolutionCallback):
        def OnSolutionCallback(self):  # noqa: N802 - OR-Tools' name
            tell("s " + " ".join(str(self.SolutionIntegerValue(v)) for v in range(int(told))))

    def listen():
        while os.read(0, 1):
            solver.stop_search()
        os._exit(1)

    threading.Thread(target=listen, daemon=True).start()
    solutions = Solutions()
    solver.add_solution_callback(solutions)
    solver.add_best_bound_callback(lambda bound: tell(f"b {bound!r}"))
    response = solver.solve(model)
    tell(f"e {response.status.name} {response.best_objective_bound!r} {response.deterministic_time!r}")
    sys.stdout.flush()
    os._exit(0)  # without waiting for the thread that listens


if __name__ == "__main__":
    if sys.argv[1:] != ["--serve"]:
        print(__doc__)
        sys.exit(0 if sys.argv[1:] in (["--help"], ["-h"]) else 2)
    sys.exit(serve())
