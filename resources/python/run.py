# SPDX-License-Identifier: Apache-2.0
"""``python -I run.py ARGUMENTS…``: ``python -m remat_studio`` of the package beside this file; ``remat`` calls it."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
try:
    from remat_studio.__main__ import main
except ImportError as error:
    print(error, file=sys.stderr)
    sys.exit(2)
sys.exit(main(sys.argv[1:]))
