# Sum the test cases that the programs of a meson test log (testlog.txt) reported. A program reports with cmocka's
# closing lines or with a last line "N passed, N failed[, N skipped]"; one that reports nothing is one case, by its exit
# status, and one that failed without a failed case (a crash, a time-out) is one failed case.
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
