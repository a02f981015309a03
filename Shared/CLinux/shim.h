// The Linux calls that Swift's Glibc module does not bring: epoll, eventfd, naming a thread, and how long it works at a stretch.
#pragma once
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <pthread.h>
// Declared by <pthread.h> under _GNU_SOURCE only.
extern int pthread_setname_np(pthread_t thread, const char *name);
#include "slice.h"
#include "spawn.h"
