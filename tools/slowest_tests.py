#!/usr/bin/env python3
"""The slowest ten tests of a run, from the file that ctest --output-junit wrote: slowest_tests.py FILE"""
import sys
import xml.etree.ElementTree as xml

if len(sys.argv) != 2:
    sys.exit(__doc__)
try:
    cases = xml.parse(sys.argv[1]).getroot().iter("testcase")
except OSError as error:
    sys.exit(f"{error}; `make test` writes it")
except xml.ParseError as error:
    sys.exit(f"{sys.argv[1]}: not what ctest writes ({error}); `make test` writes it anew")
seconds = sorted(((float(case.get("time")), case.get("name")) for case in cases), reverse=True)
for time, name in seconds[:10]:
    print(f"{time:8.1f} s  {name}")
print(f"{sum(time for time, _ in seconds):8.1f} s  all {len(seconds)} tests, one after another")
