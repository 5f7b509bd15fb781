/* Preloaded into a process: some calls on files below a folder fail with EIO, and the clock is elsewhere. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static int named(const char *call) {
    const char *calls = getenv("FAULTY_CALLS");
    return calls && strstr(calls, call) != NULL;
}

static int below(const char *path) {
    const char *folder = getenv("FAULTY_FOLDER");
    return folder && path && strncmp(path, folder, strlen(folder)) == 0;
}

static int broken(const char *call, int fd) {
    char link[64], path[4096];
    if (!named(call))
        return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t size = readlink(link, path, sizeof path - 1);
    path[size < 0 ? 0 : size] = 0;
    return below(path);
}

#define REAL(type, name, ...) ((type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name))
#define FAIL return errno = EIO, -1

int fsync(int fd) {
    if (broken("fsync", fd)) FAIL;
    return REAL(int, fsync, int)(fd);
}

int fdatasync(int fd) {
    if (broken("fdatasync", fd)) FAIL;
    return REAL(int, fdatasync, int)(fd);
}

ssize_t write(int fd, const void *data, size_t size) {
    if (broken("write", fd)) FAIL;
    return REAL(ssize_t, write, int, const void *, size_t)(fd, data, size);
}

ssize_t read(int fd, void *data, size_t size) {
    if (broken("read", fd)) FAIL;
    return REAL(ssize_t, read, int, void *, size_t)(fd, data, size);
}

int rename(const char *from, const char *to) {
    if (named("rename") && below(to)) FAIL;
    return REAL(int, rename, const char *, const char *)(from, to);
}

static long long offset(void) {
    const char *seconds = getenv("CLOCK_OFFSET_S");
    return seconds ? atoll(seconds) : 0;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    int result = REAL(int, clock_gettime, clockid_t, struct timespec *)(clock, now);
    if (clock == CLOCK_REALTIME && result == 0)
        now->tv_sec += offset();
    return result;
}

time_t time(time_t *into) {
    time_t now = REAL(time_t, time, time_t *)(NULL) + offset();
    return into ? (*into = now) : now;
}

int gettimeofday(struct timeval *now, void *zone) {
    int result = REAL(int, gettimeofday, struct timeval *, void *)(now, zone);
    if (result == 0)
        now->tv_sec += offset();
    return result;
}
