#!/bin/sh
# A good guess: a compiler that does not have printf for a device says so, or leaves a call for the linker.
# Really: clang 15 for AMD compiles OpenCL's printf to nothing, with no message: the kernel is a lone s_endpgm. 14 and
# 16 take a place in the printf buffer (__printf_alloc); 15 with -no-opaque-pointers as well.
# Consequence: a program that prints nothing looks like a program whose branch was never taken.
. "$(dirname "$0")/packages.sh"
clangs 14 15 16

cat >hello.cl <<'END'
kernel void hello(global int *number)
{
	printf("number %d\n", number[0]);
}
END
cat hello.cl
calls() {   # MAJOR OPTION...: calls of __printf_alloc, then the compiler's messages
	amd "$@" hello.cl >hello.s 2>messages
	echo "$(grep -c '__printf_alloc@gotpcrel32@lo' hello.s) calls, $(wc -l <messages) messages"
}
for major in 14 15 16; do
	tool $major clang
	case $major in
	15)
		stated 'printf' "$(calls 15)" '0 calls, 0 messages'
		echo 'all instructions of the kernel:'
		amd 15 hello.cl | grep '^	s_\|^	v_\|^	global_'
		stated 'printf with -no-opaque-pointers' "$(calls 15 -Xclang -no-opaque-pointers)" '1 calls, 0 messages'
		;;
	*) stated 'printf' "$(calls $major)" '1 calls, 0 messages' ;;
	esac
done
exit $status
