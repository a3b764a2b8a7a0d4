// SPDX-License-Identifier: Apache-2.0
// What happens to a failure: its call is saved as found, shrunk, saved again and explained.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "scatterproof/engines/core/engine.hpp"
#include "scatterproof/engines/registry/registry.hpp"
#include "scatterproof/runner/fuzz/campaign.hpp"
#include "scatterproof/runner/shrink/regressions.hpp"
#include "scatterproof/runner/shrink/shrink.hpp"
#include "scatterproof/spec/core/error.hpp"
#include "scatterproof/spec/family/family.hpp"
#include "scatterproof/spec/opspec/op_spec.hpp"

namespace scatterproof::runner::fuzz {

/// A failure ready to be shown.
struct Finding {
  std::string explanation;  ///< what is wrong
  spec::LikelyCauses causes;
  std::string shown_by;  ///< `the smallest call that shows it: ...`; empty if the explanation has it
  spec::Call call;       ///< the smallest that shows it, or as found
  bool minimal = false;  ///< no single step makes it smaller
  bool again = true;     ///< false: the call was right when it was executed again
  std::string message;   ///< of a refusal: all that the engine said
  std::string snippet;   ///< a script in the framework's own language; empty where there is none
  spec::Result<std::string>
      saved;                   ///< the file of a call that fails in this way; errors: it cannot be written
  std::uint64_t elements = 0;  ///< of this call
};

/// How long the failures of an engine are shrunk by default.
double usual_shrink_seconds(const std::string& engine);

/// The failures of one run. keep() and finding_of() are not safe to call from two threads at once.
class Findings {
 public:
  /// Where calls are saved, and what judges them again. Everything it refers to must outlive the findings.
  struct Setting {
    const spec::SpecLibrary& specs;
    const spec::FamilyLibrary* families;        ///< of the relations that failed; null when none can
    const engines::Places& places;              ///< of the snippet files
    std::string folder;                         ///< as of shrink::save_regression; empty: nothing is saved
    std::chrono::milliseconds timeout;          ///< a call
    std::optional<double> shrink_seconds = {};  ///< for each failure; empty: as long as its engine needs
    std::size_t most_shrunk = 200;              ///< failures; the others stay as found
    const std::atomic<bool>* interrupted = nullptr;  ///< once true, nothing more is shrunk
    std::function<std::string(const Kind&, const Failure&)> known = {};  ///< as Campaign::known
  };

  explicit Findings(Setting setting) : setting_(std::move(setting)) {}

  /// Saves the failure as found, until there is a smaller call, so that nothing is lost if the process dies.
  void keep(const Kind& kind, const Failure& failure);

  /// The failure with its smallest call, which is saved instead of the one that was kept. It stays as found
  /// if there are too many, there is no time, the run was interrupted, or the smallest call fails in a way
  /// that is expected. `engine` is the one that failed. Shrinking takes `seconds` at most.
  Finding finding_of(engines::Engine& engine, const Kind& kind, const Failure& failure,
                     double seconds = std::numeric_limits<double>::infinity());

  /// How many files this run added.
  std::size_t saved() const { return added_.size(); }

 private:
  bool interrupted() const { return setting_.interrupted && *setting_.interrupted; }
  Finding as_found(const Kind& kind, const Failure& failure, std::string_view note = {});
  Finding not_again(const Kind& kind, const Failure& failure);
  Finding with_call(engines::Engine& engine, const Kind& kind, const Failure& failure,
                    const shrink::ShrinkResult& small);
  spec::Result<std::string> save(const Kind& kind, const spec::Call& call, const std::string& explanation);
  shrink::Keeps keeps(const spec::OpSpec& op, engines::Engine& engine, const Failure& failure) const;
  spec::Judgement judge_again(const spec::OpSpec& op, engines::Engine& engine, const Failure& failure,
                              const spec::Call& call, const spec::Outcome& outcome) const;
  relations::Setting relations_on(engines::Engine& engine) const;

  Setting setting_;
  std::size_t shrunk_ = 0;
  std::map<Kind, std::string> files_;  ///< that hold a call for each
  std::set<std::string> added_;        ///< files that were not there before this run
};

}  // namespace scatterproof::runner::fuzz
