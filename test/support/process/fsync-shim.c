/* Stands between a program and the disk (LD_PRELOAD). Writes the file name of every flush to FSYNC_LOG, and lets them
   fail as long as the file FSYNC_FAILS_WHILE exists. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int flush(int fd, const char *function) {
  const char *log = getenv("FSYNC_LOG");
  const char *fails = getenv("FSYNC_FAILS_WHILE");
  if (log != NULL) {
    char link[64], line[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, line, sizeof line - 1);
    int out = open(log, O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (out >= 0) {
      line[length < 0 ? 0 : length] = '\n';
      if (write(out, line, length < 0 ? 1 : (size_t)length + 1) < 0) abort();
      close(out);
    }
  }
  if (fails != NULL && access(fails, F_OK) == 0) {
    errno = EIO;
    return -1;
  }
  int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, function);
  return real(fd);
}

int fsync(int fd) { return flush(fd, "fsync"); }
int fdatasync(int fd) { return flush(fd, "fdatasync"); }
