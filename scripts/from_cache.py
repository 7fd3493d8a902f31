# Reads the lines of `lintel tune --json`; fails unless each kernel came from the cache.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   lintel tune --json PROBLEM... | python3 scripts/from_cache.py
import json
import sys


def main(lines):
    sources, failed = [], 0
    for number, line in enumerate(lines, 1):
        try:
            report = json.loads(line)
            if "error" in report:
                print(f"  {report['problem']:<36} failed: {report['error']}")
                failed += 1
                continue
            kernel = f"{report['problem']:<36} {report['source']:<7} key {report['key']}"
        except (ValueError, KeyError, TypeError):
            print(f"from_cache.py: line {number} is no report of lintel tune", file=sys.stderr)
            return 1
        sources.append(report["source"])
        print(f"  {kernel}")
    missed = sum(source != "cache" for source in sources)
    print(f"  {len(sources) - missed} of {len(sources) + failed} kernels from the cache")
    return 1 if missed or failed or not sources else 0


if __name__ == "__main__":
    sys.exit(main(sys.stdin.buffer))
