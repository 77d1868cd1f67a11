/* The verb build, and run PROG.cu -- ARGUMENTS: a whole program in CUDA C++ or HIP C++. The library compiles the
 * kernels as it does for `warpbeam run k.cu`; the PTX becomes a fat binary, the code object of HIP an offload bundle,
 * and clang compiles the host's functions around this file and links the runtime of frontends/cuda or frontends/hip.
 * nvcc (--cuda-compiler) makes the whole program by itself when the library has taken the kernels. */
#include "frontends/cli/build.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "frontends/cli/beside.h"
#include "frontends/cli/programs.h"
#include "frontends/cli/run_program.h"
#include "frontends/cli/temporary.h"
#include "frontends/cli/verbs.h"
#include "frontends/runtime/link.h"

const struct opt build_options[] = {
	{"output", 'o', OPT_VALUE, "FILE", NULL, "Output", "the program; default: the source's name without its "
	 "ending",
	 false},
	{NULL, 0, OPT_SWITCH, NULL, NULL, NULL, NULL, false},
};

/* ---- command lines ---- */

void words_add(struct words *w, const char *fmt, ...)
{
	va_list values;

	w->word = grow(w->word, (w->n + 2) * sizeof *w->word);
	va_start(values, fmt);
	if (vasprintf(&w->word[w->n], fmt, values) < 0)
		no_memory();
	va_end(values);
	w->word[++w->n] = NULL;
}

void words_append(struct words *w, const struct words *more)
{
	for (size_t i = 0; i < more->n; i++)
		words_add(w, "%s", more->word[i]);
}

void words_free(struct words *w)
{
	for (size_t i = 0; i < w->n; i++)
		free(w->word[i]);
	free(w->word);
	*w = (struct words){ 0 };
}

static void add_each(struct words *w, const char *const *list)
{
	for (; *list; list++)
		words_add(w, "%s", *list);
}

/* ---- languages ---- */

static bool write_fat(const char *path, const struct wb_file *ptx, const char *chip);
static bool write_bundle(const char *path, const struct wb_file *object, const char *chip);

/* PTX is the same for every chip: the chip with the widest limits says which kernels are possible. */
static const struct language languages[] = {
	{ ".cu", "CUDA C++", ".ptx", "v100", write_fat, "cuda", "frontends/cuda/12", "libcudart.so.12",
	  { "-x", "cuda", "-Wno-register", "--cuda-host-only", "--cuda-path=/nonexistent", "-nocudainc", "-nocudalib",
	    "-Xclang", "-target-sdk-version=11.0", "-Xclang", "-fcuda-allow-variadic-functions", "-fwrapv",
	    "-include", "cuda_runtime.h", NULL } },
	{ ".hip", "HIP C++", ".hsaco", "gfx900", write_bundle, "hip", "frontends/hip", "libamdhip64.so.5",
	  { "-x", "hip", "-Wno-register", "--cuda-host-only", "-nogpuinc", "-nogpulib", "-D__HIP_PLATFORM_AMD__=1",
	    "-include", "hip/hip_runtime.h", NULL } },
};

static const struct language *language_of(const char *path)
{
	size_t n = strlen(path);

	for (size_t i = 0; i < sizeof languages / sizeof *languages; i++) {
		size_t ending = strlen(languages[i].ending);
		if (n > ending && !strcmp(path + n - ending, languages[i].ending))
			return &languages[i];
	}
	return NULL;
}

const struct language *language_by(const char *ending)
{
	for (size_t i = 0; i < sizeof languages / sizeof *languages; i++)
		if (!strcmp(languages[i].ending, ending))
			return &languages[i];
	return NULL;
}

bool is_whole_source(const char *path)
{
	return language_of(path);
}

/* ---- the file of kernels ---- */

static void put(FILE *f, uint64_t v, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		fputc((int)(v >> 8 * i & 0xff), f);
}

