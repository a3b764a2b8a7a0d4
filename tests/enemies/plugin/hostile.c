/* SPDX-License-Identifier: Apache-2.0 */
/* The scaffold's honest kernel, which attacks the tool once, as the environment variable HOSTILE says. Each
 * attempt is a line of the file that HOSTILE_LOG names: `reached` or `refused`, and what was tried. */
#define _GNU_SOURCE
#define scatterproof_kernels_v1 honest_kernels
#include "mine.c"
#undef scatterproof_kernels_v1
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static void note(int reached, const char* what, int pid) {
  char line[200];
  const int length = snprintf(line, sizeof line, "%s %s %d: %s\n", reached ? "reached" : "refused", what, pid,
                              strerror(errno));
  const int log = open(getenv("HOSTILE_LOG"), O_WRONLY | O_CREAT | O_APPEND, 0666);
  if (write(log, line, (size_t)length) != length) abort();
  close(log);
}

/* Calls `attack` with every process number that may be the tool's, and with no other: the parent's, and the
 * one in the environment. In a namespace, where only the worker's own processes can be seen, also with those
 * that have the tool's name. */
static void on_the_tool(void (*attack)(int)) {
  attack(atoi(getenv("SCATTERPROOF_TOOL")));
  if (getppid() != 0) return attack(getppid());
  DIR* processes = opendir("/proc");
  for (const struct dirent* entry; processes != NULL && (entry = readdir(processes)) != NULL;) {
    char path[300], name[32] = "";
    snprintf(path, sizeof path, "/proc/%s/comm", entry->d_name);
    const int file = open(path, O_RDONLY);
    if (file < 0) continue;
    if (read(file, name, sizeof name - 1) > 0 && strcmp(name, "scatterproof\n") == 0)
      attack(atoi(entry->d_name));
    close(file);
  }
  if (processes != NULL) closedir(processes);
}

static void trace_one(int thread) {
  errno = 0;
  const long seized = ptrace(PTRACE_SEIZE, thread, NULL, NULL);
  note(seized == 0, "ptrace seize", thread);
  errno = 0;
  note(seized != 0 && ptrace(PTRACE_ATTACH, thread, NULL, NULL) == 0, "ptrace attach", thread);
}

/* The process, and each of its threads. */
static void trace(int pid) {
  char path[64];
  trace_one(pid);
  snprintf(path, sizeof path, "/proc/%d/task", pid);
  DIR* threads = opendir(path);
  for (const struct dirent* entry; threads != NULL && (entry = readdir(threads)) != NULL;)
    if (atoi(entry->d_name) > 0 && atoi(entry->d_name) != pid) trace_one(atoi(entry->d_name));
  if (threads != NULL) closedir(threads);
}

static void open_file_of(int pid, const char* name) {
  char path[64], byte;
  snprintf(path, sizeof path, "/proc/%d/%s", pid, name);
  errno = 0;
  const int file = open(path, O_RDONLY);
  const int is_memory =
      strcmp(name, "mem") == 0; /* no address is known: opening it is enough */
  note(file >= 0 && (is_memory || read(file, &byte, 1) == 1), path, pid);
  if (file >= 0) close(file);
}

static void read_memory(int pid) {
  char bytes[8];
  const struct iovec here = {bytes, sizeof bytes}, there = {(void*)&read_memory, sizeof bytes};
  open_file_of(pid, "mem");
  open_file_of(pid, "environ");
  open_file_of(pid, "maps");
  errno = 0;
  const ssize_t count = process_vm_readv(pid, &here, 1, &there, 1, 0);
  note(count >= 0 || errno == EFAULT, "process_vm_readv", pid); /* EFAULT: it may read, at another address */
  const int process = (int)syscall(SYS_pidfd_open, pid, 0);
  errno = 0;
  note(process >= 0 && syscall(SYS_pidfd_getfd, process, 3, 0) >= 0, "pidfd_getfd", pid);
}

static void kill_it(int pid) {
  errno = 0;
  note(kill(pid, SIGKILL) == 0, "kill", pid);
}

static void stop_it(int pid) {
  errno = 0;
  note(kill(pid, SIGSTOP) == 0, "stop", pid);
}

/* Signals every process: only if the parent is outside this namespace, so that only the worker and its
 * children are in it. */
static void kill_all(void) {
  errno = 0;
  if (getppid() != 0) return note(0, "kill all, not tried", -1);
  const int killed = kill(-1, SIGKILL) == 0;
  note(killed, "kill all", -1);
  kill(1, SIGKILL); /* the first process of a namespace; it must not listen */
  kill(1, SIGSTOP);
  errno = 0;
  note(ptrace(PTRACE_SEIZE, 1, NULL, NULL) == 0, "ptrace seize", 1);
  open_file_of(1, "mem");
}

/* A daemon that nothing links to its parent. */
static void leave_a_daemon(void) {
  char* arguments[] = {"/bin/sleep", "3600.75", NULL};
  char* environment[] = {NULL};
  if (fork() == 0) {
    setsid();
    if (fork() == 0) execve(arguments[0], arguments, environment);
    _exit(0);
  }
  wait(NULL);
  note(0, "daemon", 0);
}

static void attack(const char* how) {
  if (strcmp(how, "trace") == 0) on_the_tool(trace);
  if (strcmp(how, "read") == 0) on_the_tool(read_memory);
  if (strcmp(how, "kill") == 0) on_the_tool(kill_it);
  if (strcmp(how, "stop") == 0) on_the_tool(stop_it);
  if (strcmp(how, "kill_all") == 0) kill_all();
  if (strncmp(how, "daemon", 6) == 0) leave_a_daemon();
  if (strcmp(how, "daemon_and_die") == 0) raise(SIGSEGV);
}

static scatterproof_status hostile(const char* operation, const char* attributes,
                                   const scatterproof_tensor* inputs, int32_t input_count,
                                   scatterproof_tensor* outputs, int32_t output_count, char* words,
                                   size_t words_size) {
  static int attacked = 0;
  if (!attacked++) attack(getenv("HOSTILE"));
  return run(operation, attributes, inputs, input_count, outputs, output_count, words, words_size);
}

const scatterproof_kernels* scatterproof_kernels_v1(void);
__attribute__((visibility("default"))) const scatterproof_kernels* scatterproof_kernels_v1(void) {
  static scatterproof_kernels kernels;
  kernels.abi_version = SCATTERPROOF_KERNEL_ABI_VERSION;
  kernels.struct_size = sizeof kernels;
  kernels.describe = describe;
  kernels.run = hostile;
  return &kernels;
}
