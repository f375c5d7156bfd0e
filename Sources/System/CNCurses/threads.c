// A crash handler cannot run on an overflowed stack, so each thread needs an alternate signal stack, or a crash would
// leave the terminal unusable. The system sets up none, and libraries create threads, too, so this wraps
// `pthread_create`.

#define _GNU_SOURCE 1
#define _DARWIN_C_SOURCE 1

#include "CApusNCurses.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>

static const size_t stack_size = 32768;
static pthread_key_t stack_key;
static pthread_once_t key_once = PTHREAD_ONCE_INIT;

static void remove_stack(void *memory) {
  stack_t none = {.ss_flags = SS_DISABLE};
  sigaltstack(&none, NULL);
  munmap(memory, stack_size);
}

static void make_key(void) { pthread_key_create(&stack_key, remove_stack); }

void apus_signals_prepare_thread(void) {
  stack_t found;
  if (sigaltstack(NULL, &found) != 0 || !(found.ss_flags & SS_DISABLE)) return;
  pthread_once(&key_once, make_key);
  void *memory = mmap(NULL, stack_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0);
  if (memory == MAP_FAILED) return;
  stack_t stack = {.ss_sp = memory, .ss_size = stack_size, .ss_flags = 0};
  if (sigaltstack(&stack, NULL) != 0 || pthread_setspecific(stack_key, memory) != 0) remove_stack(memory);
}

#if defined(__APPLE__)

#include <pthread/introspection.h>

static pthread_introspection_hook_t earlier_hook;

static void on_thread(unsigned int event, pthread_t thread, void *address, size_t size) {
  if (event == PTHREAD_INTROSPECTION_THREAD_START) apus_signals_prepare_thread();
  if (earlier_hook) earlier_hook(event, thread, address, size);
}

__attribute__((constructor)) static void install_hook(void) {
  earlier_hook = pthread_introspection_hook_install(on_thread);
}

// With libraries other than glibc there may be no next function to find (such as musl when linked statically). Threads
// of libraries then have no alternate stack.
#elif defined(__GLIBC__) && !__has_feature(thread_sanitizer) && !__has_feature(address_sanitizer)

#include <dlfcn.h>

typedef int (*create_function)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

typedef struct {
  void *(*body)(void *);
  void *argument;
} thread_start;

static void *run_thread(void *pointer) {
  thread_start start = *(thread_start *)pointer;
  free(pointer);
  apus_signals_prepare_thread();
  return start.body(start.argument);
}

// Replaces the function of the C library, and calls it.
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument) {
  static create_function create;
  create_function own = __atomic_load_n(&create, __ATOMIC_RELAXED);
  if (!own) {
    own = (create_function)dlsym(RTLD_NEXT, "pthread_create");
    __atomic_store_n(&create, own, __ATOMIC_RELAXED);
  }
  thread_start *start = malloc(sizeof *start);
  if (!start) return own(thread, attributes, body, argument);
  *start = (thread_start){body, argument};
  int code = own(thread, attributes, run_thread, start);
  if (code != 0) free(start);
  return code;
}

#endif