/* A header, and one entry with the PTX and a NUL (core/load/fat_binary.c has the layout). */
static bool write_entry(const char *path, const char *mark, const struct wb_file *ptx)
{
	enum { HEADER = 16, ENTRY = 64, PTX = 1, SM = 70, FLAGS = 0x11 };
	uint64_t size = strlen(mark) + ptx->size, padded = (size + 1 + 7) & ~UINT64_C(7);
	FILE *f = fopen(path, "wb");

	if (!f)
		return false;
	put(f, 0xBA55ED50, 4);
	put(f, 1, 2);
	put(f, HEADER, 2);
	put(f, ENTRY + padded, 8);
	put(f, PTX, 2);
	put(f, 0x101, 2);
	put(f, ENTRY, 4);
	put(f, padded, 8);
	put(f, 0, 12);
	put(f, SM, 4);
	put(f, 0, 8);
	put(f, FLAGS, 8);
	put(f, 0, 16);
	fputs(mark, f);
	fwrite(ptx->bytes, 1, ptx->size, f);
	for (uint64_t i = size; i < padded; i++)
		fputc(0, f);
	bool whole = !ferror(f);
	return !fclose(f) && whole;
}

static bool write_fat(const char *path, const struct wb_file *ptx, const char *chip)
{
	(void)chip;
	return write_entry(path, "", ptx);
}

/* The runtime links such texts of a program before the first launch. */
static bool write_relocatable(const char *path, const struct wb_file *ptx, const char *chip)
{
	(void)chip;
	char mark[PATH_MAX];

	snprintf(mark, sizeof mark, LINK_MARK "%.*s\n", (int)(strlen(ptx->name) - strlen(".ptx")), ptx->name);
	return write_entry(path, mark, ptx);
}

/* An entry without bytes for the host, and the code object at a page (core/load/offload_bundle.c has the layout). The
 * target of older chips has a number of its own. */
static bool write_bundle(const char *path, const struct wb_file *object, const char *chip)
{
	static const char host[] = "host-x86_64-unknown-linux-gnu";
	enum { PAGE = 4096 };
	const char *target = !strcmp(chip, "bonaire") ? "gfx704" : !strcmp(chip, "tonga") ? "gfx802" : chip;
	char name[64];
	FILE *f = fopen(path, "wb");

	if (!f)
		return false;
	snprintf(name, sizeof name, "hipv4-amdgcn-amd-amdhsa--%s", target);
	fputs("__CLANG_OFFLOAD_BUNDLE__", f);
	put(f, 2, 8);
	put(f, PAGE, 8);
	put(f, 0, 8);
	put(f, sizeof host - 1, 8);
	fputs(host, f);
	put(f, PAGE, 8);
	put(f, object->size, 8);
	put(f, strlen(name), 8);
	fputs(name, f);
	while (ftell(f) < PAGE)
		fputc(0, f);
	fwrite(object->bytes, 1, object->size, f);
	bool whole = !ferror(f);
	return !fclose(f) && whole;
}

/* What the library has made of the source: the file of the program with the source's name and another ending. */
static bool find_object(const struct wb_program *p, const char *ending, struct wb_file *object)
{
	size_t length = strlen(ending);

	for (unsigned i = 0; wb_program_file(p, i, object); i++) {
		size_t n = strlen(object->name);
		if (n > length && !strcmp(object->name + n - length, ending))
			return true;
	}
	return false;
}

/* Of the compiler of a program's kernels: a sort of thrust takes ten seconds for each type of its keys. */
#define COMPILER_SECONDS "600"

/* With this definition the library keeps a text as made by clang (toolchain/cpp/make.c). */
#define RELOCATABLE "__WARPBEAM_RELOCATABLE__"

static enum wb_status compile_kernels(const struct cli *c, const struct language *l, const char *source,
				      const char *path, struct wb_diag *d)
{
	struct wb_config *config = wb_config_copy(c->config);
	struct wb_program *p = NULL;
	struct wb_file object;

	if (!config)
		no_memory();
	*d = (struct wb_diag){ .status = WB_OK };
	if (!wb_config_given(config, "chip"))
		wb_config_set(config, "chip", l->chip, d);
	if (d->status == WB_OK && !wb_config_given(config, "max-seconds"))
		wb_config_set(config, "max-seconds", COMPILER_SECONDS, d);
	if (d->status == WB_OK)
		wb_config_set(config, "format", l->ending[1] == 'c' ? "cuda" : "hip", d);
	if (d->status == WB_OK && l->write == write_relocatable)
		wb_config_set(config, "define", RELOCATABLE, d);
	if (d->status == WB_OK)
		d->status = named_program_open(source, config, &p, d);
	if (d->status == WB_OK && (!find_object(p, l->object, &object) ||
				   !l->write(path, &object, wb_config_get(config, "chip")))) {
		*d = (struct wb_diag){ .status = WB_ENV };
		snprintf(d->text, sizeof d->text, "%s: cannot write: %s", path, strerror(errno));
	}
	wb_program_free(p);
	wb_config_free(config);
	return d->status;
}

