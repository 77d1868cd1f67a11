# Does the second table (tests/abi/table.awk) keep what the first promises? Prints what it breaks and exits 1.
#   awk -f compare.awk baseline.txt now.txt
function bad(what) { print "ABI: " what; broken++ }

{ first = FILENAME == ARGV[1] }
first && $1 == "abi" { abi = $2 }
!first && $1 == "abi" && $2 != abi { bad("WB_ABI_VERSION is " $2 ", the baseline is of " abi); raised = 1 }
first { lines++; was[$0] = $1 " " $2; promised[$1 " " $2] = 1 }
!first { now[$0]; line_of[$1 " " $2] = $0 }
$1 == "struct" {
	name = $2
	sub(/:$/, "", name)
	if (first) {
		size[name] = $3
		grows[name] = $NF == "grows"
	} else {
		size_now[name] = $3
		grows_now[name] = $NF == "grows"
	}
}
# Where the last member of a struct began in the baseline.
$1 == "member" {
	split($2, part, ".")
	if (first)
		last[part[1]] = $4 + 0
	else if (!(($1 " " $2) in promised) && part[1] in size && !(grows[part[1]] && $4 + 0 > last[part[1]]))
		bad("struct " part[1] " has a new member " part[2] (grows[part[1]] ? " that is not its last" : ""))
}
END {
	for (l in was)
		if (!(l in now)) {
			split(was[l], word, " ")
			name = word[2]
			sub(/:$/, "", name)
			if (word[1] == "struct" && grows[name] && grows_now[name] && size_now[name] >= size[name])
				continue
			found = line_of[was[l]] ? "\"" line_of[was[l]] "\"" : "nothing"
			if (word[1] != "abi")
				bad("found " found ", expected \"" l "\"")
		}
	if (broken) {
		if (raised)
			print "ABI: was it raised on purpose? Write the new baseline: tests/abi/abi.sh write include cc"
		else
			print "ABI: undo this, or raise WB_ABI_VERSION and write a new baseline (docs/reference/abi.md)"
		exit 1
	}
	printf "%d lines as in the baseline\n", lines
}
