# The common part of the findings, sourced by each script: pinned packages of Debian 12 (amd64) in a temporary folder,
# the tools out of this folder, and the verdict. Nothing is installed, no rights are needed, and the folder goes away at
# the end. Pinned are the tools with the libraries of their own project; libraries beneath (libxml2 and the like) get
# security updates and are Debian's newest.
set -eu
export LC_ALL=C
work=$(mktemp -d "${TMPDIR:-/tmp}/finding.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"
status=0

version_of() {   # MAJOR: the pinned version of LLVM's packages
	case $1 in
	14) echo 1:14.0.6-12 ;;
	15) echo 1:15.0.6-4+b1 ;;
	16) echo 1:16.0.6-15~deb12u1 ;;
	19) echo 1:19.1.7-3~deb12u1 ;;
	22) echo 1:22.1.8-1~deb12u1 ;;
	esac
}

unpack() {   # PACKAGE[=VERSION]...: into $work; the script is skipped where Debian has none
	if ! apt-get download "$@" >log 2>&1; then
		echo "skipped: no pinned packages (Debian 12, amd64, after apt-get update): $(tail -n 1 log)"
		exit 77
	fi
	for package in *.deb; do
		dpkg-deb -x "$package" .
	done
	rm -f ./*.deb
}

beneath='libedit2 libbsd0 libmd0 libffi8 libxml2 libicu72 libz3-4 libzstd1 liblzma5 libtinfo6 zlib1g libreadline8'

clangs() {   # MAJOR...
	list=$beneath
	for major in "$@"; do
		pin=$(version_of "$major")
		list="$list clang-$major=$pin libclang-cpp$major=$pin libllvm$major=$pin"
		list="$list libclang-common-$major-dev=$pin"
	done
	unpack $list
}

llvms() {   # MAJOR...: llc and llvm-mc
	list=$beneath
	for major in "$@"; do
		pin=$(version_of "$major")
		list="$list llvm-$major=$pin libllvm$major=$pin"
	done
	unpack $list
}

library() {   # PROGRAM ARGUMENT...: with the libraries of the packages
	LD_LIBRARY_PATH=$(echo "$work"/usr/lib/*-linux-gnu):$(echo "$work"/lib/*-linux-gnu) "$@"
}

llvm() {   # MAJOR PROGRAM ARGUMENT...
	program=$work/usr/lib/llvm-$1/bin/$2
	shift 2
	library "$program" "$@"
}

# OpenCL C to assembly on standard output, for gfx900 and for PTX.
amd() {   # MAJOR FILE OPTION...
	compile "$@" -target amdgcn-amd-amdhsa -mcpu=gfx900
}

nvidia() {   # MAJOR FILE OPTION...
	compile "$@" -target nvptx64-nvidia-nvcl
}

compile() {   # MAJOR FILE OPTION...
	major=$1
	shift
	llvm "$major" clang -x cl -cl-std=CL1.2 -nogpulib -S -O2 -o - "$@"
}

tool() {   # MAJOR PROGRAM: says the version
	echo "== $(llvm "$1" "$2" --version | grep -m 1 version) (package $(version_of "$1"))"
}

# The verdict on a statement: the tool's answer is as when the finding was written, or has changed.
stated() {   # STATEMENT FOUND EXPECTED
	if [ "$2" = "$3" ]; then
		echo "as stated: $1: $2"
	else
		echo "CHANGED: $1: $2, was $3"
		status=1
	fi
}
