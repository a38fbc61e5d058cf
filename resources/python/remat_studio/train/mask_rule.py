# SPDX-License-Identifier: Apache-2.0
"""Which attention masks of ``transformers`` eager mode leaves out by their values, read off the traces that Dynamo keeps.

The rule is in ``transformers.masking_utils`` (``sdpa_mask`` and what it asks) and ``integrations.sdpa_attention``. A
mask that anything else is mixed into is made in eager mode, too, whatever its values are.
"""

import functools
import linecache
import re

import torch

MOST_HEAD_SIZE = 256  # of grouped heads that attention takes as they are, where it has no mask

_FRAME = re.compile(r'File "(.*)", line \d+, in (\w+)(?:\n +(.*))?')
_MAKES = "/transformers/masking_utils.py", "sdpa_mask"
_CAUSAL = _MAKES[0], "causal_mask_function"
_ATTENDS = "/transformers/integrations/sdpa_attention.py", "sdpa_attention_forward"
_REPEATS = _ATTENDS[0], "repeat_kv"
_PLAIN = {"sdpa_mask", "and_mask", "causal_mask_function", "bidirectional_mask_function", "prepare_padding_mask"}
_PLAIN |= {"_non_vmap_expansion_sdpa"}
_OF_BATCH = ("padding_mask[", "packed_sequence_mask[", "mask_function(")  # in lines of functions within functions
_WINDOWS = ("sliding_window", "chunk_size")
_FORCES = "allow_is_"  # begins the arguments by which a model has its masks made for any batch


def is_attention(node):
    """Whether the library calls attention here."""
    return any(_is_in(frame, _ATTENDS) for frame in _frames(node))


def is_repeated(node):
    """Whether the library spreads out grouped heads here."""
    return any(_is_in(frame, _REPEATS) for frame in _frames(node)[-1:])


def is_causal(sources):
    """Whether a mask that is made of these nodes is causal."""
    return any(_is_in(frame, _CAUSAL) for node in sources for frame in _frames(node))


def may_be_left_out(mask, sources, keys):
    """Whether a mask over so many keys, made of these nodes, is left out where it masks nothing."""
    if not _making(mask) or any(_forces(path) for path, _, _ in _frames(mask)):
        return False
    return all(_is_plain(node, keys) for node in sources)


def _is_plain(node, keys):
    """False for what has the library make a mask for any batch."""
    for path, function, line in _making(node):
        if not path.endswith(_MAKES[0]):
            return False
        if function in _PLAIN or any(words in line for words in _OF_BATCH):
            continue
        if not any(words in line for words in _WINDOWS) or any(size <= keys for size in _numbers(node)):
            return False
    return True


def _making(node):
    """The frames from the function on that makes a mask."""
    frames = _frames(node)
    begin = next((index for index, frame in enumerate(frames) if _is_in(frame, _MAKES)), len(frames))
    return frames[begin:]


@functools.cache
def _forces(path):
    return not path.endswith(_MAKES[0]) and any(_FORCES in line for line in linecache.getlines(path))


def _numbers(node):
    return [int(each) for each in node.args if isinstance(each, int | torch.SymInt)]


def _is_in(frame, place):
    return frame[0].endswith(place[0]) and frame[1] == place[1]


def _frames(node):
    """Path, function and line of each call that led to a node, the outermost one first."""
    return _FRAME.findall(node.meta.get("stack_trace") or "")
