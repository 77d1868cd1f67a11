/* Runs the files of corpus folders through a fuzz target, without a fuzzer: replay FOLDER... */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/fuzz/fuzz_image.h"

static int replay_file(const char *path)
{
	FILE *f = fopen(path, "rb");
	if (!f || fseek(f, 0, SEEK_END)) {
		fprintf(stderr, "%s: cannot be read\n", path);
		return 1;
	}
	size_t size = (size_t)ftell(f);
	uint8_t *bytes = malloc(size + 1);
	rewind(f);
	int bad = !bytes || fread(bytes, 1, size, f) != size;
	if (!bad)
		LLVMFuzzerTestOneInput(bytes, size);
	free(bytes);
	fclose(f);
	return bad;
}

static int replay_folder(const char *folder, int *files)
{
	DIR *dir = opendir(folder);
	int bad = !dir;
	for (struct dirent *e; dir && (e = readdir(dir)); ) {
		char path[4096];
		if (e->d_name[0] == '.')
			continue;
		snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
		bad += replay_file(path);
		++*files;
	}
	if (dir)
		closedir(dir);
	return bad;
}

int main(int argc, char **argv)
{
	int files = 0, bad = 0;
	for (int i = 1; i < argc; i++)
		bad += replay_folder(argv[i], &files);
	printf("%d passed, %d failed\n", files - bad, bad);
	return bad || !files;
}
