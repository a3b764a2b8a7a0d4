// SPDX-License-Identifier: Apache-2.0
#include "failures.hpp"

#include <algorithm>

namespace scatterproof::reports {
namespace {

/// In what failures of one case are alike. Streams of version 1 have no diagnosis: their words must do.
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

}  // namespace

void Failures::add(const spec::Record& record) {
  ++records_;
  const auto [place, is_new] =
      places_.try_emplace({record.id, record.verdict, alike(record)}, failures_.size());
  if (is_new) failures_.push_back({.first = record, .engines = {}});
  failures_[place->second].engines.emplace_back(record.engine, record.reproduce);
  failures_[place->second].calls += record.count;
}

std::vector<Failures::Group> Failures::groups(bool folded) const {
  std::vector<Group> groups;
  std::map<std::tuple<std::string, std::string, std::vector<std::string>, spec::Verdict, std::string>,
           std::size_t>
      places;
  for (const CaseFailure& failure : failures_) {
    const spec::Record& record = failure.first;
    std::vector<std::string> engines;
    for (const auto& [engine, reproduce] : failure.engines) engines.push_back(engine);
    const auto [place, is_new] = places.try_emplace(
        {record.api, broken_rule(record), std::move(engines), record.verdict, without_digits(alike(record))},
        groups.size());
    if (is_new || !folded)
      groups.push_back({&failure});
    else
      groups[place->second].push_back(&failure);
  }
  return groups;
}

}  // namespace scatterproof::reports
