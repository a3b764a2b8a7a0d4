// SPDX-License-Identifier: Apache-2.0
// What the tool's process keeps to itself, and what a worker's process may do.
#pragma once

#include <linux/capability.h>

#include <cstdint>

namespace scatterproof::engines::protocol {

/// A set of capabilities (capabilities(7)), a bit for each.
using CapabilitySet = std::uint64_t;

constexpr CapabilitySet capability(int number) { return CapabilitySet{1} << number; }

/// What a worker keeps of root's capabilities: those that decide about files, memory and scheduling. It needs
/// none to compute, but root's files may belong to another user.
inline constexpr CapabilitySet worker_capabilities = capability(CAP_CHOWN) | capability(CAP_DAC_OVERRIDE) |
                                                     capability(CAP_FOWNER) | capability(CAP_FSETID) |
                                                     capability(CAP_IPC_LOCK) | capability(CAP_SYS_NICE);

/// From now on only a process with CAP_SYS_PTRACE can trace this one or read its memory; one of the same user
/// without it cannot (PR_SET_DUMPABLE(2const), ptrace(2)). It leaves no core file either. Debuggers that
/// started it stay attached.
void refuse_tracers();

/// For good: the calling process, and what it executes, keeps only these capabilities and gains none, not
/// even by a set-user-ID program (PR_SET_NO_NEW_PRIVS(2const)). Safe after a threaded program forks.
void give_up_capabilities(CapabilitySet kept);

/// A capability that the calling process has stays with it when it executes a program. Safe as above.
void keep_over_exec(int number);

}  // namespace scatterproof::engines::protocol
