#include "CAllocations.h"

#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <initializer_list>
#include <new>

// glibc's own allocator under the names that it keeps for this.
extern "C" {
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);
}

static thread_local bool counting, inside;
static thread_local CAllocations_counts counts;

// Libraries of the way of a frame allocate for themselves; Swift's runtime does so for our code.
static bool isLibrary(void *caller) {
    Dl_info info;
    if (!dladdr(caller, &info) || !info.dli_fname) return false;
    for (const char *name : {"libturbojpeg", "libav", "libx264", "libsw", "libdlib"})
        if (strstr(info.dli_fname, name)) return true;
    return false;
}

static void note(void *caller) {
    if (!counting || inside) return;
    inside = true; // dladdr may allocate
    (isLibrary(caller) ? counts.libraries : counts.ours)++;
    inside = false;
}

void CAllocations_begin(void) {
    counts = {};
    counting = true;
}

CAllocations_counts CAllocations_end(void) {
    counting = false;
    return counts;
}

#define CALLER __builtin_return_address(0)

extern "C" {
void *malloc(size_t size) {
    note(CALLER);
    return __libc_malloc(size);
}
void *calloc(size_t count, size_t size) {
    note(CALLER);
    return __libc_calloc(count, size);
}
void *realloc(void *old, size_t size) {
    note(CALLER);
    return __libc_realloc(old, size);
}
void *memalign(size_t alignment, size_t size) {
    note(CALLER);
    return __libc_memalign(alignment, size);
}
void *aligned_alloc(size_t alignment, size_t size) {
    note(CALLER);
    return __libc_memalign(alignment, size);
}
int posix_memalign(void **result, size_t alignment, size_t size) {
    note(CALLER);
    *result = __libc_memalign(alignment, size);
    return *result ? 0 : ENOMEM;
}
}

// dlib is templates: it is compiled into the program itself, but Swift never calls operator new.
void *operator new(size_t size) {
    if (counting) counts.libraries++;
    if (void *memory = __libc_malloc(size ? size : 1)) return memory;
    throw std::bad_alloc();
}
void *operator new[](size_t size) { return operator new(size); }
void operator delete(void *memory) noexcept { free(memory); }
void operator delete[](void *memory) noexcept { free(memory); }
void operator delete(void *memory, size_t) noexcept { free(memory); }
void operator delete[](void *memory, size_t) noexcept { free(memory); }
