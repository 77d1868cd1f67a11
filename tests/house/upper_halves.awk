# Finds SSE-encoded code that may run while upper halves of vector registers are in use.   upper_halves.awk LIST LIST
# LIST is the output of objdump -d --no-show-raw-insn for a program or library of x86-64, read twice: first for
# functions with writes of ymm or zmm registers, then for their instructions.
#
# An SSE-encoded instruction keeps the upper half of its destination. Once a ymm or zmm register from 0 to 15 has been
# written, each such instruction waits for the last writer of its destination, and on some hosts the change between the
# encodings itself costs tens of cycles; vzeroupper ends the state. Each function is followed along all its jumps, and
# where upper halves may be in use there must be no SSE-encoded instruction, call, return or jump to another function,
# direct or indirect. Every function then begins with clear upper halves: callees need not be known.
#
# The cases of a switch by a table are the instructions without another way in; a case with a direct jump to it is
# followed from the jump alone.
BEGIN {
	CLEAN = 1
	DIRTY = 2
}

function where(i) { return name[i] " at " address[i] ": " text[i] }

function bad(i, what) {
	if (i in reported)
		return
	reported[i]
	print "upper halves in use: " what ": " where(i)
	failed_functions[entry[i]]
}

function reach(i, s) {
	if (i in follow && !(int(state[i] / s) % 2)) {
		state[i] += s
		stack[++depth] = i
	}
}

function jump(i, s,    to) {
	to = at[target[i]]
	if (to && (entry[to] == entry[i] || target[i] != entry[to] || name[to] ~ /\.cold/))
		reach(to, s)
	else if (s == DIRTY)
		bad(i, "a jump to another function")
}

function step(i, s,    op) {
	op = mnemonic[i]
	if (op ~ /^vzero(upper|all)$/)
		s = CLEAN
	else if (op == "sse" && s == DIRTY)
		bad(i, "SSE-encoded")
	else if (op == "call" && s == DIRTY)
		bad(i, "a call")
	else if (op == "dirty")
		s = DIRTY
	if (op == "ret") {
		if (s == DIRTY)
			bad(i, "a return")
	} else if (op == "jmp*") {
		indirect[entry[i]] += int(indirect[entry[i]] / s) % 2 ? 0 : s
		if (s == DIRTY && !(i in table))
			bad(i, "an indirect jump")
	} else {
		if (op ~ /^(jmp|jcc)$/)
			jump(i, s)
		if (op != "jmp")
			reach(i + 1, s)
	}
}

function run(    i) {
	while (depth) {
		i = stack[depth--]
		if (state[i] >= DIRTY)
			step(i, DIRTY)
		if (state[i] % 2)
			step(i, CLEAN)
	}
}

FNR == 1 { pass++ }

/^[0-9a-f]+ <.*>:$/ {
	begin = $1
	sub(/^0+/, "", begin)
	function_name = substr($2, 2, length($2) - 3)
	base = function_name
	sub(/\.cold.*/, "", base)
	kept = pass == 2 && ((begin in vector) || (base != function_name && base in vector_name))
	next
}

pass == 1 && /%[yz]mm/ {
	vector[begin]
	vector_name[base]
}

kept && /^ *[0-9a-f]+:\t/ {
	split($0, column, "\t")
	sub(/ *[#<].*/, "", column[2])
	sub(/ +$/, "", column[2])
	sub(/^((rep|repz|repnz|bnd|notrack|lock|data16|cs|ds|\{[a-z]+\}) +)+/, "", column[2])
	n++
	address[n] = column[1]
	gsub(/[ :]/, "", address[n])
	at[address[n]] = n
	text[n] = column[2]
	name[n] = function_name
	entry[n] = begin
	op = column[2]
	sub(/ .*/, "", op)
	operands = column[2]
	sub(/^[^ ]+ */, "", operands)
	follow[n]
	if (op ~ /^v/) {
		if (operands ~ /%[yz]mm([0-9]|1[0-5])(\{[^}]*\})*$/)
			op = "dirty"
	} else if (operands ~ /%xmm/) {
		op = "sse"
	} else if (op ~ /^j/) {
		target[n] = operands
		op = operands ~ /^\*/ ? "jmp*" : op == "jmp" ? op : "jcc"
		# A switch: the instructions before it have read an offset from a table.
		if (op == "jmp*" && (text[n - 1] text[n - 2] text[n - 3]) ~ /movslq \(/)
			table[n]
	} else if (op ~ /^(call|ret)/) {
		op = substr(op, 1, op ~ /^c/ ? 4 : 3)
	}
	mnemonic[n] = op
}

END {
	for (i = 1; i <= n; i++)
		if (address[i] == entry[i]) {
			functions++
			if (name[i] !~ /\.cold/)
				reach(i, CLEAN)
		}
	run()
	for (i = 1; i <= n; i++)     # reached by a switch alone
		if (!state[i] && indirect[entry[i]] && text[i] !~ /^(x?nop|xchg +%ax,%ax)/) {
			if (indirect[entry[i]] % 2)
				reach(i, CLEAN)
			if (indirect[entry[i]] >= DIRTY)
				reach(i, DIRTY)
			run()
		}
	for (i = 1; i <= n; i++)
		if (mnemonic[i] == "dirty" && !state[i] && !(entry[i] in failed_functions)) {
			print "nothing leads to this: " where(i)
			failed_functions[entry[i]]
		}
	for (f in failed_functions)
		failed++
	if (!functions)
		print "no function uses ymm or zmm registers"
	printf "%d passed, %d failed\n", functions - failed, failed + !functions
	exit failed > 0 || !functions
}
