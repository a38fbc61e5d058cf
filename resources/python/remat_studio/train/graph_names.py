# SPDX-License-Identifier: Apache-2.0
"""Which graph of a step is which: a key for each, and a name for each size in which it comes and way to compile it."""


class GraphNames:
    """Keys and names of the graphs that one call of torch.compile gives, in the order in which they come."""

    def __init__(self):
        self._sizes = {}  # (size, name) of what was planned, by keys
        self._ways = {}  # names of the other ways to compile a graph, by keys of their own
        self._anew = {}  # those that Dynamo was made to forget, and compiles again
        self._last_compile, self._graph_of_compile = None, 0

    def key_of(self, compiled):
        """The key of the graph that comes now: one compilation has several where Dynamo breaks the function."""
        if compiled == self._last_compile:
            self._graph_of_compile += 1
        else:
            self._last_compile, self._graph_of_compile = compiled, 0
        return compiled.code, self._graph_of_compile

    def name_of(self, key, size, most):
        """The name of a graph of this size; None where there are ``most`` of it already."""
        known, anew = self._sizes.setdefault(key, []), self._anew.get(key, [])
        again = next((each for each in anew if each[0] == size), None)
        if again is not None:
            anew.remove(again)
            return again[1]
        if len(known) >= most:
            return None
        number, count = list(self._sizes).index(key), len(known) + 1
        name = f"step{number or ''}" + (f"_shape{count}" if count > 1 else "")
        known.append((size, name))
        return name

    def way(self, key, name, word):
        """Key and name of another way to compile a graph, called by ``word``."""
        key, name = (key[0], (key[1], word)), f"{name}_{word}"
        names = self._ways.setdefault(key, [])
        if name not in names:
            names.append(name)
        return key, name

    def shapes_of(self, key):
        """In how many shapes a graph came."""
        return len({str(size) for size, _ in self._sizes.get(key, ())})

    def count_of(self, name):
        """Which size of its graph was planned by this name: 1 for the first one."""
        all_names = [*([each for _, each in sizes] for sizes in self._sizes.values()), *self._ways.values()]
        return next(names.index(name) + 1 for names in all_names if name in names)

    def forget(self, code):
        """Dynamo compiles a function anew: what comes then is no other size."""
        self._anew |= {key: list(sizes) for key, sizes in self._sizes.items() if key[0] == code}
