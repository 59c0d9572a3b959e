// Opens many WebSockets and holds them, and measures what that costs and how soon all of them are told of a change.
//
//   sockets PORT ITEMS COUNT ROUNDS PID
//
// ITEMS has lines that begin with a token; the sockets take them in turn. When all are open, the memory of the process
// PID is compared with what it was when the first hundred were. Then, ROUNDS times, the first token's user is renamed by
// HTTP, and it is noted for each socket how long after the answer it was told. (An answer that comes after what is told is
// a wait of nothing.)
//
// Prints "result SOCKETS KIB_BEFORE KIB_AFTER TOLD LOST P50 P99": the sockets between the two measurements of memory, the
// latencies in microseconds.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { TOKEN_BYTES = 128, REQUEST_BYTES = 1024, FRAME_BYTES = 512, FIRST = 100, PATIENCE_US = 5000000 };

typedef struct {
    int descriptor;
    // The last round in which it was told.
    int told;
    // A part of a frame that has not come whole.
    unsigned char in[FRAME_BYTES];
    size_t in_count;
} Socket;

static char (*tokens)[TOKEN_BYTES];
static size_t token_count;
static struct sockaddr_in address = {.sin_family = AF_INET};
static Socket *sockets;
static double *latencies;
static size_t latency_count;

static void fail(const char *what) {
    fprintf(stderr, "sockets: %s: %s\n", what, errno ? strerror(errno) : "unexpected");
    exit(1);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1e6 + time.tv_nsec / 1e3;
}

static void read_tokens(const char *path) {
    FILE *file = fopen(path, "r");
    if (file == NULL) fail(path);
    size_t room = 0;
    char line[4096];
    while (fgets(line, sizeof line, file) != NULL) {
        if (token_count == room) {
            room = room * 2 + 1024;
            tokens = realloc(tokens, room * sizeof *tokens);
            if (tokens == NULL) fail("memory");
        }
        size_t length = strcspn(line, " \t\n");
        if (length == 0 || length >= TOKEN_BYTES) fail("a line without a token");
        memcpy(tokens[token_count], line, length);
        tokens[token_count++][length] = 0;
    }
    fclose(file);
    if (token_count == 0) fail("no tokens");
}

static int connect_once(void) {
    int descriptor = socket(AF_INET, SOCK_STREAM, 0), yes = 1;
    if (descriptor < 0 || connect(descriptor, (struct sockaddr *)&address, sizeof address) != 0
        || setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes) != 0)
        fail("connect");
    return descriptor;
}

static void send_all(int descriptor, const void *bytes, size_t count) {
    if (send(descriptor, bytes, count, MSG_NOSIGNAL) != (ssize_t)count) fail("send");
}

// Opens a WebSocket and waits for the answer; frames that come with it stay.
static void open_socket(Socket *new, const char *token) {
    char text[REQUEST_BYTES];
    new->descriptor = connect_once();
    int count = snprintf(text, sizeof text,
        "GET /v1/live HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nAuthorization: Bearer %s\r\n\r\n",
        token);
    send_all(new->descriptor, text, (size_t)count);
    size_t held = 0;
    char *end = NULL;
    while (end == NULL) {
        ssize_t more = recv(new->descriptor, text + held, sizeof text - 1 - held, 0);
        if (more <= 0) fail("a socket was closed while it was opened");
        held += (size_t)more;
        text[held] = 0;
        end = strstr(text, "\r\n\r\n");
    }
    if (strncmp(text, "HTTP/1.1 101 ", 13) != 0) {
        fprintf(stderr, "sockets: %s\n", text);
        exit(1);
    }
    size_t rest = held - (size_t)(end + 4 - text);
    if (rest > FRAME_BYTES) fail("more than a frame at once");
    memcpy(new->in, end + 4, rest);
    new->in_count = rest;
}

static long resident_kib(int process) {
    char path[64], line[256];
    snprintf(path, sizeof path, "/proc/%d/status", process);
    FILE *file = fopen(path, "r");
    if (file == NULL) fail(path);
    long kib = 0;
    while (fgets(line, sizeof line, file) != NULL) {
        if (sscanf(line, "VmRSS: %ld", &kib) == 1) break;
    }
    fclose(file);
    return kib;
}

// Takes what has come: a text is a notice, a ping is answered.
static void read_from(Socket *one, int round, double answered, double came) {
    ssize_t count = recv(one->descriptor, one->in + one->in_count, FRAME_BYTES - one->in_count, MSG_DONTWAIT);
    if (count < 0 && errno == EAGAIN) return;
    if (count <= 0) fail("the server closed a socket");
    one->in_count += (size_t)count;
    while (one->in_count >= 2) {
        size_t length = one->in[1], head = 2;
        if (length == 126) {
            if (one->in_count < 4) return;
            length = (size_t)one->in[2] << 8 | one->in[3];
            head = 4;
        }
        if (length > FRAME_BYTES - head) fail("a frame that is too long");
        if (one->in_count < head + length) return;
        switch (one->in[0] & 15) {
        case 1:
            // While nothing was asked for, somebody else has changed something.
            if (round > 0 && one->told < round) {
                one->told = round;
                latencies[latency_count++] = answered > 0 && came > answered ? came - answered : 0;
            }
            break;
        case 8: fail("the server ended a socket"); break;
        case 9: send_all(one->descriptor, "\x8A\x80\0\0\0\0", 6); break;
        default: break;
        }
        one->in_count -= head + length;
        memmove(one->in, one->in + head + length, one->in_count);
    }
}

