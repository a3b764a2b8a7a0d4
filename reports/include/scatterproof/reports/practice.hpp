// SPDX-License-Identifier: Apache-2.0
// What an engine does where calls break a rule, whatever the document says of it.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "scatterproof/spec/record/record.hpp"

namespace scatterproof::reports {

/// One engine's answers to calls that break one rule alone.
class Practice {
 public:
  /// In words of docs/understand/terms.md.
  enum class Kind : std::uint8_t { enforced, lenient, mixed, crashes, contradicts };

  void add(const spec::Record& record);
  Kind kind() const;
  /// `enforced`, `enforced (refused after writing)`, `lenient (index wrapped once)`, `mixed (refused or
  /// taken)`.
  std::string text() const;

 private:
  bool refused_ = false;
  bool refused_late_ = false;  ///< after arguments had been changed
  bool crashes_ = false;
  bool contradicts_ = false;
  std::set<std::string> taken_;  ///< how calls were taken that it did not refuse
};
std::string_view name(Practice::Kind kind);

/// By API and rule; then by engine.
using PracticeTable = std::map<std::pair<std::string, std::string>, std::map<std::string, Practice>>;

/// Takes note of a record that says what an engine did with calls that break one rule alone; of no other.
void add(const spec::Record& record, PracticeTable& table);

}  // namespace scatterproof::reports
