#!/bin/sh
# No circle of calls between rooms, and none between the files of a room that has floors (floored): the symbols that
# each object file defines and wants.   rooms.sh BUILD_DIRECTORY
# Exit 77 where the build has no objects that nm can read (link-time optimisation) or there is no nm.
set -eu
build=$1
command -v nm >/dev/null 2>&1 || { echo "skipped: no nm on this machine"; exit 77; }
cd "$build"

# The room of an object file, by the folder of its library and its name: core/base, core, core/isa, core/isa/tesla, ...
objects=$(find core mem sched machine inspect api \( -path '*.a.p/*.o' -o -path '*.so*.p/*.o' \) | sort)
[ -n "$objects" ] || { echo "skipped: no objects in $build"; exit 77; }

# Rooms whose files are nodes of their own. A circle between rooms is a circle between files, too.
floored='^(machine|sched|core/load)/'

# shellcheck disable=SC2086
nm -o -g --no-demangle $objects 2>/dev/null | awk -v floored="$floored" '
	function room_of(path,   folder, file) {
		if (path ~ floored) {
			file = path
			sub(/\/[^\/]*\.p\//, "/", file)
			sub(/\.c\.o$/, "", file)
			return file
		}
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
	{
		split($0, part, ":")
		room = room_of(part[1])
		rooms[room] = 1
		symbol = $NF
		type = $(NF - 1)
		if (type == "U")
			wants[room, symbol] = part[1]
		else if (type ~ /^[TDBRVW]$/ && !((symbol) in home))
			home[symbol] = room
	}
	END {
		for (key in wants) {
			split(key, k, SUBSEP)
			to = home[k[2]]
			if (to == "" || to == k[1])
				continue
			if (!((k[1], to) in edge)) {
				edge[k[1], to] = wants[key] " wants " k[2]
				out[k[1]]++
			}
		}
		# Take away rooms that want nothing of the remaining rooms, until none remains or a circle is.
		for (r in rooms) {
			remaining[r] = 1
			n++
		}
		do {
			taken = 0
			for (r in remaining) {
				free = 1
				for (t in remaining)
					if ((r, t) in edge)
						free = 0
				if (free) {
					order = order " " r
					delete remaining[r]
					taken++
				}
			}
		} while (taken)
		circle = 0
		for (r in remaining)
			for (t in remaining)
				if ((r, t) in edge) {
					printf "circle: %s -> %s (%s)\n", r, t, edge[r, t]
					circle++
				}
		if (n < 8)
			printf "found %d rooms only: is this a build directory?\n", n
		print "from the ground up:" order
		print (circle || n < 8) ? "0 passed, 1 failed" : "1 passed, 0 failed"
		exit circle || n < 8
	}'
