#include "CApusJQ.h"

static bool is_loaded(void);

APUS_JQ_FUNCTIONS(APUS_LAZY_DEFINE)

static const apus_lazy_function functions[] = {
    APUS_JQ_FUNCTIONS(APUS_LAZY_ENTRY)
};

static apus_lazy_library library = APUS_LAZY_LIBRARY("libjq.so.1", "libjq.1.dylib", "libjq1", functions);

static bool is_loaded(void) { return apus_lazy_load(&library); }

const char *apus_jq_failure(void) { return apus_lazy_failure(&library); }
