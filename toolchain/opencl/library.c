/* Our own built-in functions go in front of libclc's, as bitcode compiled for the same compiler and kept. */
#include "toolchain/opencl/compiler.h"

#include <stdio.h>
#include <unistd.h>

#include "host/object_cache.h"
#include "toolchain/cpp/cpp.h"

bool find_builtins(struct compiler *c)
{
	c->builtins = (struct opencl_builtins){ "", "" };
	if (c->target->nvcc)
		return true;
	if (c->target->language != OPENCL_C) {
		c->builtins.library = cpp_device_text(c->arena, c->target->language);
		return c->builtins.library || build_no_memory(c->build);
	}
	return opencl_builtins(c->arena, c->whole.bytes, c->whole.size, c->flagged,
			       !c->target->object, &c->builtins) || build_no_memory(c->build);
}

/* The key in the cache of our built-in functions' bitcode: compiler and version, the command, the functions' text. */
static void builtins_key(struct compiler *c, char *const *argv, uint8_t key[SHA256_BYTES])
{
	struct sha256 s;

	sha256_begin(&s);
	sha256_add(&s, "built-in functions", sizeof "built-in functions");
	hash_of_file(&s, c->child.path);
	sha256_add(&s, c->version.out.bytes, c->version.out.size + 1);
	for (; *argv; argv++)
		sha256_add(&s, *argv, strlen(*argv) + 1);
	sha256_add(&s, c->builtins.library, strlen(c->builtins.library) + 1);
	sha256_end(&s, key);
}

static bool compile_builtins(struct compiler *c, char *const *argv, struct child_outputs *o)
{
	int status;

	name_folder(c);
	status = run_compiler(c, argv, c->builtins.library, strlen(c->builtins.library), o);
	if (status != 0 && !ended_early(c, status, o->errors.bytes))
		diag_set(c->diag, DIAG_ENV, "%s does not compile the built-in functions: %.*s", c->program,
			 (int)strcspn(o->errors.bytes, "\n"), o->errors.bytes);
	return status == 0;
}

bool make_builtins(struct compiler *c, struct child_outputs *bitcode)
{
	const char *const words[] = {
		c->program, "-x", "cl", "-target", c->target->triple, "-nogpulib", "-cl-std=CL1.2", "-O1",
		IMAGE_OPTIONS, "-fno-strict-aliasing", "-Xclang", "-disable-llvm-passes", "-emit-llvm", "-c", "-o",
		"-", "-",
		TYPED_POINTERS, object_version(c), NULL
	};
	enum { WORDS = sizeof words / sizeof *words, VERSION = WORDS - 2, POINTERS = VERSION - 2 };
	char *argv[WORDS];
	uint8_t key[SHA256_BYTES];
	bool ok = true;
	int cache;

	if (!*c->builtins.library)
		return true;
	memcpy(argv, words, sizeof words);
	if (!types_pointers(c))
		memcpy(argv + POINTERS, words + VERSION, 2 * sizeof *words);
	builtins_key(c, argv, key);
	cache = object_cache_open();
	if (cache < 0 || !object_cache_read(cache, CACHED_BUILTINS, key, &bitcode->out)) {
		ok = compile_builtins(c, argv, bitcode);
		if (ok && cache >= 0)
			object_cache_write(cache, CACHED_BUILTINS, key, bitcode->out.bytes, bitcode->out.size);
	}
	if (cache >= 0)
		close(cache);
	c->child.input[CHILD_BUILTINS] = (struct child_file){ "builtins.bc", bitcode->out.bytes, bitcode->out.size };
	return ok;
}
