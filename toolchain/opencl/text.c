/* Text of LLVM and of PTX, searched for few words. A comment about a parameter: "//! param KERNEL ADDRESS-SPACE TYPE
 * NAME", with "~" for blanks of the type, and for an image or a sampler its kind and what a kernel may do there, as
 * "image read_only". */
#include "toolchain/opencl/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/text.h"

static const char fused[] = "@llvm.fmuladd.";
enum { VECTOR_MAX = 16, LOCAL = 3 /* address space of OpenCL C's metadata: one of `space_names` */ };
static const char *const space_names[] = { "private", "global", "constant", "local" };

/* The elements of a fused operation of f32 at `p`, behind fused[]: 1 for "f32(", 4 for "v4f32(". 0: another. */
static unsigned elements(const char *p)
{
	char *end = (char *)(uintptr_t)p;
	unsigned long n = *p == 'v' ? strtoul(p + 1, &end, 10) : 1;

	return n && n <= VECTOR_MAX && !strncmp(end, "f32(", 4) ? (unsigned)n : 0;
}

/* A function of n elements, each a mad. */
static void define(FILE *out, unsigned n)
{
	char type[32], name[16];

	snprintf(type, sizeof type, n > 1 ? "<%u x float>" : "float", n);
	snprintf(name, sizeof name, n > 1 ? "v%uf32" : "f32", n);
	fprintf(out, "\ndefine internal %s @contracted.%s(%s %%a, %s %%b, %s %%c) alwaysinline nounwind {\n", type,
		name, type, type, type);
	for (unsigned i = 0; i < n; i++) {
		for (const char *v = n > 1 ? "abc" : ""; *v; v++)
			fprintf(out, "\t%%%c%u = extractelement %s %%%c, i32 %u\n", *v, i, type, *v, i);
		fprintf(out, "\t%%r%u = tail call float asm \"mad.f32 $0, $1, $2, $3;\", \"=f,f,f,f\"(", i);
		for (const char *v = "abc"; *v; v++)
			fprintf(out, n > 1 ? "%sfloat %%%c%u" : "%sfloat %%%c", *v == 'a' ? "" : ", ", *v, i);
		fputs(")\n", out);
		if (n > 1 && i)
			fprintf(out, "\t%%s%u = insertelement %s %%s%u, float %%r%u, i32 %u\n", i, type, i - 1, i, i);
		else if (n > 1)
			fprintf(out, "\t%%s0 = insertelement %s undef, float %%r0, i32 0\n", type);
	}
	fprintf(out, n > 1 ? "\tret %s %%s%u\n}\n" : "\tret %s %%r%u\n}\n", type, n - 1);
}

/* A load "%6 = load <16 x i8>, ptr addrspace(1) %5, align 1, …" with an alignment below 16. LLVM from 18 on makes one
 * access of 16 bytes of any such load for PTX (LLVM's pull request 67322); for other vectors LLVM looks at the
 * alignment. */
static const char wide[] = "load <16 x i8>, ptr ", wide_volatile[] = "load volatile <16 x i8>, ptr ";

/* The rest behind the text in a line that ends at `stop`; NULL: the text is not there. */
static const char *behind(const char *line, const char *stop, const char *text)
{
	const char *p = memmem(line, (size_t)(stop - line), text, strlen(text));

	return p ? p + strlen(text) : NULL;
}

static const char *behind_last(const char *line, const char *stop, const char *text)
{
	const char *last = NULL;

	for (const char *p = line; (p = behind(p, stop, text));)
		last = p;
	return last;
}

/* Write two loads of 8 bytes for an unaligned load of 16, number `number`. False: the line is none, nothing is
 * written. */
static bool split_load(FILE *out, const char *line, const char *stop, unsigned number)
{
	const char *address = behind(line, stop, wide), *equals = behind(line, stop, " = "), *alignment;
	bool is_volatile = !address && (address = behind(line, stop, wide_volatile));

	alignment = address ? behind_last(address, stop, ", align ") : NULL;
	if (!alignment || !equals || equals > address || strtoul(alignment, NULL, 10) >= 16)
		return false;
	int nname = (int)(equals - 3 - line), naddress = (int)(alignment - strlen(", align ") - address);
	int nplace = *address == 'a' ? (int)strcspn(address, ")") + 2 : 0;      /* addrspace(1) and a blank */
	const char *load = is_volatile ? "load volatile" : "load", *value = address + nplace;
	fprintf(out, "  %%low.%u = %s <8 x i8>, ptr %.*s, align 1\n", number, load, naddress, address);
	fprintf(out, "  %%at.%u = getelementptr i8, ptr %.*s%.*s, i32 8\n", number, nplace, address,
		naddress - nplace, value);
	fprintf(out, "  %%high.%u = %s <8 x i8>, ptr %.*s%%at.%u, align 1\n", number, load, nplace, address, number);
	fprintf(out, "%.*s = shufflevector <8 x i8> %%low.%u, <8 x i8> %%high.%u, <16 x i32> <", nname, line, number,
		number);
	for (unsigned i = 0; i < 16; i++)
		fprintf(out, "%si32 %u", i ? ", " : "", i);
	fputs(">\n", out);
	return true;
}

