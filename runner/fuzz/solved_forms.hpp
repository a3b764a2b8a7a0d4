// SPDX-License-Identifier: Apache-2.0
// The call forms of a page, before they are varied: which rules they break, and what the solver finds for
// them, or found in an earlier run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "scatterproof/runner/fuzz/generated.hpp"
#include "scatterproof/spec/solve/solve.hpp"

namespace scatterproof::runner::fuzz {

/// Of one API. Not safe to call from two threads at once, except any_reads_data and any_compares_index.
class SolvedForms {
 public:
  /// `spec` and `wishes` must outlive it.
  SolvedForms(const spec::OpSpec& spec, std::uint64_t seed, const GenerationOptions& wishes);

  /// The result depends on the page, not on earlier calls.
  std::vector<spec::CallForm> of_page(std::uint64_t page);

  /// The rules that some small call breaks alone, in the spec's order; empty if only valid calls are wanted.
  std::vector<const spec::Rule*> breakable();

  /// As FormSolver's. Precondition: the forms of a page were asked for.
  bool any_reads_data() const { return checks_->data; }
  bool any_compares_index() const { return checks_->index; }

 private:
  /// A rule, and whether a call can break it alone; empty: not known yet.
  struct Asked {
    const spec::Rule* rule;
    std::optional<bool> breakable = {};
  };
  /// What a filled call must be checked for.
  struct Checks {
    bool data = false;
    bool index = false;
  };
  const spec::FormSolver& solver();
  std::vector<spec::CallForm> solve(std::uint64_t page);
  void take_turns();
  std::size_t turns(const spec::Rule& rule);
  bool is_breakable(Asked& one);
  bool are_breakable(const std::vector<const spec::Rule*>& broken, const std::vector<spec::CallForm>& forms);
  std::vector<const spec::Rule*> broken_in(std::uint64_t page);
  std::optional<const spec::Rule*> side(std::uint64_t number) const;

  const spec::OpSpec& spec_;
  const std::uint64_t seed_;
  const GenerationOptions& wishes_;
  std::optional<spec::FormSolver> solver_;
  std::optional<Checks> checks_;    ///< set once: others may be reading them
  std::vector<Asked> rules_;        ///< those that may be broken
  std::vector<std::size_t> turns_;  ///< by place in `rules_`
};

}  // namespace scatterproof::runner::fuzz
