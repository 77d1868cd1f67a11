# What the tests of a meson log (testlog.txt) skipped, and why: "skipped: TEST: reason", once for each reason of a test.
# A test says so with a line "skipped: reason"; of a test that does not, the skipped cases are named.
function tell(text) {
	if (!((test, text) in told))
		print "skipped: " test ": " text
	told[test, text] = 1
}

function close_test(    i) {
	for (i = 1; i <= cases && !reasons; i++)
		tell("case " name[i])
	if (status == 77 && !reasons && !cases)
		tell("exit status 77, without a word")
	cases = reasons = 0
	status = ""
}

/^test: / { close_test(); test = $0; sub(/^test: +(warpbeam:[a-z]+ \/ )?/, "", test) }
/^result: .*exit status 77/ { status = 77 }
/^skipped: / { sub(/^skipped: /, ""); tell($0); reasons++ }
/^\[  SKIPPED \] [^0-9]/ { name[++cases] = $4 }
END { close_test() }
