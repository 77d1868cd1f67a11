#!/bin/sh
# The page and the plot of what compare.sh has measured.   page.sh FOLDER
# The files about and off must be there; what another one would tell is left out if it is not.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$1"
set -- about off
for file in on in-order gain-traces gain-fast-forward pocl oclgrind threads-off threads-on threads-in-order \
		level-base level-avx2 level-avx512 level-stats-base level-stats-avx2 level-stats-avx512 \
		level-gcn-base level-gcn-avx2 level-gcn-avx512 stats-off stats-on sweep classes mca native skipped; do
	[ ! -f $file ] || set -- "$@" $file
done
{
	awk -v plot=performance.dat -f "$root/bench/page.awk" "$@"
	[ ! -s launching ] || sh "$root/bench/launching.sh" --section launching
	[ ! -s native ] || sh "$root/bench/native.sh" --section native pocl
} >tables
if gnuplot -e "data='performance.dat'; picture='performance.png'" "$root/bench/plot.gp" >gnuplot.log 2>&1; then
	sed 's/^@plot@$/![Shares of the ceiling, and times as fast as others](performance.png)/' tables >performance.md
else
	rm -f performance.png
	sed 's/^@plot@$/There is no plot: gnuplot is not here or failed (package gnuplot-nox)./' tables >performance.md
fi
