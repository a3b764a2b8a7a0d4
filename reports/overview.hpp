// SPDX-License-Identifier: Apache-2.0
// What a run amounts to, gathered while it lasts: shared by the reports that sum up.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "failures.hpp"
#include "scatterproof/reports/counts.hpp"
#include "scatterproof/reports/practice.hpp"
#include "shown_names.hpp"
#include "text.hpp"

namespace scatterproof::reports {

/// How calls ended, as counts.
using Tally = std::map<Standing, std::size_t>;

/// By API, then engine. An engine without records of an API has no cell there.
using Cells = std::map<std::string, std::map<std::string, Tally>>;

/// `12, 1 weak, 2 failed`; a cell of nothing but passes is a number.
std::string words_of(const Tally& tally);

/// `12 passed, 1 weak, 2 failed, 3 open`.
std::string spelled_out(const Tally& tally);

/// What a reader must see in a cell: failures, else expected failures, else passes, else what comes next.
/// Precondition: not empty.
Standing mark_of(const Tally& tally);

/// All there are, in the order in which they should be looked at.
inline constexpr std::array worst_verdicts_first = {
    spec::Verdict::crash,         spec::Verdict::mismatch,
    spec::Verdict::missing_error, spec::Verdict::unexpected_error,
    spec::Verdict::wrong_error,   spec::Verdict::timeout,
    spec::Verdict::disputed,      spec::Verdict::infra,
    spec::Verdict::weak,          spec::Verdict::open,
    spec::Verdict::unsupported,   spec::Verdict::pass};

/// How a run went, in one line that holds everything that decides the exit code.
struct Conclusion {
  enum class Mood { good, unsure, bad };
  std::string sentence;
  Mood mood = Mood::good;
};
struct RunCounts {
  CallCounts calls;
  std::size_t failures = 0;  ///< records that no baseline entry describes
  std::size_t flaky = 0;     ///< records: failed, and passed on a newly started engine
  bool offered = false;      ///< some call was, by its engine

  void add(const spec::Record& record);
};
/// The baseline entries that fail the run: all, or those that are not fixed.
std::size_t stale_in(const spec::Header& header, const spec::Trailer& trailer);

Conclusion conclusion(const spec::Header& header, const spec::Trailer& trailer, const RunCounts& counts);

/// `so:./libmine.so was reached by 62 of 235 calls; by none of rank 3 or more`.
std::string words_of(const spec::Reach& reach);

/// `skipped after 3 time-outs: 12 calls of torch.gather on torch`.
std::string words_of(const spec::Skipped& skipped);
/// `33 of the chosen APIs had no call: numpy.add.at, numpy.choose, numpy.put and 30 more`; empty: all had
/// one.
std::string unreached_words(const spec::Trailer& trailer, bool all);

/// `1 case`, `2 cases`.
std::string counted(std::size_t n, std::string_view one, std::string_view many);

class Overview {
 public:
  void run_started(const spec::Header& header);
  void call_judged(const spec::Record& record);

  const spec::Header& header() const { return header_; }
  const ShownNames& names() const { return names_; }
  Conclusion concluded(const spec::Trailer& trailer) const { return conclusion(header_, trailer, totals_); }
  const RunCounts& totals() const { return totals_; }
  const Cells& cells() const { return cells_; }
  /// Those with records, in the order of the header.
  std::vector<std::string> engines() const;
  /// APIs with failures first, then those with expected failures, then the others; each by name.
  std::vector<std::string> apis() const;
  const PracticeTable& practices() const { return practices_; }

  /// Calls with this verdict, and how many of them were expected to fail or flaky.
  struct Count {
    std::size_t calls = 0;
    std::size_t known = 0;
  };
  Count count(spec::Verdict verdict) const;
  /// By API and engine.
  const std::map<spec::Verdict, Count>& counts(const std::string& api, const std::string& engine) const;

  const Failures& failures() const { return failures_; }
  const Failures& known() const { return known_; }

 private:
  spec::Header header_;
  ShownNames names_;
  RunCounts totals_;
  Cells cells_;
  std::vector<std::string> engines_;
  std::map<std::string, std::map<std::string, std::map<spec::Verdict, Count>>> counts_;
  PracticeTable practices_;
  Failures failures_;
  Failures known_;
};

}  // namespace scatterproof::reports