/* Write a line, with names of our own for what may be contracted. */
static void put_line(FILE *out, const char *line, const char *stop, bool *used)
{
	const char *p = line, *hit;
	bool declares = !strncmp(line, "declare ", 8);

	for (; (hit = memmem(p, (size_t)(stop - p), fused, sizeof fused - 1)); p = hit + sizeof fused - 1) {
		unsigned k = elements(hit + sizeof fused - 1);
		if (k && declares)
			return;
		fwrite(p, 1, (size_t)(hit - p), out);
		fputs(k ? "@contracted." : fused, out);
		used[k] = true;
	}
	fwrite(p, 1, (size_t)(stop - p), out);
}

/* Write a line "attributes #0 = { … }" without optsize. LLVM up to 16 ends with an error at copies of a few structs
 * for PTX, where size counts: a call of memcpy is meant, and there is none. */
static void put_attributes(FILE *out, const char *line, const char *stop)
{
	static const char word[] = " optsize";
	const char *hit = memmem(line, (size_t)(stop - line), word, sizeof word - 1);

	if (hit) {
		fwrite(line, 1, (size_t)(hit - line), out);
		line = hit + sizeof word - 1;
	}
	fwrite(line, 1, (size_t)(stop - line), out);
}

char *opencl_for_ptx(struct arena *a, const char *text, size_t n, size_t *size)
{
	bool used[VECTOR_MAX + 1] = { false }, copies = memmem(text, n, "@llvm.mem", sizeof "@llvm.mem" - 1);
	const char *end = text + n, *line = text;
	char *bytes = NULL, *kept;
	FILE *out = open_memstream(&bytes, size);

	if (!out)
		return NULL;
	for (unsigned loads = 0; line < end;) {
		const char *stop = memchr(line, '\n', (size_t)(end - line));
		stop = stop ? stop + 1 : end;
		if (split_load(out, line, stop, loads))
			loads++;
		else if (copies && !strncmp(line, "attributes #", 12))
			put_attributes(out, line, stop);
		else
			put_line(out, line, stop, used);
		line = stop;
	}
	for (unsigned k = 1; k <= VECTOR_MAX; k++)
		if (used[k])
			define(out, k);
	bool whole = !fclose(out) && bytes;
	kept = whole ? arena_memdup(a, bytes, *size) : NULL;
	free(bytes);
	return kept;
}

/* ---- parameters ---- */

/* The list "!{i32 1, i32 3}" of metadata node `number`; NULL: none. */
static const char *node(const char *text, unsigned long number)
{
	char key[32];
	const char *p;

	snprintf(key, sizeof key, "\n!%lu = !{", number);
	p = strstr(text, key);
	return p ? p + strlen(key) : NULL;
}

static const char *node_of(const char *text, const char *line, const char *end, const char *kind)
{
	const char *p = memmem(line, (size_t)(end - line), kind, strlen(kind));

	return p ? node(text, strtoul(p + strlen(kind), NULL, 10)) : NULL;
}

/* The next element of a list: "i32 3" or !"float*"; *n its bytes without quotes. NULL past the end. */
static const char *element(const char **list, size_t *n)
{
	const char *p = *list;

	if (!p || *p == '}' || *p == '\n' || !*p)
		return NULL;
	if (*p == '!') {
		p += 2;
		*n = strcspn(p, "\"\n");
		*list = p + *n + (p[*n] == '"');
	} else {
		*n = strcspn(p, ",}\n");
		*list = p + *n;
	}
	*list += strspn(*list, ", ");
	return p;
}

static void put_word(FILE *out, const char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		fputc(p[i] == ' ' ? '~' : p[i], out);
	if (!n)
		fputc('-', out);
}

/* The kind of a type of n bytes that is an image's or the sampler's; NULL: of another. */
static const char *opaque_kind(const char *type, size_t n)
{
	static const char *const types[] = {
		"sampler_t", "image1d_t", "image1d_buffer_t", "image1d_array_t", "image2d_t", "image2d_array_t",
		"image3d_t",
	};

	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		if (strlen(types[i]) == n && !memcmp(type, types[i], n))
			return i ? "image" : "sampler";
	return NULL;
}

/* The three numbers of a list "i32 8, i32 4, i32 1"; without a list zeros. */
static void put_extent(FILE *out, const char *list)
{
	for (int i = 0; i < 3; i++) {
		size_t n;
		const char *p = element(&list, &n);
		fprintf(out, " %d", p && n > 4 ? atoi(p + 4) : 0);
	}
}

