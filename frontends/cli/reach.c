/* A program is reached by the dynamic linker: libraries needed by name are replaced by ours. The file tells beforehand
 * where no replacement can happen. */
#include "frontends/cli/reach.h"

#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Libraries with a stand-in here, by the start of the name. */
static const char *const interfaces[] = { "libOpenCL.so", "libcudart.so", "libamdhip64.so.5", "libcuda.so.1",
					 "libnvrtc.so", "libhiprtc.so.5" };
/* Other libraries for GPUs, by the start of the name, and the interface. */
static const struct { const char *library, *name; } strangers[] = {
	{ "libamdhip64.so.6", "HIP of ROCm 6" }, { "libamdhip64.so.7", "HIP of ROCm 7" },
	{ "libhsa-runtime64.so", "ROCm" }, { "libze_loader.so", "Level Zero" }, { "libvulkan.so", "Vulkan" },
};

static bool is_program(const char *path)
{
	struct stat s;

	return !stat(path, &s) && S_ISREG(s.st_mode) && !access(path, X_OK);
}

/* As execvp finds a program: a name with a slash is a path, another is looked for in the folders of PATH. */
static void find(const char *name, struct reach *r)
{
	const char *folders = getenv("PATH");

	if (strchr(name, '/')) {
		if (!access(name, F_OK))
			snprintf(r->path, sizeof r->path, "%s", name);
		return;
	}
	for (const char *p = folders ? folders : "/usr/bin:/bin"; *p; p += strcspn(p, ":"), p += *p == ':') {
		int n = (int)strcspn(p, ":");
		snprintf(r->path, sizeof r->path, "%.*s/%s", n ? n : 1, n ? p : ".", name);
		if (is_program(r->path))
			return;
	}
	r->path[0] = '\0';
}

/* What the file says. */
struct facts {
	bool dynamic;           /* the system's linker starts the program */
	bool cuda;              /* device code of CUDA is inside */
	bool rpath;             /* DT_RPATH without DT_RUNPATH */
	const char *interface;  /* needed library with a stand-in here; NULL: none */
	const char *stranger;   /* interface of a needed library without a stand-in; NULL: none */
};

static void take_needed(struct facts *f, const char *library)
{
	for (size_t k = 0; k < sizeof interfaces / sizeof *interfaces; k++)
		if (!strncmp(library, interfaces[k], strlen(interfaces[k])))
			f->interface = interfaces[k];
	for (size_t k = 0; k < sizeof strangers / sizeof *strangers; k++)
		if (!strncmp(library, strangers[k].library, strlen(strangers[k].library)))
			f->stranger = strangers[k].name;
}

static void read_dynamic(Elf *elf, Elf_Scn *section, const GElf_Shdr *head, struct facts *f)
{
	Elf_Data *data = elf_getdata(section, NULL);
	bool runpath = false;
	GElf_Dyn entry;

	for (int i = 0; data && gelf_getdyn(data, i, &entry) && entry.d_tag != DT_NULL; i++) {
		const char *text = elf_strptr(elf, head->sh_link, entry.d_un.d_val);
		f->rpath |= entry.d_tag == DT_RPATH;
		runpath |= entry.d_tag == DT_RUNPATH;
		if (entry.d_tag == DT_NEEDED && text)
			take_needed(f, text);
	}
	f->rpath &= !runpath;
}

static void read_facts(Elf *elf, struct facts *f)
{
	Elf_Scn *section = NULL;
	size_t names, programs;
	GElf_Shdr head;
	GElf_Phdr p;

	for (size_t i = 0; !elf_getphdrnum(elf, &programs) && i < programs; i++)
		f->dynamic |= gelf_getphdr(elf, (int)i, &p) && p.p_type == PT_INTERP;
	while (!elf_getshdrstrndx(elf, &names) && (section = elf_nextscn(elf, section))) {
		if (!gelf_getshdr(section, &head))
			continue;
		const char *name = elf_strptr(elf, names, head.sh_name);
		f->cuda |= name && (!strcmp(name, ".nv_fatbin") || !strcmp(name, "__nv_relfatbin"));
		if (head.sh_type == SHT_DYNAMIC)
			read_dynamic(elf, section, &head, f);
	}
}

static void judge(const char *path, Elf *elf, struct reach *r)
{
	struct facts f = { 0 };
	GElf_Ehdr head;
	struct stat s;

	read_facts(elf, &f);
	r->never = true;
	r->preload = f.rpath && f.interface;
	if (gelf_getclass(elf) != (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32) || !gelf_getehdr(elf, &head))
		snprintf(r->why, sizeof r->why, "it is a program of another machine or width than the libraries here");
	else if (!f.dynamic)
		snprintf(r->why, sizeof r->why, "it is statically linked; link with shared libraries");
	else if (!stat(path, &s) && s.st_mode & (S_ISUID | S_ISGID))
		snprintf(r->why, sizeof r->why,
			 "it runs with another user's rights (setuid), and takes no libraries from others");
	else if (f.cuda && !f.interface)
		snprintf(r->why, sizeof r->why,
			 "it is linked with a static CUDA runtime; link with -cudart shared");
	else {
		r->never = false;
		if (!f.interface && f.stranger)
			snprintf(r->why, sizeof r->why,
				 "it needs %s, which has no stand-in here; OpenCL, CUDA and HIP of ROCm 5 have",
				 f.stranger);
		else if (!f.interface)
			snprintf(r->why, sizeof r->why, "it needs none of libOpenCL.so, libcudart.so, libcuda.so "
				 "and libamdhip64.so.5 by itself");
	}
}

void reach_look(const char *name, struct reach *out)
{
	*out = (struct reach){ .path = "" };
	find(name, out);
	int fd = *out->path ? open(out->path, O_RDONLY | O_CLOEXEC) : -1;
	if (fd < 0)
		return;
	Elf *elf = elf_version(EV_CURRENT) != EV_NONE ? elf_begin(fd, ELF_C_READ, NULL) : NULL;
	if (elf && elf_kind(elf) == ELF_K_ELF)
		judge(out->path, elf, out);
	elf_end(elf);
	close(fd);
}
