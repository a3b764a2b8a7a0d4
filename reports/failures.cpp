// SPDX-License-Identifier: Apache-2.0
#include "failures.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace scatterproof::reports {
namespace {

/// What similar failures of one case have in common. Streams of version 1 have no diagnosis: their words must
/// do.
std::string alike(const spec::Record& record) {
  if (record.diagnosis.kind == spec::DiagnosisKind::none) return record.explanation;
  return to_string(without_numbers(record.diagnosis)) + '\n' + record.message;
}

std::string without_digits(std::string text) {
  std::erase_if(text, [](char c) { return (c >= '0' && c <= '9') || c == '-'; });
  return text;
}

/// Which rule the call breaks, as far as its id says; what `fuzz` or a relation made is told by its whole id.
std::string broken_rule(const spec::Record& record) {
  const std::string id = record.id.substr(std::min(record.id.size(), record.api.size()));
  if (id.starts_with("/fuzz/") || id.starts_with("/relation/")) return id;
  const auto side = id.find("/breaks");
  return id.starts_with("/rule/") && side != std::string::npos ? id.substr(0, side) : "";
}

std::string bytes_of(const spec::TextHash& hash) { return fmt::format("{} {}", hash.first, hash.second); }

}  // namespace

std::uint32_t Failures::number_of(const std::string& name) {
  const auto [place, is_new] = numbers_.try_emplace(name, static_cast<std::uint32_t>(names_.size()));
  if (is_new) names_.push_back(name);
  return place->second;
}

void Failures::add(const spec::Record& record) {
  const auto number = static_cast<std::uint32_t>(records_.size());
  const std::string words = alike(record), verdict(1, static_cast<char>(record.verdict));
  const auto [place, is_new] = places_.try_emplace(spec::hash_of(record.id, verdict + words),
                                                   static_cast<std::uint32_t>(failures_.size()));
  if (is_new)
    failures_.push_back(
        {.kind = spec::hash_of(record.api + '\0' + broken_rule(record), verdict + without_digits(words)),
         .count = record.count,
         .first = number,
         .last = number,
         .api = number_of(record.api),
         .broken = number_of(fmt::format("{}", fmt::join(record.broken, ", "))),
         .least_bytes = static_cast<std::uint32_t>(record.explanation.size() + record.reproduce.size()),
         .verdict = record.verdict});
  CaseFailure& failure = failures_[place->second];
  failure.calls += record.count;
  ++failure.records;
  records_.push_back({spool_.add(record), number_of(record.engine), 0});
  if (!is_new) records_[std::exchange(failure.last, number)].next = number;
}

FailureText Failures::read(const CaseFailure& failure) const {
  FailureText text{.first = first(failure), .engines = {}};
  text.engines.emplace_back(text.first.engine, text.first.reproduce);
  for (std::uint32_t at = failure.first; at != failure.last;) {
    at = records_[at].next;
    text.engines.emplace_back(names_[records_[at].engine], spool_.read(records_[at].place).reproduce);
  }
  return text;
}

std::vector<Failures::Group> Failures::groups(bool folded) const {
  std::vector<Group> groups;
  std::unordered_map<spec::TextHash, std::size_t> places;
  for (const CaseFailure& failure : failures_) {
    if (!folded) {
      groups.push_back({&failure});
      continue;
    }
    std::string engines;
    for (std::uint32_t at = failure.first;; at = records_[at].next) {
      engines += std::to_string(records_[at].engine) + ' ';
      if (at == failure.last) break;
    }
    const auto [place, is_new] =
        places.try_emplace(spec::hash_of(engines, bytes_of(failure.kind)), groups.size());
    if (is_new) groups.emplace_back();
    groups[place->second].push_back(&failure);
  }
  return groups;
}

}  // namespace scatterproof::reports
