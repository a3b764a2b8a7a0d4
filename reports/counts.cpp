// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/reports/counts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

namespace scatterproof::reports {

void CallCounts::add(spec::Verdict verdict, spec::Disposition disposition, std::uint64_t calls) {
  if (!is_judged(verdict)) {
    not_judged[verdict] += calls;
    return;
  }
  judged += calls;
  if (is_allowed(verdict)) return;
  failed += calls;
  if (disposition == spec::Disposition::known) known += calls;
  if (disposition == spec::Disposition::flaky) flaky += calls;
}

std::uint64_t CallCounts::all() const {
  std::uint64_t sum = judged;
  for (const auto& [verdict, calls] : not_judged) sum += calls;
  return sum;
}

std::string headline(const CallCounts& counts) {
  std::string text = fmt::format("{} {} judged", counts.judged, counts.judged == 1 ? "call" : "calls");
  if (counts.judged > 0) text += fmt::format(", of them {} failed", counts.failed);
  std::vector<std::string> words;
  if (counts.known > 0) words.push_back(fmt::format("{} known", counts.known));
  if (counts.flaky > 0) words.push_back(fmt::format("{} flaky", counts.flaky));
  if (!words.empty()) text += fmt::format(" ({})", fmt::join(words, ", "));
  words.clear();
  // The document's silence comes first, what the engine lacks next.
  for (const auto verdict :
       {spec::Verdict::open, spec::Verdict::unsupported, spec::Verdict::infra, spec::Verdict::disputed})
    if (const auto found = counts.not_judged.find(verdict); found != counts.not_judged.end())
      words.push_back(fmt::format("{} {}", found->second, name(verdict)));
  if (!words.empty()) text += fmt::format("; not judged: {}", fmt::join(words, ", "));
  return text;
}

std::string headline(const CallCounts& counts, std::size_t planned) {
  // The record of a disputed case stands for several calls: then how many are missing cannot be told.
  if (counts.all() >= planned || counts.has(spec::Verdict::disputed)) return headline(counts);
  return fmt::format("{} of {} calls done: {}", counts.all(), planned, headline(counts));
}

}  // namespace scatterproof::reports
