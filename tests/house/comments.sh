#!/bin/sh
# Files and members named in comments exist (comments.awk).   comments.sh ROOT
set -eu
program=$(cd "$(dirname "$0")" && pwd)/comments.awk
cd "$1"
git rev-parse --git-dir >/dev/null 2>&1 || { echo "skipped: the files of the project are known to git alone"; exit 77; }
written() { git ls-files '*.c' '*.h' '*.def' | grep -v '^tests/corpus/\|^tests/broken/\|^tests/data/'; }
# shellcheck disable=SC2046
git ls-files | awk -f "$program" - $(written) || { echo "0 passed, 1 failed"; exit 1; }
echo "1 passed, 0 failed"
