/* Asks over HTTP at a steady rate, whether or not the answers keep up, and counts each answer's time from the moment at which its
 * request was due (as wrk2 does): a server that stalls is charged for all who would have waited.
 *   openloop PORT RATE SECONDS CONNECTIONS < paths
 * A path may have a tab and an access token behind it, and after another tab the JSON of what is posted there. */
#include "common.h"
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

enum { ROOM = 1 << 18, MOST_PATHS = 100000 };

struct connection {
    int fd;
    int64_t due; /* 0 while nothing is asked */
    int posts;
    size_t have;
    char *bytes;
};

static char *paths[MOST_PATHS];
static size_t path_count, next_path;
static long errors, refused;
static char first_error[512];

static int dial(int port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    int fd = socket(AF_INET, SOCK_STREAM, 0), one = 1;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address)) {
        perror("connect");
        exit(1);
    }
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    return fd;
}

static void ask(struct connection *c, int64_t due) {
    char request[4096], content[96] = "";
    const char *path = paths[next_path++ % path_count], *tab = strchr(path, '\t'), *body = tab ? strchr(tab + 1, '\t') : NULL;
    int token = !tab ? 0 : body ? (int)(body - tab - 1) : (int)strlen(tab + 1);
    if (body) snprintf(content, sizeof content, "Content-Type: application/json\r\nContent-Length: %zu\r\n", strlen(body + 1));
    int length = snprintf(request, sizeof request, "%s %.*s HTTP/1.1\r\nHost: localhost\r\n%s%.*s%s%s\r\n%s", body ? "POST" : "GET",
                          tab ? (int)(tab - path) : (int)strlen(path), path, tab ? "Authorization: Bearer " : "", token, tab ? tab + 1 : "", tab ? "\r\n" : "",
                          content, body ? body + 1 : "");
    if (length >= (int)sizeof request) exit(64);
    c->due = due;
    c->posts = body != NULL;
    c->have = 0;
    /* Small, on an idle connection: the kernel takes it whole. */
    if (write(c->fd, request, (size_t)length) != length) {
        perror("write");
        exit(1);
    }
}

/* Whether an answer is complete; its status is judged. */
static int is_complete(struct connection *c) {
    c->bytes[c->have] = 0;
    char *end = strstr(c->bytes, "\r\n\r\n");
    if (!end) return 0;
    char *field = strcasestr(c->bytes, "\r\ncontent-length:");
    if (!field || field > end) {
        fprintf(stderr, "an answer without a length\n");
        exit(1);
    }
    if (c->have < (size_t)(end + 4 - c->bytes) + strtoul(field + 17, NULL, 10)) return 0;
    if (c->posts && !strncmp(c->bytes, "HTTP/1.1 409", 12)) refused++;
    /* Something new is answered with 201, what is done to something with 200. */
    else if (strncmp(c->bytes, "HTTP/1.1 200", 12) && (!c->posts || strncmp(c->bytes, "HTTP/1.1 201", 12))) {
        if (!errors++) snprintf(first_error, sizeof first_error, "%.12s: %.400s", c->bytes, end + 4);
    }
    return 1;
}

static void read_paths(void) {
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    while (path_count < MOST_PATHS && (length = getline(&line, &room, stdin)) > 0) {
        if (line[length - 1] == '\n') line[length - 1] = 0;
        paths[path_count++] = strdup(line);
    }
    if (!path_count) exit(64);
}

int main(int argc, char **argv) {
    if (argc != 5) return 64;
    int port = atoi(argv[1]), count = atoi(argv[4]), idle_count = 0;
    double rate = atof(argv[2]), seconds = atof(argv[3]);
    long total = (long)(rate * seconds), started = 0, done = 0;
    read_paths();
    struct connection *connections = calloc((size_t)count, sizeof *connections);
    struct connection **idle = calloc((size_t)count, sizeof *idle);
    int poll = epoll_create1(0), timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = NULL}, events[64];
    epoll_ctl(poll, EPOLL_CTL_ADD, timer, &event);
    for (int i = 0; i < count; i++) {
        struct connection *c = &connections[i];
        *c = (struct connection){.fd = dial(port), .bytes = malloc(ROOM + 1)};
        event.data.ptr = c;
        epoll_ctl(poll, EPOLL_CTL_ADD, c->fd, &event);
        idle[idle_count++] = c;
    }
    struct durations durations = {0};
    int64_t begin = nanoseconds() + 100000000;
    while (done < total) {
        int64_t due = begin + (int64_t)((double)started / rate * 1e9);
        while (started < total && idle_count > 0 && due <= nanoseconds()) {
            ask(idle[--idle_count], due);
            due = begin + (int64_t)((double)++started / rate * 1e9);
        }
        if (started < total && idle_count > 0) {
            struct itimerspec at = {.it_value = {due / 1000000000, due % 1000000000}};
            timerfd_settime(timer, TFD_TIMER_ABSTIME, &at, NULL);
        }
        int ready = epoll_wait(poll, events, 64, 5000);
        if (ready == 0) {
            fprintf(stderr, "nothing was answered for five seconds\n");
            return 1;
        }
        for (int i = 0; i < ready; i++) {
            struct connection *c = events[i].data.ptr;
            if (!c) {
                uint64_t ticks;
                if (read(timer, &ticks, sizeof ticks) < 0 && errno != EAGAIN) perror("timer");
                continue;
            }
            ssize_t got = read(c->fd, c->bytes + c->have, ROOM - c->have);
            if (!c->due) {
                /* A server need not wait for who asks nothing; it may say so first. */
                if (got > 0) continue;
                close(c->fd);
                c->fd = dial(port);
                event.data.ptr = c;
                epoll_ctl(poll, EPOLL_CTL_ADD, c->fd, &event);
                continue;
            }
            if (got <= 0) {
                fprintf(stderr, "a connection was closed\n");
                return 1;
            }
            c->have += (size_t)got;
            if (!is_complete(c)) continue;
            note(&durations, nanoseconds() - c->due);
            c->due = 0;
            idle[idle_count++] = c;
            done++;
        }
    }
    if (errors) printf("%s\n", first_error);
    report_all(&durations, (double)(nanoseconds() - begin) / 1e9, errors, refused);
    return 0;
}
