#!/bin/sh
# A program of the machine for WebAssembly, compressed, from libraries that a build folder of its own makes:
# module.sh SOURCE FOLDER WASM.INI TOOLS.INI NAME.wasm.gz WASM_OPT ZOPFLI LINKER LIBRARY...
# NAME is the library of frontends/web whose functions are the program's. A program packed before is left alone, as
# packing takes seconds.
# Meson has no linker for WebAssembly without Emscripten, so the libraries are linked here.
set -eu
source=$1 folder=$2 wasm=$3 tools=$4 out=$5 sorter=$6 packer=$7 linker=$8
shift 8
name=$(basename "$out" .wasm.gz)
if [ ! -f "$folder/build.ninja" ] || [ -n "$(find "$tools" -newer "$folder/build.ninja")" ]; then
	rm -rf "$folder"
	meson setup --cross-file "$wasm" --cross-file "$tools" -Doptimization=2 -Ddebug=false -Db_ndebug=true \
		-Db_staticpic=false "$folder" "$source" >"$folder.log" 2>&1 || { tail -n 40 "$folder.log" >&2; exit 1; }
fi
ninja -C "$folder" all "frontends/web/lib$name.a" >"$folder.log" 2>&1 ||
	{ grep -A8 -E 'error|FAILED' "$folder.log" >&2; exit 1; }
# The program's functions whole, of other libraries the called functions. Nothing else is exported, nothing left
# undefined but the calls of WASI answered by machine.js.
# Like code stands beside like: libraries of instruction sets behind the others, and at the end, in an order found by
# trial, those with executors and their neighbours. Such a module is 0.8 % smaller, packed, than in the order of names.
last='diverge mem gcn_half gcn_base gcn_threaded threaded_base pica_table pica_alu_base_off pica_alu_base_rne
	pica_alu_base_trunc tesla_base tesla_warm tesla_hot'
libraries=$(cd "$folder" && find . -name '*.a' ! -name "lib$name.a" ! -name libvectors.a |
	awk -v last="$last" 'BEGIN { n = split(last, word, /[ \t\n]+/) }
		{
			rank = $0 ~ "/isa/"
			for (i = 1; i <= n; i++)
				if ($0 ~ "libwb_" word[i])
					rank = i + 1
			printf "%02d %s\n", rank, $0
		}' | LC_ALL=C sort | cut -d " " -f 2)
# shellcheck disable=SC2086
(cd "$folder" && "$linker" --no-entry --gc-sections --strip-all --compress-relocations --export=_initialize \
	-z stack-size=1048576 --max-memory=536870912 -o "$name.wasm" \
	--whole-archive "frontends/web/lib$name.a" --no-whole-archive $libraries "$@")
# Three passes of binaryen: sets of a local to the same value go, empty blocks go, and locals stand in the order of
# uses, so that like code gets like bytes. Most other passes make a smaller module and a larger packed form.
if [ ! -f "$out" ] || ! cmp -s "$folder/$name.wasm" "$folder/$name.packed"; then
	"$sorter" --rse --vacuum --reorder-locals --enable-tail-call --enable-bulk-memory --enable-simd \
		--enable-sign-ext --enable-mutable-globals --enable-nontrapping-float-to-int \
		"$folder/$name.wasm" -o "$folder/$name.sorted"
	"$packer" -c "$folder/$name.sorted" >"$out.new"
	cp "$folder/$name.wasm" "$folder/$name.packed"
	mv "$out.new" "$out"
fi
