# What tests of commands share; they source it:   . "$(dirname "$0")/check.sh"
# It gives them a folder of their own ($work, removed at the end), counts, and functions that run a command and judge
# it. Outputs of a command are left in the files out and err of the present folder. The last line is: finish
# Under nohup SIGHUP is ignored, by commands of a test as well, and no shell can change that for its children: runs that
# SIGHUP is to end would go on for ever.
[ "${WB_DEFAULT_HUP-}" ] || WB_DEFAULT_HUP=1 exec env --default-signal=HUP sh "$0" "$@"
set -u
passed=0
failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# result STATUS WHAT: one test, passed if STATUS is 0, which is its own; WHAT is printed of one that failed.
result() {
	if [ "$1" = 0 ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAILED: $2"
	fi
	return "$1"
}

# The last command's outputs, behind what has failed of it.
outputs() {
	sed 's/^/    /' out err
}

# ends and|without EXIT STREAM TEXT COMMAND...: what the next two have in common.
ends() {
	ends=$1
	want=$2
	stream=$3
	text=$4
	shift 4
	"$@" >out 2>err </dev/null
	got=$?
	found=without
	grep -q -e "$text" "$stream" && found=and
	[ "$got $found" = "$want $ends" ]
	result $? "$*: expected exit $want $ends '$text' on $stream; got exit $got and:" || outputs
}

# check EXIT STREAM TEXT COMMAND...: the command ends with EXIT and says TEXT (a basic expression) on out or err.
check() {
	ends and "$@"
}

# silent EXIT STREAM TEXT COMMAND...: the command ends with EXIT and does not say TEXT.
silent() {
	ends without "$@"
}

# not STREAM TEXT: nor did the last command say that.
not() {
	! grep -q -e "$2" "$1"
	result $? "found '$2' on $1:" || sed 's/^/    /' "$1"
}

# ok WHAT COMMAND...: the command succeeds.
ok() {
	what=$1
	shift
	"$@" >out 2>err
	result $? "$what: this failed: $*" || outputs
}

# says EXIT TEXT COMMAND...: the command ends with EXIT and says TEXT (a basic expression), on either stream; what it
# said is left in the file said.
says() {
	want=$1
	text=$2
	shift 2
	"$@" >said 2>&1 </dev/null
	got=$?
	[ $got = "$want" ] && grep -q -e "$text" said
	result $? "$*: expected exit $want and '$text'; got exit $got and:" || sed 's/^/    /' said
}

finish() {
	echo "$passed passed, $failed failed"
	[ $failed = 0 ]
}