/* The type of a vector's hint, "<4 x i32> undef, i32 SIGNED" or "float undef, i32 1", in the words of OpenCL C. */
static void put_vector(FILE *out, const char *list)
{
	static const struct { const char *llvm, *name; } types[] = {
		{ "i8", "char" }, { "i16", "short" }, { "i32", "int" }, { "i64", "long" }, { "half", "half" },
		{ "float", "float" }, { "double", "double" },
	};
	int lanes = *list == '<' ? atoi(list + 1) : 0;
	const char *type = lanes ? strstr(list, "x ") : list, *sign = strstr(list, ", i32 ");

	type += lanes && type ? 2 : 0;
	for (size_t i = 0; type && i < sizeof types / sizeof *types; i++) {
		size_t n = strlen(types[i].llvm);
		if (strncmp(type, types[i].llvm, n) || (type[n] != '>' && type[n] != ' '))
			continue;
		fprintf(out, " %s%s", *type == 'i' && sign && sign[6] == '0' ? "u" : "", types[i].name);
		if (lanes)
			fprintf(out, "%d", lanes);
		return;
	}
	fputs(" -", out);
}

/* The attributes of a kernel: the block that it asks for, the probable block, the type of its vectors. */
static void put_hints(FILE *out, const char *text, const char *line, const char *end, const char *name)
{
	const char *block = node_of(text, line, end, "!reqd_work_group_size !");
	const char *hint = node_of(text, line, end, "!work_group_size_hint !");
	const char *vector = node_of(text, line, end, "!vec_type_hint !");

	if (!block && !hint && !vector)
		return;
	fputs("//! kernel ", out);
	put_word(out, name, strcspn(name, "("));
	put_extent(out, block);
	put_extent(out, hint);
	put_vector(out, vector ? vector : "");
	fputc('\n', out);
}

static void put_kernel(FILE *out, const char *text, const char *line, const char *end)
{
	const char *spaces = node_of(text, line, end, "!kernel_arg_addr_space !"), *space, *type, *name;
	const char *types = node_of(text, line, end, "!kernel_arg_type !");
	const char *names = node_of(text, line, end, "!kernel_arg_name !");
	const char *bases = node_of(text, line, end, "!kernel_arg_base_type !"), *base;
	const char *accesses = node_of(text, line, end, "!kernel_arg_access_qual !"), *access;
	const char *qualifiers = node_of(text, line, end, "!kernel_arg_type_qual !"), *qualifier;
	const char *at = memchr(line, '@', (size_t)(end - line));
	size_t n, ntype, nname, nbase, naccess, nqualifier;

	if (spaces && at)
		put_hints(out, text, line, end, at + 1);
	while (at && (space = element(&spaces, &n))) {
		type = element(&types, &ntype);
		name = element(&names, &nname);
		fputs("//! param ", out);
		put_word(out, at + 1, strcspn(at + 1, "("));
		fprintf(out, " %d ", n > 4 ? atoi(space + 4) : 0);
		put_word(out, type ? type : "", type ? ntype : 0);
		fputc(' ', out);
		put_word(out, name ? name : "", name ? nname : 0);
		base = element(&bases, &nbase);
		access = element(&accesses, &naccess);
		qualifier = element(&qualifiers, &nqualifier);
		fputc(' ', out);
		put_word(out, qualifier ? qualifier : "", qualifier ? nqualifier : 0);
		const char *kind = base ? opaque_kind(base, nbase) : NULL;
		if (kind && access)
			fprintf(out, " %s %.*s", kind, (int)naccess, access);
		fputc('\n', out);
	}
}

char *opencl_params(struct arena *a, const char *text, size_t n)
{
	char *copy = arena_alloc(a, n + 1, 1), *bytes = NULL, *kept;
	const char *line = copy;
	size_t size = 0;
	FILE *out = open_memstream(&bytes, &size);

	if (!copy || !out) {
		if (out)
			fclose(out);
		free(bytes);
		return NULL;
	}
	memcpy(copy, text, n);
	for (; line && *line; line = strchr(line, '\n'), line = line ? line + 1 : NULL)
		if (!strncmp(line, "define ", 7))
			put_kernel(out, copy, line, line + strcspn(line, "\n"));
	bool whole = !fclose(out) && bytes;
	kept = whole ? arena_strdup(a, bytes) : NULL;
	free(bytes);
	return kept;
}

/* Words of a comment about a parameter, and of one about a kernel. */
enum { KERNEL, SPACE, TYPE, NAME, QUALIFIERS, KIND, ACCESS };
enum { BLOCK = 1, HINT = 4, VECTOR = 7, WORDS };

