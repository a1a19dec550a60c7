"""Crashes of the log at every file operation, more of them than a test has time for: `python -m bench.log_crashes`.

Prints how many points were seen of each kind. Ends with 1 at the first that does not keep what was promised, and names
its seed.
"""

from __future__ import annotations

import errno
import logging
import sys
import time
from argparse import ArgumentParser
from collections.abc import Callable

from kwire.testing.log_crashes import (
    PLAIN,
    PLAIN_AND_COMPACTED,
    LostPromiseError,
    crash_everywhere,
    fail_everywhere,
    kill_everywhere,
)

CRASHES_LEAST = 10_000
STEPS = 150

KINDS: dict[str, Callable[[int], int]] = {
    "power loss": lambda seed: crash_everywhere(seed, STEPS, PLAIN_AND_COMPACTED, outcomes=4),
    "power loss, bits flipped": lambda seed: crash_everywhere(seed, STEPS, PLAIN, outcomes=2, bit_flips=4),
    "kill": lambda seed: kill_everywhere(seed, STEPS, PLAIN_AND_COMPACTED),
    "EIO": lambda seed: fail_everywhere(seed, STEPS, PLAIN_AND_COMPACTED, errno.EIO, every=5),
    "ENOSPC": lambda seed: fail_everywhere(seed, STEPS, PLAIN_AND_COMPACTED, errno.ENOSPC, every=5),
}


def main(arguments: list[str]) -> int:
    parser = ArgumentParser(prog="python -m bench.log_crashes", description=__doc__)
    parser.add_argument("--seeds", type=int, default=3, help="histories of each kind (default: %(default)s)")
    parser.add_argument("--first-seed", type=int, default=100, help="the first one's seed (default: %(default)s)")
    options = parser.parse_args(arguments)
    logging.disable(logging.CRITICAL)
    start = time.monotonic()
    seen: dict[str, int] = {}
    for name, run in KINDS.items():
        try:
            seen[name] = sum(run(seed) for seed in range(options.first_seed, options.first_seed + options.seeds))
        except LostPromiseError as error:
            print(f"{name}: {error}", file=sys.stderr)
            return 1
        print(f"{name:<26}{seen[name]:>8,} points, all promises kept", flush=True)
    crashes = seen["power loss"] + seen["power loss, bits flipped"] + seen["kill"]
    print(f"{crashes:,} crashes, {seen['EIO'] + seen['ENOSPC']:,} failures, {time.monotonic() - start:.0f} s")
    return 0 if crashes >= CRASHES_LEAST or options.seeds < 3 else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
