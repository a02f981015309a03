// How long the calling thread is left to work at a stretch. glibc has no name for the call before 2.41.
#pragma once
#include <sched.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

// Asks for stretches of so many nanoseconds (0.1 to 100 ms; Linux from 6.12 on, others ignore it), with that niceness. Who asks for shorter ones
// interrupts it at once. Returns -1 where that is refused.
static inline int clinux_set_slice(int niceness, uint64_t nanoseconds)
{
    // The first version of struct sched_attr (sched_setattr(2)); <linux/sched/types.h> does not go together with <sched.h>.
    struct {
        uint32_t size, policy;
        uint64_t flags;
        int32_t nice;
        uint32_t priority;
        uint64_t runtime, deadline, period;
    } wanted = {.size = sizeof wanted, .policy = SCHED_OTHER, .nice = niceness, .runtime = nanoseconds};
    return (int)syscall(SYS_sched_setattr, 0, &wanted, 0U);
}
