#!/bin/sh
# The parts of test_page.py that a landing waits for, about 6 s: browser.sh WARPBEAM SOURCE. `./dev test all` runs all.
exec python3 "$2/tests/web/test_page.py" "$1" "$2" themes keys parts paper reader
