// What OpenSSL itself gives: hashes of a password by PBKDF2-HMAC-SHA512, one after the other, on so many threads.
//
//   pbkdf2 ROUNDS THREADS SECONDS
//
// Prints hashes and seconds.
#include <openssl/evp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_THREADS = 1024, SALT_BYTES = 16, DERIVED_BYTES = 64 };

typedef struct {
    pthread_t thread;
    long hashes;
    // When the last one was done.
    double end;
    int failed;
} Worker;

static Worker workers[MAX_THREADS];
static int rounds;
static double deadline;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void *work(void *argument) {
    Worker *worker = argument;
    static const char password[] = "correct horse battery";
    unsigned char salt[SALT_BYTES], derived[DERIVED_BYTES];
    memset(salt, 7, sizeof salt);
    do {
        if (PKCS5_PBKDF2_HMAC(password, (int)strlen(password), salt, sizeof salt, rounds, EVP_sha512(), sizeof derived,
                derived) != 1) {
            worker->failed = 1;
            return NULL;
        }
        // The next one is of something else.
        memcpy(salt, derived, sizeof salt);
        worker->hashes++;
        worker->end = now();
    } while (worker->end < deadline);
    return NULL;
}

int main(int count, char **arguments) {
    if (count != 4) {
        fprintf(stderr, "usage: pbkdf2 ROUNDS THREADS SECONDS\n");
        return 64;
    }
    rounds = atoi(arguments[1]);
    int threads = atoi(arguments[2]);
    double seconds = atof(arguments[3]);
    if (rounds < 1 || threads < 1 || threads > MAX_THREADS || seconds <= 0) {
        fprintf(stderr, "pbkdf2: a number is out of bounds\n");
        return 64;
    }
    double start = now();
    deadline = start + seconds;
    for (int i = 0; i < threads; i++) {
        if (pthread_create(&workers[i].thread, NULL, work, &workers[i]) != 0) {
            fprintf(stderr, "pbkdf2: a thread cannot be started\n");
            return 1;
        }
    }
    double rate = 0;
    long hashes = 0;
    for (int i = 0; i < threads; i++) {
        pthread_join(workers[i].thread, NULL);
        if (workers[i].failed) {
            fprintf(stderr, "pbkdf2: OpenSSL has failed\n");
            return 1;
        }
        // Each thread by its own time: the last hash ends after the deadline.
        rate += (double)workers[i].hashes / (workers[i].end - start);
        hashes += workers[i].hashes;
    }
    printf("%ld %f\n", hashes, (double)hashes / rate);
    return 0;
}
