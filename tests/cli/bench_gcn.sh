#!/bin/sh
# The bench of OpenCL C on GCN, which needs clang and libclc: without them it is skipped, and says what is missing.
#   bench_gcn.sh BENCH
said=$("$1" --check 2>&1)
status=$?
if [ $status = 3 ]; then
	echo "skipped: $(echo "$said" | grep -v ' passed, ' | tail -n 1)"
	exit 77
fi
echo "$said"
exit $status
