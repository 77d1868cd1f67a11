#!/bin/sh
# The count of pronouns must be able to fail: small files, each with the finding to expect.   words_test.sh AWK_PROGRAM
set -eu
program=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir -p a/b
echo 'a 5 6' >bounds
echo 'a/b 20 20' >>bounds
passed=0
failed=0

# FINDING FILE: the file on stdin, 100 words of plain comment added, gives this finding; empty: none.
finds() {
	{ cat; printf '/*'; yes ' word' | head -n "${3:-90}" | tr -d '\n'; printf ' */\n'; } >"$2"
	status=0
	awk -f "$program" bounds "$2" >out || status=$?
	[ -n "$1" ] && wanted=1 || wanted=0
	if [ "$status" = "$wanted" ] && if [ -n "$1" ]; then grep -q "$1" out; else [ ! -s out ]; fi; then
		passed=$((passed + 1))
	else
		echo "words: expected '${1:-nothing}', found:"
		cat out
		failed=$((failed + 1))
	fi
	rm "$2"
}

ten='it its that those they them their what which who'
finds '' a/f.c <<END
int x;  /* cycles until the result is ready */
END
finds 'a/f.c: 10.0 pronouns' a/f.c <<END
/* $ten */
END
finds 'a: 10.0 pronouns' a/f.c <<END
int x;  // $ten
END
finds 'a/f.c: 10.0' a/f.c <<END
/* It its THAT
 * those they them
 * their what which who */ int it, its, that;
END
finds '' a/b/f.c <<END
/* $ten */
END
echo 'scripts 5 6' >>bounds
{ echo "# $ten"; printf '# '; yes ' word' | head -n 90 | tr -d '\n'; echo; } >f.sh
if awk -f "$program" bounds f.sh >out || ! grep -q 'f.sh: 10.0 pronouns' out; then
	echo 'words: a shell script with ten pronouns is not found'
	failed=$((failed + 1))
else
	passed=$((passed + 1))
fi
echo 'run "# $ten" \# it its # that' >f.sh
yes '# word' | head -n 10 >>f.sh
if awk -f "$program" bounds f.sh >out; then passed=$((passed + 1)); else failed=$((failed + 1)); cat out; fi
finds '' a/f.c <<END
const char *text = "/* $ten", *quoted = "\\" // $ten"; char it = '"', that = '"';
END
finds 'a: 11.1' a/f.c 80 <<END
/* $ten */
END
echo 'documents 5 6' >>bounds
finds 'f.md: 10.0 pronouns' f.md <<END
$ten
END
finds '' f.md <<END
\`\`\`
$ten
\`\`\`
\`$ten\` [words](it/its/that)
END
if [ -n "$(awk -f "$program" bounds /dev/null)" ]; then failed=$((failed + 1)); else passed=$((passed + 1)); fi
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
