// SPDX-License-Identifier: Apache-2.0
// Failures as reports show them: those of one case on several engines as one, and those of several cases that
// are alike behind one of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "scatterproof/spec/record/record.hpp"

namespace scatterproof::reports {

/// One case, failing alike on several engines.
struct CaseFailure {
  spec::Record first;
  std::vector<std::pair<std::string, std::string>> engines;  ///< name, reproduce line
  std::uint64_t calls = 0;                                   ///< of all engines
};

class Failures {
 public:
  /// Cases that fail alike: the first, in the order they came, stands for all.
  using Group = std::vector<const CaseFailure*>;

  void add(const spec::Record& record);
  /// How many records were added.
  std::size_t records() const { return records_; }
  /// In the order they came.
  const std::vector<CaseFailure>& all() const { return failures_; }
  /// Failures of the same API and broken rule, on the same engines, with the same verdict and the same diagnosis and
  /// words but for numbers. Each for itself when not `folded`. They live as long as nothing is added.
  std::vector<Group> groups(bool folded) const;

 private:
  std::size_t records_ = 0;
  std::vector<CaseFailure> failures_;  ///< in the order they came
  std::map<std::tuple<std::string, spec::Verdict, std::string>, std::size_t> places_;
};

}  // namespace scatterproof::reports
