#!/bin/sh
# Each section of the built-in functions compiles alone, behind the text before the first section, as for a source that
# names one function: for both targets, by each clang of this host.   opencl_sections.sh SOURCE_ROOT
. "$(dirname "$0")/../kit/check.sh"
root=$(realpath "$1")
cd "$work" || exit 1

# A file a section: the library's text, and the prologue of a source.
awk '
/^\/\/[45PCB]?: / { section++; target = /^\/\/P: / ? "ptx" : /^\/\/[CB]?: / ? "both" : "gcn" }
{
	text = $0
	own = sub(/^\/\/> /, "", text)
	if (!section) {
		library = library text "\n"
		prologue = prologue (own ? text "\n" : "")
	} else {
		of_library[section] = of_library[section] text "\n"
		of_prologue[section] = of_prologue[section] (own ? text "\n" : "")
		targets[section] = target
	}
}
END {
	for (i = 1; i <= section; i++) {
		name = targets[i] i
		print "#define WB_OURS\n" library of_library[i] >(name ".library.cl")
		if (of_prologue[i] != "")
			print prologue of_prologue[i] "kernel void k(global int *p) { *p = 1; }" >(name ".prologue.cl")
	}
}' "$root/toolchain/opencl/builtins.cl" "$root/toolchain/opencl/images.cl"
ok 'sections' test "$(ls | grep -c 'library')" -gt 30

compilers=
for n in 14 15 16 17 18 19 20 21 22; do
	command -v clang-$n >out 2>&1 && compilers="$compilers clang-$n"
done
[ "$compilers" ] || {
	echo 'skipped: no clang-14 to clang-22'
	exit 77
}
newest=${compilers##* }
# kept TARGET CLANG: the oldest clang reads all sections for PTX, the newest those of PTX alone and all for GCN, each
# other pair a fourth; WB_TEST_ALL=1: every pair all.
kept() {
	case $1:$2:${WB_TEST_ALL-} in
	*:1 | ptx:clang-14: | gcn:"$newest": ) echo . ;;
	ptx:"$newest":) echo '^ptx\|[048]\.' ;;
	*) echo '[048]\.' ;;
	esac
}
images="-Xclang -cl-ext=+cl_khr_3d_image_writes"
for cc in $compilers; do
	set -- $(ls | grep '^[bp].*library' | grep "$(kept ptx "$cc")")
	ok "$cc, PTX" $cc -x cl -target nvptx-nvidia-nvidiacl -nogpulib -cl-std=CL1.2 $images -Werror -fsyntax-only "$@"
	set -- $(ls | grep '^[bg].*library' | grep "$(kept gcn "$cc")")
	ok "$cc, GCN" $cc -x cl -target amdgcn-unknown-amdhsa -nogpulib -cl-std=CL1.2 $images -Werror -fsyntax-only "$@"
done
for target in nvptx-nvidia-nvidiacl amdgcn-unknown-amdhsa; do
	set -- $(ls | grep '^[bp].*prologue')
	[ $target = nvptx-nvidia-nvidiacl ] || set -- $(ls | grep '^[bg].*prologue')
	ok "prologues, $target" $newest -x cl -Xclang -finclude-default-header -target $target -nogpulib -cl-std=CL1.2 \
		-fsyntax-only "$@"
done
finish
