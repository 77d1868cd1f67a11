# Tables of the program as JavaScript: words.awk counter.def stall.def bill.def advice.def. A row may go on in lines
# behind its first; expressions of advice.def are JavaScript once C(name) is C.name.
function take(row,    name, n, part) {
	name = row
	sub(/^[A-Z]+\(/, "", name)
	if (FILENAME ~ /counter\.def$/ || FILENAME ~ /stall\.def$/) {
		n = split(name, part, "\"")
		words[FILENAME] = words[FILENAME] "\"" part[2] "\": \"" part[n - 1] "\", "
	} else if (FILENAME ~ /bill\.def$/) {
		split(name, part, /, /)
		words[FILENAME] = words[FILENAME] part[1] ": " part[2] ", "
	} else {
		sub(/\)$/, "", name)
		while (match(name, /[CWTSGO]\([a-z_]+\)/))
			name = substr(name, 1, RSTART) "." substr(name, RSTART + 2, RLENGTH - 3) \
				substr(name, RSTART + RLENGTH)
		sub(/^[a-z]+/, "\"&\"", name)
		words[FILENAME] = words[FILENAME] "\n\t\t[" name "],"
	}
}
/^[A-Z]+\(/ { row = ""; inside = 1 }
inside {
	line = $0
	sub(/^\t+/, "", line)
	row = row == "" ? line : row " " line
}
inside && /\)$/ { take(row); inside = 0 }
END {
	printf "const WORDS = {\n\tcounters: { %s},\n\tstalls: { %s},\n\tbill: { %s},\n", \
		words[ARGV[1]], words[ARGV[2]], words[ARGV[3]]
	printf "\tadvice: (C, W, T, S, G, O, most = Math.max) => [%s\n\t],\n};\n", words[ARGV[4]]
}
