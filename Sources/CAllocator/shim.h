// The part of glibc's malloc.h that Swift does not import. Elsewhere than on glibc nothing is done.

#ifndef SUBTRACKIT_CALLOCATOR_SHIM_H
#define SUBTRACKIT_CALLOCATOR_SHIM_H

#include <stddef.h>
#include <stdlib.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

/// Bounds the number of heaps that threads share. Returns whether the allocator knows this.
static inline int subtrackit_bound_arenas(int count) {
#ifdef __GLIBC__
    return mallopt(M_ARENA_MAX, count);
#else
    (void)count;
    return 0;
#endif
}

/// Fixes the size, in bytes, from which a block is a mapping of its own. Returns whether the allocator knows this.
static inline int subtrackit_map_blocks_from(int bytes) {
#ifdef __GLIBC__
    return mallopt(M_MMAP_THRESHOLD, bytes);
#else
    (void)bytes;
    return 0;
#endif
}

/// Gives the free pages of all heaps back to the system. Returns whether there were any.
static inline int subtrackit_trim(void) {
#ifdef __GLIBC__
    return malloc_trim(0);
#else
    return 0;
#endif
}

#endif
