#define _GNU_SOURCE
#include "CApusBaselines.h"

#ifdef __linux__

#include <dirent.h>
#include <sched.h>
#include <stdlib.h>

void yardstick_stay_on_one_core(void) {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  const int core = sched_getcpu();
  CPU_SET(core < 0 ? 0 : core, &cores);
  DIR *threads = opendir("/proc/self/task");
  if (threads == NULL) { return; }
  for (struct dirent *thread = readdir(threads); thread != NULL; thread = readdir(threads)) {
    const int id = atoi(thread->d_name);
    if (id > 0) { sched_setaffinity(id, sizeof cores, &cores); }
  }
  closedir(threads);
}

#else

void yardstick_stay_on_one_core(void) {}

#endif
