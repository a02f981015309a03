/* What the C programs of the benchmarks share: a clock, and percentiles of what was measured. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static inline int64_t nanoseconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

struct durations {
    int64_t *values;
    size_t count, room;
};

static inline void note(struct durations *d, int64_t value) {
    if (d->count == d->room) {
        d->room = d->room ? 2 * d->room : 65536;
        d->values = realloc(d->values, d->room * sizeof *d->values);
        if (!d->values) abort();
    }
    d->values[d->count++] = value;
}

static int ascending(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Microseconds; call after sorting. */
static inline double quantile(const struct durations *d, double share) {
    if (!d->count) return 0;
    size_t index = (size_t)(share * (double)d->count);
    return (double)d->values[index < d->count ? index : d->count - 1] / 1000;
}

/* `refused` were told that somebody else was first. */
static inline void report_all(struct durations *d, double seconds, long errors, long refused) {
    qsort(d->values, d->count, sizeof *d->values, ascending);
    printf("{\"count\":%zu,\"perSecond\":%.1f,\"p50\":%.1f,\"p90\":%.1f,\"p99\":%.1f,\"p999\":%.1f,\"max\":%.1f,\"errors\":%ld,\"refused\":%ld}\n",
           d->count, (double)d->count / seconds, quantile(d, 0.5), quantile(d, 0.9), quantile(d, 0.99),
           quantile(d, 0.999), quantile(d, 1), errors, refused);
}

static inline void report(struct durations *d, double seconds, long errors) { report_all(d, seconds, errors, 0); }
