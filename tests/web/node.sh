# To be sourced by tests of the module in node: without a fit node a test ends as skipped.
command -v node >/dev/null || { echo "skipped: no node"; exit 77; }
tail='0,97,115,109,1,0,0,0,1,4,1,96,0,0,3,2,1,0,10,6,1,4,0,18,0,11'
node -e "process.exit(WebAssembly.validate(new Uint8Array([$tail])) ? 0 : 1)" ||
	{ echo "skipped: this node has no tail calls in WebAssembly"; exit 77; }
