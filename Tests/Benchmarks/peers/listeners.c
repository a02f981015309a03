/* Holds many live streams open and says when a message has reached each of them: listeners PORT COUNT WORD
 * Prints `ready` when all streams are open, waits until each has carried WORD, and prints when each did, in nanoseconds of
 * CLOCK_MONOTONIC, one a line. */
#include "common.h"
#include <arpa/inet.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

struct stream {
    int fd;
    int has_heard;
};

static int dial(int port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address)) {
        perror("connect");
        exit(1);
    }
    return fd;
}

int main(int argc, char **argv) {
    if (argc != 4) return 64;
    const char *request = "GET /v1/stream HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n";
    int port = atoi(argv[1]), count = atoi(argv[2]), heard = 0, poll = epoll_create1(0);
    struct stream *streams = calloc((size_t)count, sizeof *streams);
    static char bytes[65536];
    struct epoll_event events[256];
    for (int i = 0; i < count; i++) {
        struct stream *s = &streams[i];
        s->fd = dial(port);
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = s};
        if (write(s->fd, request, strlen(request)) < 0) return 1;
        /* One after the other: the answer's head first. */
        ssize_t got = read(s->fd, bytes, sizeof bytes);
        if (got < 12 || strncmp(bytes, "HTTP/1.1 200", 12)) {
            fprintf(stderr, "stream %d was refused: %.*s\n", i, (int)(got > 0 ? got : 0), bytes);
            return 1;
        }
        epoll_ctl(poll, EPOLL_CTL_ADD, s->fd, &event);
    }
    printf("ready\n");
    fflush(stdout);
    struct durations moments = {0};
    while (heard < count) {
        int ready = epoll_wait(poll, events, 256, 60000);
        if (ready == 0) break;
        for (int i = 0; i < ready; i++) {
            struct stream *s = events[i].data.ptr;
            ssize_t got = read(s->fd, bytes, sizeof bytes);
            if (got <= 0) {
                fprintf(stderr, "a stream was closed\n");
                return 1;
            }
            if (s->has_heard || !memmem(bytes, (size_t)got, argv[3], strlen(argv[3]))) continue;
            s->has_heard = 1;
            heard++;
            note(&moments, nanoseconds());
        }
    }
    for (size_t i = 0; i < moments.count; i++) printf("%lld\n", (long long)moments.values[i]);
    return heard == count ? 0 : 1;
}
