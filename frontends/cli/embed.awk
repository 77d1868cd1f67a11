# Programs as C: each file a name and its text, in the order given.
#   awk -v array=gallery -f embed.awk examples/*.s >gallery.c
BEGIN {
	print "/* Made from files by frontends/cli/embed.awk. */"
	print "#include \"frontends/cli/gallery.h\"\n"
	print "const struct example " array "[] = {"
}
FNR == 1 {
	if (NR > 1)
		print "\t},"
	name = FILENAME
	sub(/.*\//, "", name)
	file = name
	if (name !~ /\.cl$/)    # which go beside programs of the same name for other machines
		sub(/\.[a-z]*$/, "", name)
	printf "\t{\"%s\", \"%s\",\n", name, file
}
{
	gsub(/\\/, "\\\\")
	gsub(/"/, "\\\"")
	gsub(/\?\?/, "?\\?")
	printf "\t\"%s\\n\"\n", $0
}
END {
	if (NR)
		print "\t},"
	print "\t{0, 0, 0}\n};"
}
