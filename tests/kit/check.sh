# Common parts of tests of commands, to be sourced:   . "$(dirname "$0")/check.sh"
# A folder of the test ($work, removed at the end), counts, and functions that run and judge a command.
# Outputs of a command are left in the files out and err of the present folder. The last line is: finish
# Under nohup a test and its commands ignore SIGHUP, which no shell can change for its children: runs that
# SIGHUP is to end would go on for ever.
[ "${WB_DEFAULT_HUP-}" ] || WB_DEFAULT_HUP=1 exec env --default-signal=HUP sh "$0" "$@"
set -u
passed=0
failed=0
work=$(mktemp -d)
finished=
# A test without `finish` would pass whatever it found.
at_exit() {
	status=$?
	rm -rf "$work"
	if [ $status = 0 ] && [ ! "$finished" ]; then
		echo "FAILED: the test ended without finish"
		exit 1
	fi
}
trap at_exit EXIT

# result STATUS WHAT: a test, passed if STATUS is 0, also the status of result; WHAT is printed of a failed test.
result() {
	if [ "$1" = 0 ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAILED: $2"
	fi
	return "$1"
}

# Whether libclc has functions for AMD: Debian's file up to version 19, or that of 22, not read by older compilers.
has_libclc() {
	[ -r /usr/lib/clc/amdgcn--amdhsa.bc ] || [ -r /usr/lib/clc/amdgcn-amd-amdhsa.bc ]
}

# The last command's outputs, after the message of a failure.
outputs() {
	sed 's/^/    /' out err
}

# ends and|without EXIT STREAM TEXT COMMAND...: common part of the next two functions.
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

# not STREAM TEXT: the last command did not say TEXT.
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
	finished=yes
	echo "$passed passed, $failed failed"
	[ $failed = 0 ]
}