/* ---- the host's part ---- */

static bool is_program(const char *name)
{
	const char *path = getenv("PATH");
	char full[PATH_MAX];

	if (strchr(name, '/'))
		return !access(name, X_OK);
	for (const char *p = path ? path : ""; *p; p += strcspn(p, ":"), p += *p == ':') {
		snprintf(full, sizeof full, "%.*s/%s", (int)strcspn(p, ":"), p, name);
		if (!access(full, X_OK))
			return true;
	}
	return false;
}

/* The compiler of --cc, or the first of those that the library takes. NULL: none, said so. */
const char *build_compiler(const struct cli *c, const struct language *l)
{
	static const char *const names[] = {
#define CLANG(name) name,
#include "toolchain/opencl/clang.def"
#undef CLANG
		NULL
	};
	const char *said = wb_config_get(c->config, "cc");

	if (said && *said)
		return said;
	for (const char *const *name = names; *name; name++)
		if (is_program(*name))
			return *name;
	complain(WB_ENV, "%s is compiled by clang 14 or later, and there is none: apt install clang-14", l->name);
	return NULL;
}

/* A folder of headers: beside bin of an installation, or in a folder above the program of a build. */
static bool find_headers(const char *headers, char path[PATH_MAX])
{
	char self[PATH_MAX - 64];
	bool above = beside_self(self, sizeof self) && beside_build(self);

	for (char *slash = strrchr(self, '/'); slash; slash = above ? strrchr(self, '/') : NULL) {
		*slash = '\0';
		snprintf(path, PATH_MAX, "%s/include/warpbeam/%s", self, headers);
		if (!access(path, R_OK | X_OK))
			return true;
	}
	complain(WB_ENV, "the headers in include/warpbeam/%s are not here", headers);
	return false;
}

enum wb_status words_run(const struct words *a)
{
	int status = -1;
	pid_t child;

	fflush(NULL);
	child = fork();
	if (!child) {
		execvp(a->word[0], a->word);
		_exit(127);
	}
	temporary_child(child);
	while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	temporary_child(0);
	if (child < 0 || (WIFEXITED(status) && WEXITSTATUS(status) == 127))
		return complain(WB_ENV, "%s: cannot run", a->word[0]);
	return WIFEXITED(status) && !WEXITSTATUS(status) ? WB_OK : WB_INPUT;
}

/* Each line of a list option behind a prefix. */
static void add_list(struct words *a, const char *prefix, const char *list)
{
	for (const char *p = list ? list : ""; *p; p += strcspn(p, "\n"), p += *p == '\n')
		words_add(a, "%s%.*s", prefix, (int)strcspn(p, "\n"), p);
}

/* ---- nvcc ---- */

static bool is_nvcc(const struct cli *c, const struct language *l)
{
	return l->write == write_fat && !strcmp(wb_config_get(c->config, "cuda-compiler"), "nvcc");
}

/* The program of --cc, or the first of the places where the library looks; `path` is for its name. */
static const char *find_nvcc(const struct cli *c, char path[PATH_MAX])
{
	static const char *const variables[] = { "CUDA_HOME", "CUDA_PATH", NULL };
	const char *said = wb_config_get(c->config, "cc");

	if (said && *said)
		return said;
	if (is_program("nvcc"))
		return "nvcc";
	for (const char *const *v = variables; *v; v++) {
		snprintf(path, PATH_MAX, "%s/bin/nvcc", getenv(*v) ? getenv(*v) : "");
		if (getenv(*v) && is_program(path))
			return path;
	}
	return is_program("/opt/cuda/bin/nvcc") ? "/opt/cuda/bin/nvcc" : "/usr/local/cuda/bin/nvcc";
}

/* Let the program find our runtime of nvcc's own version first. */
static void add_runtimes(struct words *a)
{
	static const char *const versions[][2] = {
		{ "frontends/cuda/13", "libcudart.so.13" }, { "frontends/cuda/12", "libcudart.so.12" },
		{ "frontends/cuda/11.0", "libcudart.so.11.0" },
	};
	char library[PATH_MAX];

	for (size_t i = 0; i < sizeof versions / sizeof *versions; i++) {
		if (!interface_find(library, versions[i][0], versions[i][1]))
			continue;
		words_add(a, "-Xlinker");
		words_add(a, "-rpath=%.*s", (int)(strrchr(library, '/') - library), library);
	}
}

