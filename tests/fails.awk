# The failed tests of a meson log (testlog.txt): "failed: TEST: result", and the first lines in which the test says what
# is wrong.
/^test: / { test = ""; shown = 0; name = $0; sub(/^test: +(warpbeam:[a-z]+ \/ )?/, "", name) }
/^result: / && !/exit status (0|77)$/ {
	test = name
	sub(/^result: +/, "")
	print "failed: " test ": " $0
	next
}
test != "" && shown < 4 && /FAILED|[Ee]rror|ERROR|differ|expected|found/ && !/test\(s\)|FAILED TEST/ {
	shown++
	print "failed: " test ": " substr($0, 1, 160)
}
