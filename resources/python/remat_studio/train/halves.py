# SPDX-License-Identifier: Apache-2.0
"""Functions of the two halves of a part, which tell when they begin and what waits for a backward."""

import weakref

import torch


def forward_of(run, begins, then, hands=None):
    """The forward function ``run``; after ``begins()`` and it, ``then`` gets a weak reference to what it saved.

    With the Handed of its graph, ``hands``, it gets all that ``part.Run`` has of it.
    """

    def call(given):
        begins()
        inputs = [*map(id, given)]
        taken = hands.taken(given) if hands else {}
        result = list(run(given))
        more = (hands.kept(taken, result), hands.given(result)) if hands else ()
        last = max((i for i, value in enumerate(result) if isinstance(value, torch.Tensor)), default=None)
        if last is None:
            then(lambda: None, *more)
            return result
        outputs = map(id, result[:last])
        if id(result[last]) in (*inputs, *outputs):  # the script decides how long it is there, unlike a view of it
            result[last] = result[last].detach()
        then(weakref.ref(result[last]), *more)
        return result

    call._boxed_call = True
    return call


def backward_of(run, begins, then):
    """The backward function ``run``, between ``begins()`` and ``then()``."""

    def call(given):
        begins()
        result = run(given)
        then()
        return result

    call._boxed_call = True
    return call