/* The driver's and the compiler's libraries, for sources that call them; each word of the linker behind `before`. */
static void add_needed(struct words *a, const char *before)
{
	static const char *const needed[][2] = {
		{ "frontends/cuda/driver", "libcuda.so.1" }, { "frontends/rtc/12", "libnvrtc.so.12" }
	};
	char library[PATH_MAX];

	for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
		if (!interface_find(library, needed[i][0], needed[i][1]))
			continue;
		int folder = (int)(strrchr(library, '/') - library);
		if (*before)
			words_add(a, "%s", before);
		words_add(a, "%s--as-needed,%s,-rpath,%.*s", *before ? "" : "-Wl,", library, folder, library);
	}
}

/* The shared runtime is the way to us, and PTX all that we run: no time is spent on machine code. */
static enum wb_status compile_by_nvcc(const struct cli *c, const char *source, const char *output)
{
	static const char *const words[] = {
		"-std=c++17", "-cudart=shared", "-gencode=arch=compute_75,code=compute_75", "-lineinfo", "-O2",
		"-Xlinker", "--enable-new-dtags", NULL
	};
	char path[PATH_MAX];
	struct words a = { 0 };

	words_add(&a, "%s", find_nvcc(c, path));
	add_each(&a, words);
	add_list(&a, "-I", wb_config_get(c->config, "include"));
	add_list(&a, "-D", wb_config_get(c->config, "define"));
	add_runtimes(&a);
	add_needed(&a, "-Xlinker");
	words_add(&a, "%s", source);
	words_add(&a, "-o");
	words_add(&a, "%s", output);
	enum wb_status status = words_run(&a);
	words_free(&a);
	return status;
}

/* ---- clang ---- */

bool build_runtime(const struct language *l, struct words *w)
{
	char library[PATH_MAX];

	if (!interface_find(library, l->folder, l->library)) {
		complain_missing(l->library);
		return false;
	}
	int folder = (int)(strrchr(library, '/') - library);
	words_add(w, "%s", library);
	if (l->write == write_fat)
		add_needed(w, "");
	words_add(w, "-Wl,--enable-new-dtags");
	words_add(w, "-Wl,-rpath,%.*s", folder, library);
	words_add(w, "-L%.*s", folder, library);        /* clang 19 adds -lamdhip64 to HIP */
	words_add(w, "-pthread");
	return true;
}

bool build_headers(const char *headers, const char *option, struct words *w)
{
	char path[PATH_MAX];

	if (!find_headers(headers, path))
		return false;
	words_add(w, "%s", option);
	words_add(w, "%s", path);
	return true;
}

/* The major version of a clang; 0: none to be had. */
static int major_version(const char *compiler)
{
	char said[64] = "";
	int ends[2];
	pid_t child;

	fflush(NULL);
	if (pipe(ends))
		return 0;
	child = fork();
	if (!child) {
		dup2(ends[1], STDOUT_FILENO);
		execlp(compiler, compiler, "-dumpversion", (char *)NULL);
		_exit(127);
	}
	close(ends[1]);
	while (child > 0 && read(ends[0], said, sizeof said - 1) < 0 && errno == EINTR)
		;
	close(ends[0]);
	while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
		;
	return atoi(said);
}

/* From version 20 on, clang leaves CUDA's kernels to a program clang-linker-wrapper, with no place for ours. */
static void add_old_driver(const struct language *l, const char *compiler, struct words *w)
{
	if (l->write == write_fat && major_version(compiler) >= 20)
		words_add(w, "--no-offload-new-driver");
}

/* The host's functions of a source, and the file of kernels between them; NULL: the source has none. */
static enum wb_status compile_host(const struct cli *c, const struct translation *t, const char *kernels)
{
	const char *compiler = build_compiler(c, t->language);
	struct words a = { 0 };
	bool known = compiler;

