#!/bin/sh
# No circle of calls between rooms, and none between the files of a room: the symbols defined by an object file, and
# wanted.   rooms.sh BUILD_DIRECTORY
# Exit 77 where the build has no objects readable by nm (link-time optimisation) or the host has no nm.
set -eu
build=$1
command -v nm >/dev/null 2>&1 || { echo "skipped: no nm on this machine"; exit 77; }
cd "$build"
objects=$(find core host toolchain mem sched machine inspect native device api \
	\( -path '*.a.p/*.o' -o -path '*.so*.p/*.o' \) | sort)
[ -n "$objects" ] || { echo "skipped: no objects in $build"; exit 77; }

# shellcheck disable=SC2086
nm -o -g --no-demangle $objects 2>/dev/null | awk '
	# The room of an object file, by the folder of the library and the name of the file: core/base, core, ...
	function room_of(path,   folder, file) {
		folder = path
		sub(/\/[^\/]*\.p\/.*/, "", folder)
		file = path
		sub(/.*\.p\//, "", file)
		if (folder == "core" && file ~ /^base_/)
			return "core/base"
		if (folder == "core" && file ~ /^program_/)
			return "core/program"
		return folder
	}
	function file_of(path,   file) {
		file = path
		sub(/\/[^\/]*\.p\//, "/", file)
		sub(/\.c\.o$/, "", file)
		return file
	}
	# Circles of `node`, room or file by path: take away nodes without a call to other nodes, then nodes without a
	# caller among remaining nodes, until only circles and the ways between circles remain.
	function circles(what, node,   key, k, from, to, edge, remaining, taken, n, a, b, up, down, found) {
		for (key in wants) {
			split(key, k, SUBSEP)
			from = node[k[1]]
			remaining[from] = 1
			if (!(k[2] in home))
				continue
			to = node[home[k[2]]]
			if (to != from && !((from, to) in edge))
				edge[from, to] = k[1] " wants " k[2]
		}
		for (a in remaining)
			n++
		do {
			taken = 0
			for (a in remaining) {
				up = down = 0
				for (b in remaining) {
					up += (b, a) in edge
					down += (a, b) in edge
				}
				if (up && down)
					continue
				delete remaining[a]
				taken++
			}
		} while (taken)
		for (a in remaining)
			for (b in remaining)
				if ((a, b) in edge) {
					printf "circle: %s -> %s (%s)\n", a, b, edge[a, b]
					found++
				}
		if (n < 8)
			printf "found %d %s only: is this a build directory?\n", n, what
		else if (!found)
			printf "no circle between %d %s\n", n, what
		return found || n < 8
	}
	{
		split($0, part, ":")
		path = part[1]
		room[path] = room_of(path)
		file[path] = file_of(path)
		symbol = $NF
		type = $(NF - 1)
		if (type == "U")
			wants[path, symbol] = 1
		else if (type ~ /^[TDBRVW]$/ && !(symbol in home))
			home[symbol] = path
	}
	END {
		failed = circles("rooms", room) + circles("files", file)
		printf "%d passed, %d failed\n", 2 - failed, failed
		exit failed > 0
	}'
