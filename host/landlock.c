/* System calls alone: glibc has no functions for Landlock. The numbers are the kernel's documentation's
 * (userspace-api/landlock.rst). */
#include "host/landlock.h"

#include <fcntl.h>
#include <linux/landlock.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { ABI_REFER = 2, ABI_TRUNCATE = 3 };

/* In the second and third version of the interface, newer than some headers. */
#define REFER (UINT64_C(1) << 13)
#define TRUNCATE (UINT64_C(1) << 14)
#define ON_FILES (LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_READ_FILE | TRUNCATE)
#define READING (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR)

/* Uses that the kernel bounds; 0: no Landlock. */
static uint64_t bounded(void)
{
	long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);

	return abi <= 0 ? 0 : (REFER - 1) | (abi >= ABI_REFER ? REFER : 0) | (abi >= ABI_TRUNCATE ? TRUNCATE : 0);
}

int landlock_ruleset(void)
{
	struct landlock_ruleset_attr attr = { .handled_access_fs = bounded() };

	return attr.handled_access_fs ? (int)syscall(SYS_landlock_create_ruleset, &attr, sizeof attr, 0) : -1;
}

bool landlock_allow(int ruleset, const char *path, enum landlock_use use)
{
	static const uint64_t uses[] = { READING, READING | LANDLOCK_ACCESS_FS_EXECUTE,
					 ~(uint64_t)LANDLOCK_ACCESS_FS_EXECUTE };
	struct landlock_path_beneath_attr attr = { .allowed_access = uses[use] & bounded(),
						   .parent_fd = open(path, O_PATH | O_CLOEXEC) };
	struct stat s;
	bool ok;

	if (attr.parent_fd < 0)
		return true;
	if (fstat(attr.parent_fd, &s) || !S_ISDIR(s.st_mode))
		attr.allowed_access &= ON_FILES;
	ok = !syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &attr, 0);
	close(attr.parent_fd);
	return ok;
}

bool landlock_enforce(int ruleset)
{
	return !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) && !syscall(SYS_landlock_restrict_self, ruleset, 0);
}
