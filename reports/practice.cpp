// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/reports/practice.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <vector>

#include "text.hpp"

namespace scatterproof::reports {
namespace {

using Diagnosis = spec::DiagnosisKind;

constexpr std::array<std::string_view, 5> kind_names = {"enforced", "lenient", "mixed", "crashes",
                                                        "contradicts"};

std::string_view how(Diagnosis repair) {
  switch (repair) {
    case Diagnosis::index_wrapped:
      return "index wrapped once";
    case Diagnosis::index_clamped:
      return "index clamped";
    case Diagnosis::index_modulo:
      return "index modulo the size";
    case Diagnosis::index_dropped:
      return "index dropped";
    case Diagnosis::index_filled:
      return "filled";
    case Diagnosis::index_ambiguous:
      return "index repaired";  // in one of several ways
    case Diagnosis::axis_modulo:
      return "axis modulo the rank";
    case Diagnosis::argument_cast:
      return "cast";
    case Diagnosis::argument_broadcast:
      return "broadcast";
    case Diagnosis::argument_cut:
      return "cut to fit";
    default:
      return "taken";  // no repair explains the result
  }
}

bool tells_practice(const spec::Record& record) {
  const Standing how_it_stands = standing(record);
  return record.broken.size() == 1 &&
         (record.practice.kind != Diagnosis::none || how_it_stands == Standing::failed ||
          how_it_stands == Standing::flaky || how_it_stands == Standing::known);
}

}  // namespace

std::string_view name(Practice::Kind kind) { return kind_names[static_cast<std::size_t>(kind)]; }

void add(const spec::Record& record, PracticeTable& table) {
  if (tells_practice(record)) table[{record.api, record.broken.front()}][record.engine].add(record);
}

void Practice::add(const spec::Record& record) {
  if (record.verdict == spec::Verdict::crash || record.verdict == spec::Verdict::timeout) {
    crashes_ = true;
    return;
  }
  if (record.verdict != spec::Verdict::pass && record.verdict != spec::Verdict::open) contradicts_ = true;
  if (record.practice.kind == Diagnosis::refused)
    refused_ = true;
  else if (record.practice.kind == Diagnosis::refused_after_writing)
    refused_late_ = true;
  else if (record.practice.kind != Diagnosis::none)
    taken_.emplace(how(record.practice.kind));
}

Practice::Kind Practice::kind() const {
  if (crashes_) return Kind::crashes;
  if (contradicts_) return Kind::contradicts;
  if (taken_.empty()) return Kind::enforced;
  return refused_ || refused_late_ ? Kind::mixed : Kind::lenient;
}

std::string Practice::text() const {
  std::vector<std::string_view> words;
  if (refused_ && !taken_.empty()) words.emplace_back("refused");
  if (refused_late_) words.emplace_back("refused after writing");
  words.insert(words.end(), taken_.begin(), taken_.end());
  const bool says_more = words.size() > 1 || (words.size() == 1 && words.front() != how(Diagnosis::produced));
  return says_more ? fmt::format("{} ({})", name(kind()), fmt::join(words, " or "))
                   : std::string(name(kind()));
}

}  // namespace scatterproof::reports
