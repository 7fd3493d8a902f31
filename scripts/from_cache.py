# Reads the lines of `lintel tune --json`; fails unless each kernel came from the cache.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   lintel tune --json PROBLEM... | python3 scripts/from_cache.py
import json
import sys


def main(lines):
    sources = []
    for line in lines:
        report = json.loads(line)
        sources.append(report["source"])
        print(f"  {report['problem']:<36} {report['source']:<7} key {report['key']}")
    missed = sum(source != "cache" for source in sources)
    print(f"  {len(sources) - missed} of {len(sources)} kernels from the cache")
    return 1 if missed or not sources else 0


if __name__ == "__main__":
    sys.exit(main(sys.stdin))
