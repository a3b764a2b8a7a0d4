// SPDX-License-Identifier: Apache-2.0
// What becomes of a failure: its call is saved as it was found, made small, saved again and explained.
#pragma once

#include <chrono>
#include <map>
#include <string>

#include "../shrink/regressions.hpp"
#include "../shrink/shrink.hpp"
#include "driver.hpp"
#include "scatterproof/engines/engine.hpp"
#include "scatterproof/engines/registry.hpp"
#include "scatterproof/spec/error.hpp"
#include "scatterproof/spec/family.hpp"
#include "scatterproof/spec/op_spec.hpp"

namespace scatterproof::runner::fuzz {

/// A failure fit to be shown.
struct Finding {
  std::string explanation;          ///< with the call that shows it
  std::string snippet;              ///< a script in the framework's own language; empty where there is none
  spec::Result<std::string> saved;  ///< the file of that call
};

/// The failures of one run. keep() and finding_of() are not safe to call from two threads at once.
class Findings {
 public:
  /// Where calls are saved and by what they are judged again. What is referred to outlives the findings.
  struct Setting {
    const spec::SpecLibrary& specs;
    const spec::FamilyLibrary* families;  ///< of the relations that failed; null when none was asked
    const engines::Places& places;        ///< of the forms that snippets take
    std::string folder;                   ///< as of shrink::save_regression
    std::chrono::milliseconds timeout;    ///< a call
  };

  explicit Findings(Setting setting) : setting_(std::move(setting)) {}

  /// Saves the failure as it was found, until there is a smaller call: nothing is lost with this process.
  void keep(const Kind& kind, const Failure& failure);

  /// The failure with its smallest call, which is saved in place of the one that was kept. `engine` is the
  /// one that failed.
  Finding finding_of(engines::Engine& engine, const Kind& kind, const Failure& failure);

 private:
  spec::Result<shrink::Saved> save(const Kind& kind, const spec::Call& call, const std::string& explanation);
  shrink::Keeps keeps(const spec::OpSpec& op, engines::Engine& engine, const Failure& failure) const;
  spec::Judgement judge_again(const spec::OpSpec& op, engines::Engine& engine, const Failure& failure,
                              const spec::Call& call, const spec::Outcome& outcome) const;
  relations::Setting relations_on(engines::Engine& engine) const;

  Setting setting_;
  std::map<Kind, std::string> kept_;  ///< files that this run added, of failures that are not small yet
};

}  // namespace scatterproof::runner::fuzz