	words_add(&a, "%s", compiler ? compiler : "");
	words_add(&a, "--driver-mode=g++");
	add_each(&a, t->language->words);
	if (compiler)
		add_old_driver(t->language, compiler, &a);
	words_add(&a, "-std=c++17");
	if (kernels) {
		words_add(&a, "-Xclang");
		words_add(&a, "-fcuda-include-gpubinary");
		words_add(&a, "-Xclang");
		words_add(&a, "%s", kernels);
	}
	known = known && build_headers(t->language->headers, "-isystem", &a);
	add_list(&a, "-I", wb_config_get(c->config, "include"));
	add_list(&a, "-D", wb_config_get(c->config, "define"));
	if (t->relocatable)
		words_add(&a, "-D" RELOCATABLE);
	words_add(&a, "-O2");
	if (t->host)
		words_append(&a, t->host);
	words_add(&a, "%s", t->source);
	words_add(&a, t->object ? "-c" : "-xnone");
	words_add(&a, "-o");
	words_add(&a, "%s", t->output);
	known = known && (t->object || build_runtime(t->language, &a));
	enum wb_status status = known ? words_run(&a) : WB_ENV;
	words_free(&a);
	return status;
}

/* ---- variables of several sources ---- */

struct names {
	FILE *list;
	size_t n;
};

static void put_name(void *context, const char *name, int length)
{
	struct names *to = context;

	fprintf(to->list, "%.*s\n", length, name);
	to->n++;
}

/* Of a variable of the device, clang gives the host a variable of the object's own; further objects look for a
 * variable that all objects see. */
static enum wb_status show_variables(const char *kernels, const char *object)
{
	char list[PATH_MAX], *bytes;
	struct words w = { 0 };
	struct link_part part;
	struct wb_diag d;
	size_t n;

	if (!temporary_path(list) || !try_read_all(kernels, &bytes, &n, &d))
		return WB_ENV;
	struct names names = { fopen(list, "w"), 0 };
	if (names.list && link_find(bytes, bytes + n, &part))
		link_variables(&part, put_name, &names);
	free(bytes);
	if (!names.list || fclose(names.list))
		return complain(WB_ENV, "%s: cannot write: %s", list, strerror(errno));
	if (!names.n)
		return WB_OK;
	words_add(&w, "objcopy");
	words_add(&w, "--globalize-symbols=%s", list);
	words_add(&w, "%s", object);
	enum wb_status status = words_run(&w);
	words_free(&w);
	return status;
}

enum wb_status build_check_link(const char *program)
{
	struct link_part *parts = NULL, part;
	char wrong[LINK_WRONG] = "", *bytes, *text = NULL;
	struct wb_diag d;
	size_t n, nparts = 0;

	if (!try_read_all(program, &bytes, &n, &d))
		return WB_OK;
	for (const char *p = bytes; link_find(p, bytes + n, &part); p = part.text + part.size) {
		parts = grow(parts, (nparts + 1) * sizeof *parts);
		parts[nparts++] = part;
	}
	if (nparts)
		text = link_texts(parts, nparts, wrong);
	enum wb_status status = text || !*wrong ? WB_OK : complain(WB_INPUT, "%s: %s", shown(program), wrong);
	if (status != WB_OK)
		unlink(program);
	free(text);
	free(parts);
	free(bytes);
	return status;
}

enum wb_status build_host(const struct cli *c, const struct translation *t)
{
	return compile_host(c, t, NULL);
}

/* ---- sources ---- */

/* A kernel leaves a function of the host that asks for its launch. A launch of another source's kernel names that
 * source's function, which is then undefined here. */
static bool defines_stub(const char *bytes, size_t n, const Elf64_Shdr *symbols, const Elf64_Shdr *names)
{
	for (size_t at = 0; at + sizeof(Elf64_Sym) <= symbols->sh_size; at += sizeof(Elf64_Sym)) {
		Elf64_Sym s;
		memcpy(&s, bytes + symbols->sh_offset + at, sizeof s);
		uint64_t name = names->sh_offset + s.st_name;
		if (s.st_shndx != SHN_UNDEF && name < n && memmem(bytes + name, strnlen(bytes + name, n - name),
								  "__device_stub__", 15))
			return true;
	}
	return false;
}

static bool section(const char *bytes, size_t n, uint64_t index, Elf64_Shdr *s)
{
	Elf64_Ehdr h;

	memcpy(&h, bytes, sizeof h);
	if (index >= h.e_shnum || h.e_shoff + (index + 1) * sizeof *s > n)
		return false;
	memcpy(s, bytes + h.e_shoff + index * sizeof *s, sizeof *s);
	return s->sh_type == SHT_NOBITS || (s->sh_offset <= n && s->sh_size <= n - s->sh_offset);
}

