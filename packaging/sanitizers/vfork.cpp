// SPDX-License-Identifier: Apache-2.0
// Linked into programs under ThreadSanitizer. That of GCC 12 takes clone() for a fork(), and notes in the child that
// the child begins; a child of QProcess shares its parent's memory until it has become another program, so that the
// note stands in the parent, whose next thread then ends it. Here the C library's own function comes first.
#include <cstdarg>
#include <sys/types.h>

extern "C" int __clone(int (*run)(void *), void *stack, int flags, void *argument, ...);

extern "C" int clone(int (*run)(void *), void *stack, int flags, void *argument, ...)
{
    va_list rest;
    va_start(rest, argument);
    auto *parent = va_arg(rest, pid_t *);
    auto *storage = va_arg(rest, void *);
    auto *child = va_arg(rest, pid_t *);
    va_end(rest);
    return __clone(run, stack, flags, argument, parent, storage, child);
}