static bool take_attributes(struct image *im, struct image_kernel *k, char *word[WORDS])
{
	if (!word[VECTOR])
		return true;
	for (int i = 0; i < 3; i++) {
		unsigned long block = strtoul(word[BLOCK + i], NULL, 10), hint = strtoul(word[HINT + i], NULL, 10);
		k->launch.block[i] = block <= UINT16_MAX ? (uint32_t)block : 0;
		k->block_hint[i] = hint <= UINT16_MAX ? (uint32_t)hint : 0;
	}
	if (*word[VECTOR] != '-')
		k->vector_hint = arena_text(&im->arena, word[VECTOR], strlen(word[VECTOR]));
	return !im->arena.failed;
}

static uint8_t qualifiers_of(const char *words)
{
	return (uint8_t)((strstr(words, "const") ? IMAGE_CONST : 0) | (strstr(words, "restrict") ? IMAGE_RESTRICT : 0) |
			 (strstr(words, "volatile") ? IMAGE_VOLATILE : 0));
}

/* What a comment says of parameter `number` of kernel k, which the PTX calls "KERNEL_param_NUMBER". */
static bool take(struct image *im, struct image_kernel *k, unsigned number, char *word[WORDS])
{
	int space = atoi(word[SPACE]);
	char *type = word[TYPE];
	const char *name = word[NAME];
	size_t n = strlen(k->name);
	char declared[32];

	snprintf(declared, sizeof declared, "_param_%u", number);
	for (char *p = type; *p; p++)
		*p = *p == '~' ? ' ' : *p;
	for (size_t i = 0; i < k->nparams; i++) {
		struct image_param *p = &k->params[i];
		if (strncmp(p->name, k->name, n) || strcmp(p->name + n, declared))
			continue;
		p->type = *type == '-' ? "" : arena_text(&im->arena, type, strlen(type));
		p->name = *name == '-' ? "" : arena_text(&im->arena, name, strlen(name));
		p->kind = space == LOCAL ? "dynamic_shared_pointer" : p->kind;
		p->space = space >= 0 && space <= LOCAL ? space_names[space] : NULL;
		p->qualifiers = word[QUALIFIERS] ? qualifiers_of(word[QUALIFIERS]) : 0;
		if (word[KIND] && word[ACCESS]) {
			p->kind = arena_text(&im->arena, word[KIND], strlen(word[KIND]));
			p->access = arena_text(&im->arena, word[ACCESS], strlen(word[ACCESS]));
		}
		break;
	}
	return !im->arena.failed;
}

/* The kernel of a comment: kernel `k`, or the next of the name. PTX has the kernels in the order of the comments, but
 * called kernels before their callers. NULL: none, or the search has become too long. */
static struct image_kernel *find_kernel(struct image *im, const struct image_kernel *k, const char *name,
					size_t *steps)
{
	enum { STEPS_MAX = 1 << 24 };
	size_t first = (size_t)(k - im->kernels);

	for (size_t i = 0; i < im->nkernels && ++*steps < STEPS_MAX; i++) {
		struct image_kernel *found = &im->kernels[(first + i) % im->nkernels];
		if (!strcmp(found->name, name))
			return found;
	}
	return NULL;
}

bool opencl_take_params(struct image *im, const char *ptx, size_t n)
{
	static const char mark[] = "//! ", of_kernel[] = "kernel ", of_parameter[] = "param ";
	const char *end = ptx + n, *p = ptx;
	struct image_kernel *kernel = im->kernels;
	size_t steps = 0;
	unsigned number = 0;
	bool ok = true;

	while (ok && (p = memmem(p, (size_t)(end - p), mark, sizeof mark - 1))) {
		const char *stop = memchr(p, '\n', (size_t)(end - p));
		char line[512] = "", *word[WORDS] = { NULL }, *rest = line;
		bool attributes;
		size_t bytes = (size_t)((stop ? stop : end) - p), words = 0;
		if (bytes < sizeof line)
			memcpy(line, p + sizeof mark - 1, bytes - (sizeof mark - 1));
		attributes = !strncmp(line, of_kernel, sizeof of_kernel - 1);
		rest += attributes ? sizeof of_kernel - 1 : sizeof of_parameter - 1;
		if (!attributes && strncmp(line, of_parameter, sizeof of_parameter - 1))
			rest = NULL;
		for (p += bytes; words < WORDS && rest; words++)
			word[words] = strsep(&rest, " ");
		struct image_kernel *found = words > NAME ? find_kernel(im, kernel, word[KERNEL], &steps) : NULL;
		if (!found)
			continue;
		number = found == kernel ? number : 0;
		kernel = found;
		ok = attributes ? take_attributes(im, kernel, word) : take(im, kernel, number++, word);
	}
	return ok;
}
