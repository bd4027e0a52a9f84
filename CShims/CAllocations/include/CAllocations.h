// Counts allocations by who asks for them. malloc can only be replaced from C, and only in a program of its own: this
// is linked by none that is shipped.
#pragma once
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    uint64_t ours;      // by Swift code and its runtime
    uint64_t libraries; // by operator new, or by a shared library that is not Swift's
} CAllocations_counts;

/// Begins to count the allocations of the calling thread, from zero.
void CAllocations_begin(void);
/// Ends the counting and tells what was counted.
CAllocations_counts CAllocations_end(void);

#ifdef __cplusplus
}
#endif
