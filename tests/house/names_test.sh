#!/bin/sh
# The check of names and members' comments must be able to fail.   names_test.sh AWK_PROGRAM
set -eu
program=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
passed=0
failed=0

# FINDING: the file on stdin gives this finding; empty: none.
finds() {
	cat >f.c
	status=0
	awk -f "$program" f.c >out || status=$?
	[ -n "$1" ] && wanted=1 || wanted=0
	if [ "$status" = "$wanted" ] && if [ -n "$1" ]; then grep -q "$1" out; else [ ! -s out ]; fi; then
		passed=$((passed + 1))
	else
		echo "names: expected '${1:-nothing}', found:"
		cat out
		failed=$((failed + 1))
	fi
}

finds '' <<'END'
struct path { unsigned warp_index, first_byte; /* index in the block; bytes */ void (*at_end)(int at, int first); };
static int free_bytes(int at) { struct path own = { at, 1 }; return own.at_end ? at : sum_of(&own); }
static int sum_of(struct path *last) { int first[2] = { 1, 2 }, left = 1; return last->at_end ? left : *first; }
END
finds 'f.c:2: a member called `at`' <<'END'
struct place {
	int at;
};
END
finds 'a member called `left`' <<'END'
struct cut { uint32_t times, left : 3, slot; };
END
finds 'a member called `own`' <<'END'
struct trace { struct segment *own; /* segments of the trace */ } __attribute__((aligned(64)));
END
finds 'a member called `last`' <<'END'
struct a { struct { int first_cycle; } b; struct c { int x; } d, last; };
END
finds 'a member called `given`' <<'END'
struct a { int (*given)(struct a *a, int at); };
END
finds 'an identifier with `room`' <<'END'
size_t left_room;
END
finds '`room` is a folder' <<'END'
/* Room for n bytes. */
END
finds '' <<'END'
/* The machine from outside the room; "no room", */ const char *text = "room";
#define room 1
END
finds 'no noun' <<'END'
struct a { int x; /* those of the other */ };
END
finds 'no noun' <<'END'
struct a {
	/* as it was
	 * before that */
	int x;
};
END
finds '' <<'END'
struct a { int x; /* cycles */ int y; /* as `x` */ };	/* as it was before that */
enum b { C, /* those of the other */ D };
END
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
