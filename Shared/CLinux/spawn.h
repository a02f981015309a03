// Starting a child that dies with its parent. In C, because between fork and exec only calls that are safe in a signal handler
// may be made, which no Swift code can promise; posix_spawn has no way to say PR_SET_PDEATHSIG.
#pragma once
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// Declared by <unistd.h> under _GNU_SOURCE only.
extern int pipe2(int descriptors[2], int flags);

// Starts `path` as the leader of a process group of its own, without the parent's descriptors and signal handlers, reading
// /dev/null and writing both outputs to `output` (or where the parent does, for -1). The child gets SIGKILL when the thread
// that called this ends. Returns 0 and the child's pid, or the errno of what failed, up to and including exec.
static inline int clinux_spawn(
    const char *path, char *const arguments[], char *const environment[], const char *directory, int output, pid_t *pid)
{
    int report[2];
    if (pipe2(report, O_CLOEXEC) != 0) return errno;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t parent = getpid();
    pid_t child = fork();
    if (child == 0) {
        struct sigaction ordinary;
        ordinary.sa_handler = SIG_DFL;
        ordinary.sa_flags = 0;
        sigemptyset(&ordinary.sa_mask);
        for (int signal = 1; signal < 32; signal++) sigaction(signal, &ordinary, NULL);
        setpgid(0, 0);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) _exit(127);  // it died before it could be noticed
        int null = open("/dev/null", O_RDONLY);
        if (null >= 0) dup2(null, STDIN_FILENO);
        if (output >= 0 && (dup2(output, STDOUT_FILENO) < 0 || dup2(output, STDERR_FILENO) < 0)) goto failed;
        if (directory != NULL && chdir(directory) != 0) goto failed;
        syscall(SYS_close_range, 3, ~0U, 4 /* CLOSE_RANGE_CLOEXEC */);
        sigset_t none;
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, NULL);
        execve(path, arguments, environment);
    failed:;
        int error = errno;
        ssize_t ignored = write(report[1], &error, sizeof error);
        (void)ignored;
        _exit(127);
    }
    int error = child < 0 ? errno : 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    close(report[1]);
    if (child > 0) {
        ssize_t count;
        do count = read(report[0], &error, sizeof error);
        while (count < 0 && errno == EINTR);
        if (count != sizeof error) error = 0;
        if (error != 0) while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {}
    }
    close(report[0]);
    *pid = child;
    return error;
}
