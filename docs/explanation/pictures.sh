#!/bin/sh
# Draw the explanation pages' pictures from their sources; needs graphviz.   pictures.sh
set -eu
cd "$(dirname "$0")"
dot -Tsvg architecture.dot >architecture.svg