/* Whether a source has kernels of its own, by its object of the host. */
static bool has_kernels(const char *object)
{
	Elf64_Shdr symbols, names;
	struct wb_diag d;
	char *bytes;
	size_t n;
	bool found = false;

	if (!try_read_all(object, &bytes, &n, &d))
		return true;
	for (uint64_t i = 0; n >= sizeof(Elf64_Ehdr) && section(bytes, n, i, &symbols); i++)
		found = found || (symbols.sh_type == SHT_SYMTAB && section(bytes, n, symbols.sh_link, &names) &&
				  defines_stub(bytes, n, &symbols, &names));
	free(bytes);
	return found;
}

/* Whether the host's functions are all that a source has. The trial says nothing: the library has said what is wrong,
 * and the compilation behind it says the rest. */
static bool is_host_alone(const struct cli *c, const struct translation *t)
{
	char object[PATH_MAX];
	struct translation trial = { .language = t->language, .source = t->source, .output = object, .host = t->host,
				     .object = true };
	int errors = dup(STDERR_FILENO), none = open("/dev/null", O_WRONLY);
	bool alone = temporary_path(object) && errors >= 0 && none >= 0;

	fflush(stderr);
	if (alone)
		dup2(none, STDERR_FILENO);
	alone = alone && compile_host(c, &trial, NULL) == WB_OK && !has_kernels(object);
	if (errors >= 0)
		dup2(errors, STDERR_FILENO);
	for (size_t i = 0; i < 2; i++)
		if ((int[]){ errors, none }[i] >= 0)
			close((int[]){ errors, none }[i]);
	return alone;
}

enum wb_status build_source(const struct cli *c, const struct translation *t)
{
	struct language l = *t->language;
	char kernels[PATH_MAX];
	enum wb_status status;
	struct wb_diag d;

	if (!temporary_path(kernels))
		return WB_ENV;
	if (t->relocatable)
		l.write = write_relocatable;
	status = compile_kernels(c, &l, t->source, kernels, &d);
	if (status == WB_INPUT && is_host_alone(c, t))
		status = compile_host(c, t, NULL);
	else if (status != WB_OK)
		complain_diag(&d);
	else
		status = is_nvcc(c, t->language) ? compile_by_nvcc(c, t->source, t->output)
						 : compile_host(c, t, kernels);
	if (status == WB_OK && t->relocatable && !access(kernels, R_OK))
		status = show_variables(kernels, t->output);
	return status;
}

static bool write_plain(const char *path, const struct wb_file *object, const char *chip)
{
	(void)chip;
	return write_all(path, object->bytes, object->size);
}

enum wb_status build_kernels(const struct cli *c, const struct language *l, const char *source, const char *output,
			     bool fat)
{
	struct language plain = *l;
	struct wb_diag d;

	if (!fat)
		plain.write = write_plain;
	return compile_kernels(c, &plain, source, output, &d) == WB_OK ? WB_OK : complain_diag(&d);
}

static enum wb_status build_program(const struct cli *c, const char *source, const char *output)
{
	return build_source(c, &(struct translation){ .language = language_of(source), .source = source,
						      .output = output });
}

enum wb_status verb_build(struct cli *c)
{
	if (c->nprogram && c->noperands == c->nprogram)
		return build_command(c);
	const char *source = c->noperands > 1 ? *c->operands : cli_operand(c, "FILE.cu");
	const char *output = cli_value(c, "output");
	char name[PATH_MAX];

	if (!source)
		return WB_USAGE;
	const struct language *l = language_of(source);
	if (!l)
		return complain(WB_USAGE, "%s: expected a whole program in CUDA C++, in a file NAME.cu, or in HIP "
				"C++, in NAME.hip", source);
	snprintf(name, sizeof name, "%.*s", (int)(strlen(source) - strlen(l->ending)), source);
	return c->noperands > 1 ? build_sources(c, l, c->operands, c->noperands, output ? output : name)
				: build_program(c, source, output ? output : name);
}

enum wb_status build_and_run(struct cli *c, const char *source)
{
	char path[PATH_MAX];
	enum wb_status status;

	if (!temporary_path(path))
		return WB_ENV;
	status = build_program(c, source, path);
	if (status == WB_OK) {
		char **words = calloc(c->nprogram + 2, sizeof *words);
		if (!words)
			no_memory();
		words[0] = path;
		memcpy(words + 1, c->program, c->nprogram * sizeof *words);
		c->program = words;
		c->nprogram++;
		c->program_source = source;
		status = run_program(c);
		free(words);
	}
	return status;
}
