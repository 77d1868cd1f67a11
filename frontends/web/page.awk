# A template with files in place of its words: page.awk NAME=FILE... TEMPLATE. A line that is only @NAME@ becomes the
# lines of the file; <script …>@NAME@</script> gets the file's one line.
BEGIN {
	for (i = 1; i < ARGC - 1; i++) {
		split(ARGV[i], part, "=")
		file[part[1]] = part[2]
		ARGV[i] = ""
	}
}
match($0, /@[A-Z]+@/) {
	name = substr($0, RSTART + 1, RLENGTH - 2)
	if (name in file) {
		printf "%s", substr($0, 1, RSTART - 1)
		rest = substr($0, RSTART + RLENGTH)
		n = split(file[name], files, ",")
		for (i = 1; i <= n; i++) {
			while ((getline line < files[i]) > 0)
				print line
			close(files[i])
		}
		if (rest != "")
			print rest
		next
	}
}
{ print }
