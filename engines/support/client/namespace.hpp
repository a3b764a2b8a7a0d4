// SPDX-License-Identifier: Apache-2.0
// A process namespace for each worker (pid_namespaces(7)): in it there are no processes but its own.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>

namespace scatterproof::engines::protocol {

/// Both are children of this process, which reaps them: the worker first.
struct Forked {
  pid_t worker = -1;  ///< -1, with errno, where there is none
  /// The first process of the worker's namespace, if it has one. It adopts the namespace's orphans and lives
  /// until it is killed or this process ends; the system then kills every process of the namespace. 0: there
  /// is no namespace.
  pid_t keeper = 0;
};

/// Forks into a new namespace. `become` is called there, must not return, and makes only calls that are safe
/// after a threaded program forks. The namespace has a /proc of its own; the rest of the file system is as it
/// was. It needs a user namespace, which a system may refuse (user_namespaces(7)): then there is no worker.
Forked fork_into_namespace(const std::function<void()>& become);

/// Why this system refuses this process such a namespace; empty: it does not. Tried once, in a few
/// milliseconds.
const std::string& namespace_refusal();

}  // namespace scatterproof::engines::protocol
