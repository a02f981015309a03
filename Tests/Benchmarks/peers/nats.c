/* A request and its reply through a NATS server, with the C client: nats server URL | nats client URL SECONDS */
#include "common.h"
#include <nats/nats.h>
#include <string.h>
#include <unistd.h>

static void fail(natsStatus status) {
    fprintf(stderr, "nats: %s\n", natsStatus_GetText(status));
    exit(1);
}

static void answer(natsConnection *connection, natsSubscription *subscription, natsMsg *message, void *closure) {
    (void)subscription, (void)closure;
    natsConnection_Publish(connection, natsMsg_GetReply(message), natsMsg_GetData(message), natsMsg_GetDataLength(message));
    natsMsg_Destroy(message);
}

int main(int argc, char **argv) {
    natsOptions *options;
    natsConnection *connection;
    natsSubscription *subscription;
    natsStatus status;
    if (argc < 3) return 64;
    natsOptions_Create(&options);
    natsOptions_SetURL(options, argv[2]);
    natsOptions_SetSendAsap(options, true);
    if ((status = natsConnection_Connect(&connection, options))) fail(status);
    if (!strcmp(argv[1], "server")) {
        if ((status = natsConnection_Subscribe(&subscription, connection, "echo", answer, NULL))) fail(status);
        for (;;) pause();
    }
    if (argc < 4) return 64;
    char bytes[256];
    memset(bytes, 'x', sizeof bytes);
    double seconds = atof(argv[3]);
    struct durations durations = {0};
    int64_t begin = nanoseconds() + 1000000000, end = begin + (int64_t)(seconds * 1e9);
    for (;;) {
        natsMsg *reply;
        int64_t start = nanoseconds();
        if (start >= end) break;
        if ((status = natsConnection_Request(&reply, connection, "echo", bytes, sizeof bytes, 5000))) fail(status);
        natsMsg_Destroy(reply);
        if (start >= begin) note(&durations, nanoseconds() - start);
    }
    report(&durations, seconds, 0);
    return 0;
}
