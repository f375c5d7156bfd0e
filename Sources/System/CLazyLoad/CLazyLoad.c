#include "CApusLazyLoad.h"

#include <dlfcn.h>
#include <stdio.h>

static int fail(apus_lazy_library *library, const char *reason) {
  snprintf(
      library->failure, sizeof library->failure, "%s; install %s", reason ? reason : "the library cannot be loaded",
      library->package);
  return -1;
}

static int load(apus_lazy_library *library) {
  void *handle = NULL;
  for (int index = 0; index < 2 && library->files[index] && !handle; index++) {
    handle = dlopen(library->files[index], RTLD_LAZY | RTLD_LOCAL);
  }
  if (!handle) return fail(library, dlerror());
  for (size_t index = 0; index < library->function_count; index++) {
    void *address = dlsym(handle, library->functions[index].name);
    if (!address) return fail(library, dlerror());
    *library->functions[index].address = address;
  }
  return 1;
}

bool apus_lazy_load(apus_lazy_library *library) {
  // The addresses are written before the state, and read only after it.
  int state = __atomic_load_n(&library->state, __ATOMIC_ACQUIRE);
  if (state == 0) {
    pthread_mutex_lock(&library->lock);
    state = library->state;
    if (state == 0) {
      state = load(library);
      __atomic_store_n(&library->state, state, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&library->lock);
  }
  return state > 0;
}

const char *apus_lazy_failure(apus_lazy_library *library) {
  return apus_lazy_load(library) ? NULL : library->failure;
}
