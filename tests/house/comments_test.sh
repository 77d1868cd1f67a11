#!/bin/sh
# The check of names in comments must be able to fail.   comments_test.sh AWK_PROGRAM
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
	printf 'core/a.c\ncore/deep/b.h\n' | awk -f "$program" - f.c >out || status=$?
	[ -n "$1" ] && wanted=1 || wanted=0
	if [ "$status" = "$wanted" ] && if [ -n "$1" ]; then grep -q "$1" out; else [ ! -s out ]; fi; then
		passed=$((passed + 1))
	else
		echo "comments: expected '${1:-nothing}', found:"
		cat out
		failed=$((failed + 1))
	fi
}

finds '' <<'END'
/* By core/a.c, deep/b.h, b.h and X.def; of gzip's inflate(); a path warp.txt is no member. */
struct two_words { int count; struct { char inner; } *(*call)(int argument); }; /* two_words.count, p->inner, w.call */
struct path { int next; };      /* path.next, path.count of two_words */
END
finds 'f.c:2: there is no file core/c.c' <<'END'
struct word { int next; };
/* Made by core/c.c. */
END
finds 'there is no file a.h' <<'END'
/* The same as in a.h. */
END
finds 'struct two_words has no member place' <<'END'
struct two_words { int count; };
struct path { int place; };
/* By two_words.place. */
END
finds 'struct path has no member at' <<'END'
struct path { int next; void (*call)(int at); };
/* path.at is the place. */
END
finds 'no struct has the member p->at' <<'END'
struct path { int next; void (*call)(struct path *at, int (*other)(int at)); };
/* The place
 * is p->at. */
END
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
