# HIP's names of what CUDA has too: CUDA's header with the other prefix, and texture objects as AMD declares them. The
# functions in `alone` are CUDA's alone.
# hip_names.sh FILE
alone='BindSurfaceToArray\|GetSurfaceObjectResourceDesc\|GetSurfaceReference\|MemcpyToArrayAsync\|MemcpyFromArrayAsync'
sed -e "/cuda\\($alone\\)(/ { :more; /;/! { N; b more }; d }" \
	-e 's/cuda/hip/g; s/WARPBEAM_CUDA_/WARPBEAM_HIP_/; s/CUDARTAPI//; s/CUDA/HIP/g' \
	-e 's/^typedef unsigned long long hip\(.*\)Object_t;/typedef struct __hip_\L\1\E *hip\1Object_t;/' \
	-e '/int disableTrilinearOptimization;/d' "$1"
