# The version script of libOpenCL.so.1 out of icd.def: a node for each version of OpenCL, each with the node before.
/^(ENTRY|STATUS|HANDLE|NOTHING|BESIDE)\(/ {
	match($0, /cl[A-Z][A-Za-z0-9]*/)
	node = substr($0, index($0, "(") + 1, 3)
	sub("_", ".", node)
	if (!(node in names))
		nodes[++n] = node
	names[node] = names[node] "  " substr($0, RSTART, RLENGTH) ";\n"
}
END {
	for (i = 1; i <= n; i++)
		for (k = i + 1; k <= n; k++)
			if (nodes[k] < nodes[i]) {
				t = nodes[i]
				nodes[i] = nodes[k]
				nodes[k] = t
			}
	for (i = 1; i <= n; i++)
		printf "OPENCL_%s {\n global:\n%s%s}%s;\n", nodes[i], names[nodes[i]],
		       (i == 1 ? " local:\n  *;\n" : ""), (i > 1 ? " OPENCL_" nodes[i - 1] : "")
}