// Whether a whole answer is there.
static bool is_whole(char *text, size_t count) {
    text[count] = 0;
    char *end = strstr(text, "\r\n\r\n"), *length = strcasestr(text, "content-length:");
    if (end == NULL) return false;
    if (strncmp(text, "HTTP/1.1 200 ", 13) != 0 || length == NULL || length > end) {
        fprintf(stderr, "sockets: %s\n", text);
        exit(1);
    }
    return count >= (size_t)(end + 4 - text) + strtoul(length + 15, NULL, 10);
}

// Changes something, and waits until all have been told.
static long play(int poller, int writer, int round, size_t count) {
    char text[4096], body[64];
    int body_count = snprintf(body, sizeof body, "{\"userName\":\"round %d of %d\"}", round, (int)getpid());
    int text_count = snprintf(text, sizeof text,
        "PATCH /v1/me HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\n"
        "Content-Length: %d\r\n\r\n%s", tokens[0], body_count, body);
    size_t before = latency_count, held = 0;
    double sent = now(), answered = 0;
    bool is_answered = false;
    send_all(writer, text, (size_t)text_count);
    while (!is_answered || latency_count - before < count) {
        struct epoll_event events[256];
        int ready = epoll_wait(poller, events, 256, 1000);
        if (ready < 0 && errno != EINTR) fail("epoll");
        double came = now();
        // The answer first, where both have come.
        for (int i = 0; i < ready; i++) {
            if (events[i].data.ptr != NULL) continue;
            ssize_t more = recv(writer, text + held, sizeof text - 1 - held, 0);
            if (more <= 0) fail("the server closed the connection of the writer");
            if (held == 0) answered = came;
            held += (size_t)more;
            is_answered = is_whole(text, held);
        }
        for (int i = 0; i < ready; i++) {
            if (events[i].data.ptr != NULL) read_from(events[i].data.ptr, round, answered, came);
        }
        if (now() - sent > PATIENCE_US) return (long)(count - (latency_count - before));
    }
    return 0;
}

static int compare(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

int main(int argument_count, char **arguments) {
    if (argument_count != 6) {
        fprintf(stderr, "usage: sockets PORT ITEMS COUNT ROUNDS PID\n");
        return 64;
    }
    address.sin_port = htons((uint16_t)atoi(arguments[1]));
    address.sin_addr.s_addr = inet_addr("127.0.0.1");
    read_tokens(arguments[2]);
    int count = atoi(arguments[3]), rounds = atoi(arguments[4]), process = atoi(arguments[5]);
    if (count <= FIRST || count > 100000 || rounds < 0 || rounds > 100000) return 64;
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) != 0) fail("getrlimit");
    files.rlim_cur = files.rlim_max;
    if (setrlimit(RLIMIT_NOFILE, &files) != 0) fail("setrlimit");
    if (files.rlim_max < (rlim_t)count + 20) {
        fprintf(stderr, "sockets: a process may open %lu files here; raise it (ulimit -Hn) above %d\n",
            (unsigned long)files.rlim_max, count + 20);
        return 1;
    }
    sockets = calloc((size_t)count, sizeof *sockets);
    latencies = calloc((size_t)count * (size_t)(rounds > 0 ? rounds : 1), sizeof *latencies);
    int poller = epoll_create1(0);
    if (sockets == NULL || latencies == NULL || poller < 0) fail("setup");
    long before = 0;
    for (int i = 0; i < count; i++) {
        // What the first ones cost is not theirs alone.
        if (i == FIRST) before = resident_kib(process);
        open_socket(&sockets[i], tokens[(size_t)i % token_count]);
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = &sockets[i]};
        if (epoll_ctl(poller, EPOLL_CTL_ADD, sockets[i].descriptor, &event) != 0) fail("epoll");
    }
    sleep(1);
    long after = resident_kib(process);
    int writer = connect_once();
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = NULL};
    if (epoll_ctl(poller, EPOLL_CTL_ADD, writer, &event) != 0) fail("epoll");
    long lost = 0;
    for (int round = 1; round <= rounds; round++) {
        lost += play(poller, writer, round, (size_t)count);
        // The first few find cold caches.
        if (round == 3) latency_count = 0;
    }
    qsort(latencies, latency_count, sizeof *latencies, compare);
    double p50 = latency_count ? latencies[latency_count / 2] : 0;
    double p99 = latency_count ? latencies[latency_count * 99 / 100] : 0;
    printf("result %d %ld %ld %zu %ld %.0f %.0f\n", count - FIRST, before, after, latency_count, lost, p50, p99);
    return 0;
}
