#!/bin/sh
# Every experiment of bench timing that is a result of the model is inside its tolerance.   timing.sh WARPBEAM
exec "$1" bench timing
