// Drives the plain socket: JSON-RPC, a line each, several requests on their way at a time.
//
//   lines PORT ITEMS CONNECTIONS DEPTH SECONDS METHOD
//
// ITEMS has lines that begin with a token. Each connection opens a session with one of them at random, keeps DEPTH
// requests of METHOD on their way, and after some requests goes on with another token: as many people are asked for as
// by wrk. One thread, as wrk has.
//
// Prints "result REQUESTS MICROSECONDS ERRORS P50 P99", the latencies in microseconds. What opens sessions is not counted.
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
#include <time.h>
#include <unistd.h>

enum { MAX_DEPTH = 64, TOKEN_BYTES = 128, LINE_BYTES = 256, REQUESTS_PER_SESSION = 100, BUCKETS = 200000, BUCKET_US = 10 };

typedef struct {
    int descriptor;
    char *in;
    size_t in_count, in_room;
    // How many answers are awaited, how many requests of this session are still to be sent.
    int awaited, left;
    bool is_opening;
    double sent_at[MAX_DEPTH];
} Connection;

static char (*tokens)[TOKEN_BYTES];
static size_t token_count;
static uint64_t random_state = 88172645463325252ULL;
static const char *method;
static long answers, errors;
static unsigned latencies[BUCKETS];

static void fail(const char *what) {
    fprintf(stderr, "lines: %s: %s\n", what, errno ? strerror(errno) : "unexpected");
    exit(1);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1e6 + time.tv_nsec / 1e3;
}

static uint64_t next_random(void) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    return random_state ^= random_state << 17;
}

// What is sent at once is far less than a socket's buffer: it goes whole, or something is wrong.
static void send_all(Connection *connection, const char *text, size_t count) {
    if (send(connection->descriptor, text, count, MSG_NOSIGNAL) != (ssize_t)count) fail("send");
}

static void open_session(Connection *connection) {
    char line[LINE_BYTES + TOKEN_BYTES];
    int count = snprintf(line, sizeof line,
        "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"session.open\",\"params\":{\"token\":\"%s\"}}\n",
        tokens[next_random() % token_count]);
    connection->is_opening = true;
    connection->left = REQUESTS_PER_SESSION;
    connection->awaited = 1;
    send_all(connection, line, (size_t)count);
}

static int add_request(Connection *connection, int slot, char *text, size_t room) {
    connection->sent_at[slot] = now();
    connection->left--;
    connection->awaited++;
    return snprintf(text, room, "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"%s\",\"params\":{}}\n", slot, method);
}

static void take_line(Connection *connection, const char *line, size_t count, int depth, char *out, size_t *out_count) {
    static const char head[] = "{\"jsonrpc\":\"2.0\",\"id\":";
    if (count < sizeof head + 10 || memcmp(line, head, sizeof head - 1) != 0) fail("an answer that is none");
    char *end;
    long slot = strtol(line + sizeof head - 1, &end, 10);
    bool is_error = strncmp(end, ",\"error\"", 8) == 0;
    connection->awaited--;
    if (connection->is_opening) {
        if (is_error) fail("session.open is refused");
        connection->is_opening = false;
        for (int i = 0; i < depth && connection->left > 0; i++)
            *out_count += (size_t)add_request(connection, i, out + *out_count, LINE_BYTES);
        return;
    }
    if (slot < 0 || slot >= depth) fail("an answer with another id");
    answers++;
    if (is_error) errors++;
    long bucket = (long)((now() - connection->sent_at[slot]) / BUCKET_US);
    latencies[bucket < BUCKETS ? bucket : BUCKETS - 1]++;
    if (connection->left > 0) *out_count += (size_t)add_request(connection, (int)slot, out + *out_count, LINE_BYTES);
}

static void read_from(Connection *connection, int depth) {
    if (connection->in_room - connection->in_count < 65536) {
        connection->in_room = connection->in_room * 2 + 131072;
        connection->in = realloc(connection->in, connection->in_room);
        if (connection->in == NULL) fail("memory");
    }
    ssize_t count = recv(connection->descriptor, connection->in + connection->in_count,
        connection->in_room - connection->in_count, 0);
    if (count <= 0) fail("the service closed a socket");
    connection->in_count += (size_t)count;
    char out[MAX_DEPTH * LINE_BYTES * 2];
    size_t out_count = 0, start = 0;
    char *end;
    while ((end = memchr(connection->in + start, '\n', connection->in_count - start)) != NULL) {
        size_t length = (size_t)(end - connection->in) - start;
        take_line(connection, connection->in + start, length, depth, out, &out_count);
        start += length + 1;
    }
    memmove(connection->in, connection->in + start, connection->in_count - start);
    connection->in_count -= start;
    if (out_count > 0) send_all(connection, out, out_count);
    if (connection->awaited == 0) open_session(connection);
}

static void read_tokens(const char *path) {
    FILE *file = fopen(path, "r");
    if (file == NULL) fail(path);
    size_t room = 0;
    char line[512];
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

static double percentile(double part) {
    long wanted = (long)(answers * part), seen = 0;
    for (int i = 0; i < BUCKETS; i++) {
        seen += latencies[i];
        if (seen >= wanted) return (double)i * BUCKET_US;
    }
    return 0;
}

int main(int count, char **arguments) {
    if (count != 7) {
        fprintf(stderr, "usage: lines PORT ITEMS CONNECTIONS DEPTH SECONDS METHOD\n");
        return 64;
    }
    int connection_count = atoi(arguments[3]), depth = atoi(arguments[4]);
    double seconds = atof(arguments[5]);
    method = arguments[6];
    if (connection_count < 1 || depth < 1 || depth > MAX_DEPTH || seconds <= 0 || strlen(method) > 100) return 64;
    read_tokens(arguments[2]);
    random_state ^= (uint64_t)time(NULL) << 20;

    int poller = epoll_create1(0);
    Connection *connections = calloc((size_t)connection_count, sizeof *connections);
    if (poller < 0 || connections == NULL) fail("setup");
    for (int i = 0; i < connection_count; i++) {
        Connection *connection = &connections[i];
        struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(arguments[1]))};
        address.sin_addr.s_addr = inet_addr("127.0.0.1");
        connection->descriptor = socket(AF_INET, SOCK_STREAM, 0);
        int yes = 1;
        if (connection->descriptor < 0 || connect(connection->descriptor, (struct sockaddr *)&address, sizeof address) != 0
            || setsockopt(connection->descriptor, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes) != 0)
            fail("connect");
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = connection};
        if (epoll_ctl(poller, EPOLL_CTL_ADD, connection->descriptor, &event) != 0) fail("epoll");
        open_session(connection);
    }
    double start = now(), end = start + seconds * 1e6;
    while (now() < end) {
        struct epoll_event events[64];
        int ready = epoll_wait(poller, events, 64, 1000);
        if (ready < 0 && errno != EINTR) fail("epoll");
        for (int i = 0; i < ready; i++) read_from(events[i].data.ptr, depth);
    }
    printf("result %ld %.0f %ld %.0f %.0f\n", answers, now() - start, errors, percentile(0.5), percentile(0.99));
    return 0;
}
