# Sum of the test cases reported in a meson test log (testlog.txt). A program reports with cmocka's closing lines or
# with a last line "N passed, N failed[, N skipped]". A program without a report counts as a case, by its exit status; a
# failed program without a failed case (a crash, a time-out) as a failed case.
function close_program()
{
	if (result == "")
		return
	if (ok + bad + left == 0) {
		if (result == "exit status 77")
			left = 1
		else if (result == "exit status 0")
			ok = 1
	}
	if (result != "exit status 0" && result != "exit status 77" && bad == 0)
		bad = 1
	passed += ok
	failed += bad
	skipped += left
	ok = bad = left = 0
	result = ""
}

/^test: / { close_program() }
/^result: / { result = $0; sub(/^result: +/, "", result); sub(/^\(/, "", result); ok = bad = left = 0 }
/^\[  PASSED  \] [0-9]+ test\(s\)/ { ok += $4 }
/^\[  FAILED  \] [0-9]+ test\(s\)/ { bad += $4 }
/^\[  SKIPPED \] [0-9]+ test\(s\)/ { left += $4 }
/^[0-9]+ passed, [0-9]+ failed(, [0-9]+ skipped)?$/ { ok += $1; bad += $3; left += $5 }

END {
	close_program()
	printf "%d passed, %d failed", passed, failed
	if (skipped)
		printf ", %d skipped", skipped
	print ""
	exit failed > 0 || passed == 0
}
