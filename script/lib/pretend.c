// The clock of a pretend day: with this library in LD_PRELOAD a program has the time of day that is OFFSET seconds after the machine's.
//
// Clocks that count from the machine's start are left alone, as are the times of files. A moment that a program waits for is counted
// back, but in cnd_timedwait, pthread_timedjoin_np and pthread_mutex_clocklock, which none of the programs here calls. libfaketime 0.9.10 cannot be used: under it timers of Swift on a monotonic clock never come, Swift finds no arguments of its
// program, and Python cannot sleep.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#define IS_DATE(seconds) ((seconds) > 1000000000) // No machine runs for thirty years: a greater moment is one of the calendar.
#define REAL(name) \
    static __typeof__(name) *real; \
    if (!real) real = (__typeof__(real))dlsym(RTLD_NEXT, #name)

// A moment of the pretend day by the machine's clock.
static struct timespec back(const struct timespec *moment) {
    struct timespec earlier = *moment;
    if (IS_DATE(earlier.tv_sec)) earlier.tv_sec -= OFFSET;
    return earlier;
}

// The clock that a moment without a clock's name is of.
static clockid_t clock_of(const struct timespec *moment) { return IS_DATE(moment->tv_sec) ? CLOCK_REALTIME : CLOCK_MONOTONIC; }

int clock_gettime(clockid_t clock, struct timespec *now) {
    REAL(clock_gettime);
    int code = real(clock, now);
    if (code == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI)) now->tv_sec += OFFSET;
    return code;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    REAL(gettimeofday);
    int code = real(now, zone);
    if (code == 0) now->tv_sec += OFFSET;
    return code;
}

time_t time(time_t *kept) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (kept) *kept = now.tv_sec;
    return now.tv_sec;
}

int timespec_get(struct timespec *now, int base) { return base == TIME_UTC && clock_gettime(CLOCK_REALTIME, now) == 0 ? base : 0; }

int pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock, const struct timespec *until) {
    REAL(pthread_cond_clockwait);
    struct timespec moment = back(until);
    return real(condition, mutex, clock, &moment);
}

int pthread_cond_timedwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex, const struct timespec *restrict until) {
    return pthread_cond_clockwait(condition, mutex, clock_of(until), until);
}

int pthread_mutex_timedlock(pthread_mutex_t *restrict mutex, const struct timespec *restrict until) {
    struct timespec moment = back(until);
    return pthread_mutex_clocklock(mutex, clock_of(until), &moment);
}

int pthread_rwlock_timedrdlock(pthread_rwlock_t *restrict lock, const struct timespec *restrict until) {
    struct timespec moment = back(until);
    return pthread_rwlock_clockrdlock(lock, clock_of(until), &moment);
}

int pthread_rwlock_timedwrlock(pthread_rwlock_t *restrict lock, const struct timespec *restrict until) {
    struct timespec moment = back(until);
    return pthread_rwlock_clockwrlock(lock, clock_of(until), &moment);
}

int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict until) {
    struct timespec moment = back(until);
    return sem_clockwait(semaphore, clock_of(until), &moment);
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *until, struct timespec *left) {
    REAL(clock_nanosleep);
    struct timespec moment = flags & TIMER_ABSTIME ? back(until) : *until;
    return real(clock, flags, &moment, left);
}

int timerfd_settime(int timer, int flags, const struct itimerspec *next, struct itimerspec *former) {
    struct itimerspec moment = *next;
    if (flags & TFD_TIMER_ABSTIME) moment.it_value = back(&next->it_value);
    return (int)syscall(SYS_timerfd_settime, timer, flags, &moment, former);
}
