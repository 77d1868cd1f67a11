#!/bin/sh
# The answers of an H100 to PTX statements, as tests/whole/test_ptx_measured.c reads them: h100.sh FOLDER > h100.txt,
# then gzip -9n; h100.sh FOLDER sm13 > h100-sm13.txt. FOLDER has values.txt.gz, warp.txt.gz and values-sm13.txt.gz,
# measured on an H100 80GB HBM3 (sm_90), driver 580.159.04, CUDA 13.0, on 2026-11-28 by programs of our own.
#
# Statements of one kind of sources have the same sources in a file: the words of all threads stand once, below
# "sources NAME KINDS", a line a thread. Below "= STATEMENTS | KINDS RESULT" a line has the results of all threads.
set -eu
echo "# An H100 80GB HBM3 (sm_90), driver 580.159.04, CUDA 13.0, 2026-11-28. Made by h100.sh, where the form is told."
for name in ${2:-values warp}; do
	[ -f "$1/$name.txt.gz" ] && file=$name || file=values-$name
	gzip -dc "$1/$file.txt.gz" | awk -v name="$name" '
	function flush_results() {
		if (statement == "")
			return
		if (!(kinds in seen))
			printf "sources %s %s\n%s", name, kinds, sources
		else if (seen[kinds] != sources)
			exit 1
		seen[kinds] = sources
		printf "%s\n%s\n", statement, substr(results, 2)
	}
	/^#/ { next }
	/^=/ { flush_results(); statement = $0; kinds = $(NF - 1); sources = results = ""; next }
	{ sources = sources $1 " " $2 " " $3 "\n"; results = results " " $4 }
	END { flush_results() }'
done
