// SPDX-License-Identifier: Apache-2.0
// Failures as reports show them: those of one case on several engines as one, and those that are probably one
// bug behind the smallest of them. A run may have millions: their records are kept in a spool, and
// are read where they are shown.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "record_spool.hpp"
#include "scatterproof/spec/core/stable_hash.hpp"
#include "scatterproof/spec/record/failure_key.hpp"
#include "scatterproof/spec/record/record.hpp"

namespace scatterproof::reports {

/// One case that fails in the same way on several engines: what is kept of it in memory.
struct CaseFailure {
  spec::TextHash kind;      ///< of its FailureKey, without engine and operation
  std::uint64_t calls = 0;  ///< of all engines
  std::uint64_t count = 0;  ///< of its first record
  std::uint64_t elements = 0;
  std::uint32_t records = 0;  ///< one for each engine
  std::uint32_t first = 0;    ///< of its records; for Failures, and so for the next
  std::uint32_t last = 0;
  std::uint32_t api = 0;
  std::uint32_t operation = 0;  ///< of its FailureKey
  std::uint32_t broken = 0;
  std::uint32_t least_bytes = 0;  ///< of its explanation and its command
  spec::Severity severity = {};
  std::uint32_t diagnosis = 0;                 ///< without its numbers
  const spec::LikelyCauses* causes = nullptr;  ///< of its first record; null: it has none
};

/// All of it.
struct FailureText {
  spec::Record first;
  std::string story;                                         ///< the explanation, and likely causes
  std::vector<std::pair<std::string, std::string>> engines;  ///< name, reproduce line
};

class Failures {
 public:
  /// Cases that are probably one bug. The one with the smallest call comes first, and stands for all.
  using Group = std::vector<const CaseFailure*>;
  /// Groups that differ in nothing but the operation: perhaps one bug too, in what several kernels share.
  using Family = std::vector<Group>;

  void add(const spec::Record& record);
  /// In the order they came.
  const std::vector<CaseFailure>& all() const { return failures_; }
  /// Failures with the same FailureKey on the same engines: the worst first, then those with the most calls.
  /// They live until something is added.
  std::vector<Group> groups() const;
  /// The same groups, those of a family together: the worst family first.
  std::vector<Family> families() const;

  /// `scatter_elements`, or an API; empty where the group's message tells more.
  const std::string& operation(const Group& group) const { return names_[group.front()->operation]; }
  /// Its first failure. Of several: with the likely causes that most calls have, if that is more than a
  /// quarter of them, or else with those of the first.
  FailureText read(const Group& group) const;
  /// The APIs of a group, that of the first failure first, and how many cases each has.
  std::vector<std::pair<std::string, std::size_t>> apis(const Group& group) const;
  const std::string& api(const CaseFailure& failure) const { return names_[failure.api]; }
  /// The ids of the rules that it breaks.
  const std::string& broken(const CaseFailure& failure) const { return names_[failure.broken]; }
  /// Its first record. Throws std::runtime_error where the spool cannot be read; and so for the next.
  spec::Record first(const CaseFailure& failure) const { return spool_.read(records_[failure.first].place); }
  FailureText read(const CaseFailure& failure) const;

 private:
  struct Kept {
    std::uint64_t place = 0;   ///< in the spool
    std::uint32_t engine = 0;  ///< its name
    std::uint32_t next = 0;    ///< of the same case
  };
  std::uint32_t number_of(const std::string& name);
  /// Those of the most calls, or else of the one that is shown: a line for each.
  std::string likely_causes(const Group& group) const;
  /// Of its kind and its engines.
  spec::TextHash family_of(const CaseFailure& failure) const;

  RecordSpool spool_;
  std::vector<Kept> records_;
  std::vector<CaseFailure> failures_;  ///< in the order they came
  std::unordered_map<spec::TextHash, std::uint32_t> places_;
  std::vector<std::string> names_;  ///< of APIs, engines and rules
  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::set<spec::LikelyCauses> causes_;
};

/// The calls that a group of failures stands for.
std::uint64_t calls_in(const Failures::Group& group);
/// The records.
std::size_t records_in(const Failures::Group& group);

}  // namespace scatterproof::reports
