# The tables of docs/reference/performance.md, from the files that compare.sh leaves. plot: where the numbers for
# plot.gp go.

function base(path) {
	sub(/.*\//, "", path)
	return path
}

function median(list,    v, n, i, k, t) {
	n = split(list, v, " ")
	for (i = 2; i <= n; i++)
		for (k = i; k > 1 && v[k - 1] + 0 > v[k] + 0; k--) {
			t = v[k]
			v[k] = v[k - 1]
			v[k - 1] = t
		}
	return (v[int((n + 1) / 2)] + v[int(n / 2) + 1]) / 2
}

# Means, the least and the greatest of the numbers under a name.
function collect(name, value, of) {
	logs[name] += log(value)
	if (!count[name] || value < least[name]) {
		least[name] = value
		least_of[name] = of
	}
	if (!count[name] || value > most[name]) {
		most[name] = value
		most_of[name] = of
	}
	count[name]++
}

function mean(name) { return exp(logs[name] / count[name]) }

# A row of a demand. good: +1 if more is better, -1 if less.
function asked(what, format, value, good, must, want) {
	printf("| %s | " format " | %s " format " | %s | %s |\n", what, value,
		(good > 0 ? "at least" : "at most"), must, (want == "" ? "" : sprintf(format, want)),
		(good * value >= good * must ? "yes" : "**no**"))
}

function level_of(path) {
	sub(/.*-/, "", path)
	return path
}

function cell(there, format, value) { return there ? sprintf(" " format " |", value) : "  |" }

/^loops of the ceiling on / { together[base(FILENAME)] = $10; next }
/^the ceiling with / { ceiling[base(FILENAME)] = $0; next }
FILENAME ~ /about$/ { split($0, f, "\t"); about[f[1]] = f[2]; next }
FILENAME ~ /skipped$/ { skipped[++nskipped] = $0; next }
FILENAME ~ /(pocl|oclgrind)$/ {
	split($0, f, "\t")
	if (f[5] == "ok")
		peer[base(FILENAME), f[2]] = f[4] * (FILENAME ~ /oclgrind$/ ? about["slow"] : 1)
	next
}
FILENAME ~ /native$/ {
	if ($4 > 0)
		native[$2] = $3 / $4    # of the best level, the last
	next
}
FILENAME ~ /sweep$/ {
	if ($1 == "bytes")
		differ += $2 != "equal"
	else
		sweep[$1] = sweep[$1] " " $2
	next
}
FILENAME ~ /classes$/ {
	if (NF > 7 && ($(NF - 6) == "off" || $(NF - 6) == "on")) {
		name = substr($0, 1, 14)
		sub(/ *$/, "", name)
		if (!((name, "off") in class))
			classes[++nclasses] = name
		class[name, $(NF - 6)] = sprintf(" %.0f | %.1f %% |", $(NF - 5), $(NF - 3))
	} else if (/: .* (instructions\/s|bytes)$/) {
		split($0, f, ": ")
		reading[++nreading] = "| " f[1] " | " f[2] " |"
	}
	next
}
FILENAME ~ /level-gcn-/ {
	if ($3 + 0 > 0) {
		gcn[level_of(FILENAME), $1] = $3
		if (!($1 in gcn_seen))
			gcn_kernels[++ngcn] = $1
		gcn_seen[$1]
		collect(base(FILENAME), $3, $1)
	}
	next
}
FILENAME ~ /mca$/ { mca[++nmca] = $0; next }
# Lines of the throughput bench: kernel, timing, M threads/s, M warps/s, seconds, MAD, %, instructions, what else.
$2 == "off" || $2 == "on" {
	if (base(FILENAME) == "in-order") {
		rate["in-order", $1] = $4
		share["in-order", $1] = $9
	} else if (FILENAME ~ /gain-/) {
		times[base(FILENAME), $1] = 1 / $10
		collect(base(FILENAME), 1 / $10, $1)
	} else if (FILENAME ~ /level-stats-/) {
		times[base(FILENAME), $1] = $10
		collect("level-stats", $10, $1 " with `--simd " level_of(FILENAME) "`")
	} else if (FILENAME ~ /level-/) {
		rate[base(FILENAME), $1] = $3
		seconds[base(FILENAME), $1] = $5
		share[base(FILENAME), $1] = $9
		measured[base(FILENAME)]
		nmeasured++
	} else if (FILENAME ~ /(threads|stats)-/) {
		times[base(FILENAME), $1] = $10
		collect(base(FILENAME), $10, $1)
	} else {
		if ($2 == "off") {
			kernels[++nkernels] = $1
			issues[$1] = $4
		}
		rate[$2, $1] = $2 == "off" ? $3 : $4
		threads[$2, $1] = $3
		seconds[$2, $1] = $5
		share[$2, $1] = $9
	}
}

function gated(kernel) { return kernel != "alu" }
function gated_pocl(kernel) { return kernel != "alu" && kernel != "saxpy" }

function collect_all(    i, k, level) {
	for (i = 1; i <= nkernels; i++) {
		k = kernels[i]
		if (peer["oclgrind", k] && gated(k))
			collect("oclgrind", peer["oclgrind", k] / seconds["off", k], k)
		if (peer["pocl", k] && gated_pocl(k))
			collect("pocl", seconds["off", k] / peer["pocl", k], k)
		for (level in measured)
			if (peer["pocl", k] && gated_pocl(k) && seconds[level, k] > 0)
				collect("pocl " level, seconds[level, k] / peer["pocl", k], k)
		if (peer["pocl", k] && native[k])
			collect(gated_pocl(k) ? "native" : "native " k, native[k] / peer["pocl", k], k)
		if (share["on", k] > 0 && gated_pocl(k))
			collect("on", share["on", k], k)
		if (share["in-order", k] > 0 && gated_pocl(k))
			collect("in-order", share["in-order", k], k)
	}
}

function print_head() {
	print "# Performance"
	printf "\nMade by `./dev bench --compare` in one run: %s, Warpbeam %s,\n", about["processor"], about["version"]
	printf "load of the machine before it %s. Kernels run on one processor, and seconds are processor time,\n",
		about["load"]
	printf "medians of %s, of long runs (`--in-order`, threads, classes) of %s. Two threads or processes\n",
		about["often"], about["repeat"]
	print "are compared with one by the wall clock."
	print "Mandelbrot is 1024×768 with up to 256 rounds, matmul 512×512, alu 4096 threads of 4096 trips, the others"
	if (about["whole"] > 1)
		printf "2^20 values, all divided by %s for a quick trial: the numbers mean little.\n", about["whole"]
	else
		print "2^20 values."
	printf "With timing the problems are 1/%s of that, but\n" \
		"whole where threads are compared. [How to measure](../how-to/measure.md).\n",
		about["timed"]
}

function print_asked() {
	print "\n## What is asked\n"
	print "Means are geometric, over all kernels; but against oclgrind without alu, against pocl and of shares"
	print "without alu and saxpy.\n"
	print "| | measured | must | want | met |\n|---|---:|---:|---:|---|"
	if (("off", "alu") in share)
		asked("alu, timing off: share of the threaded ceiling", "%.1f %%", share["off", "alu"], 1, 50, 80)
	if (("level-avx2", "alu") in share)
		asked("the same with `--simd avx2`", "%.1f %%", share["level-avx2", "alu"], 1, 40, 80)
	if (("level-base", "alu") in share)
		asked("the same with `--simd base`", "%.1f %%", share["level-base", "alu"], 1, 25, 80)
	if (count["oclgrind"]) {
		asked("oclgrind: times faster, mean", "%.0f", mean("oclgrind"), 1, 100, 300)
		asked("oclgrind: the least, " least_of["oclgrind"], "%.0f", least["oclgrind"], 1, 40, "")
	}
	if (count["pocl"]) {
		asked("pocl, a compiler: times slower, mean", "%.2f", mean("pocl"), -1, 4, "")
		printf "| pocl: the least, %s | %.2f | | below 1 | |\n", least_of["pocl"], least["pocl"]
	}
	if (count["pocl level-avx2"])
		asked("pocl: times slower with `--simd avx2`, mean", "%.2f", mean("pocl level-avx2"), -1, 3, "")
	if (count["native"]) {
		asked("native code, pocl: times slower, mean", "%.2f", mean("native"), -1, 0.5, "")
		asked("native code, pocl: the most, " most_of["native"], "%.2f", most["native"], -1, 1.5, "")
	}
	if (count["native saxpy"])
		asked("native code, pocl: saxpy", "%.2f", mean("native saxpy"), -1, 4, "")
	if (count["level-gcn-avx2"])
		asked("GCN untimed with `--simd avx2`, M wave instructions/s: the least, " least_of["level-gcn-avx2"],
			"%.1f", least["level-gcn-avx2"], 1, 40, "")
	if (count["on"]) {
		asked("timing on: share of the round-robin ceiling, mean", "%.1f %%", mean("on"), 1, 20, 40)
		asked("timing on: the least, " least_of["on"], "%.1f %%", least["on"], 1, 8, "")
	}
	if (count["in-order"])
		printf "| the same with `--in-order`, mean | %.1f %% | | | |\n", mean("in-order")
	if (count["threads-off"])
		asked("two threads, timing off: times faster than one, mean", "%.2f", mean("threads-off"), 1, 1.8, 1.95)
	if (count["threads-on"])
		asked("two threads, timing on: the same", "%.2f", mean("threads-on"), 1, 1.8, 1.95)
	if (count["threads-in-order"])
		printf "| two threads with `--in-order`: the same | %.2f | | | |\n", mean("threads-in-order")
	if (count["stats-off"])
		asked("`--stats-level full` over `none`, timing off: more time, mean", "%.1f %%",
			100 * mean("stats-off") - 100, -1, 10, 3)
	if (count["level-stats"])
		asked("the same, the most, " most_of["level-stats"], "%.1f %%", 100 * most["level-stats"] - 100,
			-1, 10, "")
	if (count["stats-on"])
		asked("the same, timing on", "%.1f %%", 100 * mean("stats-on") - 100, -1, 10, 3)
	if (sweep["two"] != "") {
		asked("sweep of 64 points, `mpirun -n 2`: times faster than `--threads 1`", "%.2f",
			median(sweep["one"]) / median(sweep["two"]), 1, 1.8, "")
		printf "| the bytes of their tables | %s | equal | | %s |\n", differ ? "differ" : "equal",
			differ ? "**no**" : "yes"
	}
}

function print_kernels(    i, k, o, p) {
	print "\n## Against the ceiling and against others\n"
	print "\"Share\" is of the threaded ceiling, in lane operations. oclgrind's problems are 1/" about["slow"] \
		" of the size and its"
	print "seconds are multiplied by " about["slow"] ". A kernel whose answer is wrong has no number."
	printf "%s.\n\n", capital(ceiling["off"])
	print "| kernel | M thread insns/s | share | seconds | oclgrind, seconds × " about["slow"] \
		" | times faster | pocl, seconds | times slower |"
	print "|---|---:|---:|---:|---:|---:|---:|---:|"
	for (i = 1; i <= nkernels; i++) {
		k = kernels[i]
		o = peer["oclgrind", k]
		p = peer["pocl", k]
		printf "| %s | %.0f | %.1f %% | %.4f |%s%s%s%s\n", k, rate["off", k], share["off", k],
			seconds["off", k], cell(o, "%.2f", o), cell(o, "%.0f", o / seconds["off", k]),
			cell(p, "%.5f", p), cell(p, "%.1f", p ? seconds["off", k] / p : 0)
	}
}

function capital(line) {
	sub(/^the ceiling with/, "The ceiling (`bench/limit`) with", line)
	return line
}

# Each SIMD level of the host beside its own ceiling. A level that was not measured has no columns.
function print_levels(    i, k, l, n, name, level, head, line) {
	if (!nmeasured)
		return
	print "\n## SIMD levels\n"
	print "The same kernels with `--simd` of each level of this host. A share is of the ceiling of the level."
	print "base is SSE2, or NEON on ARM; \"pocl\" is times slower than pocl, at the best level of the host;"
	print "\"full\" is the time that `--stats-level full` takes beyond `none` with problems 1/4 of the size."
	print "`build/bench/throughput --share --timing off --div 1 --set simd=avx2` measures a level,"
	print "`--beside stats-level=none` in place of `--share` what statistics take, and `build/bench/gcn --simd avx2"
	print "--chip tonga` GCN, untimed, on problems of its own.\n"
	n = split("base avx2 avx512", name, " ")
	head = "| kernel |"
	line = "|---|"
	for (l = 1; l <= n; l++) {
		level = "level-" name[l]
		if (!(level in measured))
			continue
		head = head " " name[l] ", M thread insns/s | share | pocl | full |"
		line = line "---:|---:|---:|---:|"
		if (level in ceiling)
			print capital(ceiling[level]) "."
	}
	print "\n" head "\n" line
	for (i = 1; i <= nkernels; i++) {
		k = kernels[i]
		printf "| %s |", k
		for (l = 1; l <= n; l++)
			if (("level-" name[l]) in measured)
				print_level("level-" name[l], k)
		print ""
	}
	print_gcn(name, n)
}

function print_gcn(name, n,    i, k, l) {
	if (!ngcn)
		return
	printf "\n| GCN, M wave instructions/s |"
	for (l = 1; l <= n; l++)
		if (("level-" name[l]) in measured)
			printf " %s |", name[l]
	printf "\n|---|"
	for (l = 1; l <= n; l++)
		if (("level-" name[l]) in measured)
			printf "---:|"
	for (i = 1; i <= ngcn; i++) {
		k = gcn_kernels[i]
		printf "\n| %s |", k
		for (l = 1; l <= n; l++)
			if (("level-" name[l]) in measured)
				printf "%s", cell((name[l], k) in gcn, "%.1f", gcn[name[l], k])
	}
	print ""
}

# Counts of llvm-mca for processors without a measurement.
function print_mca(    i) {
	if (!nmca)
		return
	print "\n## Handlers on other processors, estimated\n"
	print "Handlers of the base level for a row of 32 lanes, as clang compiles them: instructions on x86-64 and"
	print "AArch64, and cycles by llvm-mca's models of four processors, with all data in the first cache. Nothing"
	print "here ran, and branches for rare cases count as if run (`./dev bench mca`).\n"
	for (i = 1; i <= nmca; i++)
		print mca[i]
}

function print_level(level, k,    there, full, stats, p) {
	there = (level, k) in rate
	stats = "level-stats-" level_of(level)
	full = (stats, k) in times
	p = there ? peer["pocl", k] : 0
	printf "%s%s%s%s", cell(there, "%.0f", there ? rate[level, k] : 0),
		cell(there, "%.1f %%", there ? share[level, k] : 0),
		cell(p, "%.1f", p ? seconds[level, k] / p : 0),
		cell(full, "%+.1f %%", full ? 100 * times[stats, k] - 100 : 0)
}

function print_timing(    i, k) {
	print "\n## With timing and all statistics\n"
	print "The share is of the round-robin ceiling, in warp instructions issued. Without timing the same"
	print "instructions are executed and nothing else is done: no kernel's share can be larger than that."
	print "[Traces](../explanation/trace-driven.md) time a run where they provably come to the cycles and"
	print "statistics of `--in-order`; fast-forward skips what comes again, so that a share can be above 100 %."
	printf "%s.\n\n", capital(ceiling["on"])
	print "| kernel | M warp instructions/s | share | M thread instructions/s | with `--in-order` | share " \
		"| without timing |"
	print "|---|---:|---:|---:|---:|---:|---:|"
	for (i = 1; i <= nkernels; i++) {
		k = kernels[i]
		printf "| %s | %.1f | %.1f %% | %.0f |%s%s %.1f |\n",
			k, rate["on", k], share["on", k], threads["on", k],
			cell(("in-order", k) in rate, "%.1f", rate["in-order", k]),
			cell(("in-order", k) in rate, "%.1f %%", share["in-order", k]), issues[k]
	}
}

function print_beside(    i, k, n, c) {
	print "\n## Two threads, and what statistics cost\n"
	print "Each beside its counterpart, in turns: one host thread by the time of two, `--stats-level full` by the"
	print "time of `none`. One thread counts as the mean of what both processors do, one after the other."
	if (together["threads-on"] != "") {
		print "Together they may do less than twice as much, by what others do on the machine: loops of the"
		print "ceiling on both at once, beside each round, did"
		printf "%.2f, %.2f and %.2f times as much as one, in the median of the three columns.\n", \
			together["threads-off"], together["threads-on"], together["threads-in-order"]
	}
	print ""
	print "| kernel | two threads, timing off | timing on | `--in-order` | full statistics, timing off " \
		"| timing on |"
	print "|---|---:|---:|---:|---:|---:|"
	for (i = 1; i <= nkernels; i++) {
		k = kernels[i]
		printf "| %s |", k
		split("threads-off threads-on threads-in-order stats-off stats-on", c, " ")
		for (n = 1; n <= 3; n++)
			printf "%s", cell((c[n], k) in times, "× %.2f", times[c[n], k])
		for (n = 4; n <= 5; n++)
			printf "%s", cell((c[n], k) in times, "%+.1f %%", 100 * times[c[n], k] - 100)
		print ""
	}
	if (sweep["two"] != "")
		printf "\nThe sweep of 64 points (`bench/sweep/plan.json`) took %.1f s in one process and %.1f s by " \
			"`mpirun -n 2`.\n", median(sweep["one"]), median(sweep["two"])
}

# The gain of each mechanism: the time of a run without the mechanism by the time with.
function print_gains(    i, k) {
	if (!count["gain-traces"] && !count["gain-fast-forward"])
		return
	print "\n## What mechanisms gain, with timing\n"
	print "Times as fast as the same run without: traces as against `--in-order`, and fast-forward as against"
	print "`--no-fast-forward`, which is part of what traces gain.\n"
	print "| kernel | traces | fast-forward |\n|---|---:|---:|"
	for (i = 1; i <= nkernels; i++) {
		k = kernels[i]
		printf "| %s |%s%s\n", k, cell(("gain-traces", k) in times, "× %.2f", times["gain-traces", k]),
			cell(("gain-fast-forward", k) in times, "× %.2f", times["gain-fast-forward", k])
	}
	printf "| mean |%s%s\n", cell(count["gain-traces"], "× %.2f", count["gain-traces"] ? mean("gain-traces") : 0),
		cell(count["gain-fast-forward"], "× %.2f", count["gain-fast-forward"] ? mean("gain-fast-forward") : 0)
}

function print_classes(    i) {
	if (!nclasses)
		return
	print "\n## By class of instruction\n"
	print "Loops of 8 warps, in M thread instructions/s, and as a share of the ceiling: threaded without timing,"
	print "round robin with it. \"Ways\" are the directions in which the lanes of each warp part and meet again.\n"
	print "| class | timing off | share | timing on | share |\n|---|---:|---:|---:|---:|"
	for (i = 1; i <= nclasses; i++)
		print "| " classes[i] " |" class[classes[i], "off"] class[classes[i], "on"]
	print "\n## Reading, and memory\n\n| | |\n|---|---:|"
	for (i = 1; i <= nreading; i++)
		print reading[i]
}

function print_plot_data(    i, k, o, p) {
	print "kernel\toff\ton\toclgrind\tpocl\tin-order" >plot
	for (i = 1; i <= nkernels; i++) {
		k = kernels[i]
		o = peer["oclgrind", k]
		p = peer["pocl", k]
		printf "%s\t%s\t%s\t%s\t%s\t%s\n", k, share["off", k], share["on", k],
			o ? o / seconds["off", k] : "nan", p ? p / seconds["off", k] : "nan",
			("in-order", k) in share ? share["in-order", k] : "nan" >plot
	}
}

END {
	collect_all()
	print_head()
	print_asked()
	print "\n@plot@"
	print_kernels()
	print_levels()
	print_timing()
	print_gains()
	print_beside()
	print_classes()
	print_mca()
	for (i = 1; i <= nskipped; i++)
		print "\nSkipped: " skipped[i] "."
	print_plot_data()
}
