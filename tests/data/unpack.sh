#!/bin/sh
# The folder in which tests find their evidence: our own, and links to programs of others beside the project, which lead
# nowhere where there is no ../shared.   unpack.sh DATA SHARED FOLDER
set -eu
data=$(realpath "$1")
shared=$2
folder=$3
rm -rf "$folder"
mkdir -p "$folder/corpus/tesla"
for archive in "$data"/*.tar.gz; do
	tar -C "$folder" -xzf "$archive"
done
mkdir -p "$folder/ptx"
tar -C "$folder/ptx" -xzf "$data/vectors/ptx/data.tar.gz"
ln -s "$data/vectors" "$folder/vectors"
ln -s "$data/bench" "$folder/bench"
for program in tesla/decuda tesla/gpgpusim pica; do
	ln -s "$shared/corpus/$program" "$folder/corpus/$program"
done
# Mesa's compute tests lie beside our own programs there.
ln -s "$shared/corpus/tesla/nouveau" "$folder/corpus/tesla/mesa"
find "$folder" ! -type l | wc -l
