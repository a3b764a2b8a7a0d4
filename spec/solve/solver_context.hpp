// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <z3++.h>

#include <new>

namespace scatterproof::spec::solve {

/// A context of Z3. The one of z3++ does not check for the null that it gets when memory runs out: this one
/// then throws std::bad_alloc.
class SolverContext {
 public:
  SolverContext() : owned_(made()), context_(owned_) {}
  ~SolverContext() { Z3_del_context(owned_); }
  SolverContext(const SolverContext&) = delete;
  SolverContext& operator=(const SolverContext&) = delete;

  z3::context& get() { return context_(); }

 private:
  static Z3_context made() {
    z3::config config;
    if (Z3_context context = Z3_mk_context_rc(config)) return context;
    throw std::bad_alloc();
  }

  Z3_context owned_;
  z3::scoped_context context_;  ///< leaves it to this class to delete
};

}  // namespace scatterproof::spec::solve
