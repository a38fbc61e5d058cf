# SPDX-License-Identifier: Apache-2.0
"""Keeps a process alive in which the thread that first captured a model has ended."""

import functools
import threading

import torch

from . import torch_private


@functools.cache
def settle():
    """Have a thread that stays make what PyTorch keeps for stand-in tensors; to be called before they are used.

    Without a GPU, PyTorch 2.11 keeps a pointer to an object of the thread that uses them first. When that thread has
    ended, the next one to use them ends the process.
    """
    set_guard = torch_private.device_guard_setter()
    if torch.cuda.is_available() or set_guard is None:
        return
    if threading.current_thread() is threading.main_thread():
        set_guard()
        return
    is_made = threading.Event()

    def stay():
        set_guard()
        is_made.set()
        threading.Event().wait()

    threading.Thread(target=stay, name="remat-stand-ins", daemon=True).start()
    is_made.wait()
