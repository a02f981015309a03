/* The bus's round trip in plain C on libzmq: DEALER and ROUTER over TCP, CURVE on both sides.
 *   bus server ENDPOINT FRAMES
 *   bus client ENDPOINT FRAMES CROWD SECONDS
 * FRAMES 1: one frame of 256 bytes. FRAMES 9: that and eight as small as those of Kampong's envelope, for what framing costs. */
#include "common.h"
#include <string.h>
#include <zmq.h>

/* A fixed pair, made for this program: nothing is secret here. */
static char public_key[41], secret_key[41];
static const int sizes[] = {8, 0, 2, 16, 9, 8, 0, 55, 256};

static void fail(const char *what) {
    fprintf(stderr, "%s: %s\n", what, zmq_strerror(zmq_errno()));
    exit(1);
}

static void make_keys(void) {
    const uint8_t secret[32] = "the bus benchmark's own key 0001";
    if (!zmq_z85_encode(secret_key, secret, 32) || zmq_curve_public(public_key, secret_key)) fail("keys");
}

static void forward(void *socket) {
    zmq_msg_t part;
    int more;
    do {
        zmq_msg_init(&part);
        if (zmq_msg_recv(&part, socket, 0) < 0) fail("receive");
        more = zmq_msg_more(&part);
        if (zmq_msg_send(&part, socket, more ? ZMQ_SNDMORE : 0) < 0) fail("send");
    } while (more);
}

static void ask(void *socket, int frames) {
    char bytes[256];
    memset(bytes, 'x', sizeof bytes);
    for (int i = 9 - frames; i < 9; i++)
        if (zmq_send(socket, bytes, (size_t)sizes[i], i < 8 ? ZMQ_SNDMORE : 0) < 0) fail("send");
}

static void take(void *socket) {
    zmq_msg_t part;
    int more;
    do {
        zmq_msg_init(&part);
        if (zmq_msg_recv(&part, socket, 0) < 0) fail("receive");
        more = zmq_msg_more(&part);
        zmq_msg_close(&part);
    } while (more);
}

int main(int argc, char **argv) {
    if (argc < 4) return 64;
    int frames = atoi(argv[3]), one = 1;
    make_keys();
    void *context = zmq_ctx_new();
    if (!strcmp(argv[1], "server")) {
        void *socket = zmq_socket(context, ZMQ_ROUTER);
        zmq_setsockopt(socket, ZMQ_CURVE_SERVER, &one, sizeof one);
        zmq_setsockopt(socket, ZMQ_CURVE_SECRETKEY, secret_key, 40);
        if (zmq_bind(socket, argv[2])) fail("bind");
        for (;;) forward(socket);
    }
    if (argc < 6) return 64;
    int crowd = atoi(argv[4]);
    double seconds = atof(argv[5]);
    void *socket = zmq_socket(context, ZMQ_DEALER);
    zmq_setsockopt(socket, ZMQ_CURVE_SERVERKEY, public_key, 40);
    zmq_setsockopt(socket, ZMQ_CURVE_PUBLICKEY, public_key, 40);
    zmq_setsockopt(socket, ZMQ_CURVE_SECRETKEY, secret_key, 40);
    if (zmq_connect(socket, argv[2])) fail("connect");
    /* Answers come in the order of the questions, so a ring of starts suffices. */
    int64_t *starts = calloc((size_t)crowd, sizeof *starts);
    struct durations durations = {0};
    int64_t begin = nanoseconds() + 1000000000, end = begin + (int64_t)(seconds * 1e9);
    for (int i = 0; i < crowd; i++) {
        starts[i] = nanoseconds();
        ask(socket, frames);
    }
    for (int i = 0;; i = (i + 1) % crowd) {
        take(socket);
        int64_t now = nanoseconds();
        if (now >= end) break;
        if (starts[i] >= begin) note(&durations, now - starts[i]);
        starts[i] = now;
        ask(socket, frames);
    }
    report(&durations, seconds, 0);
    return 0;
}
