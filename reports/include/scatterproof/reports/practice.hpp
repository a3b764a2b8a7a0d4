// SPDX-License-Identifier: Apache-2.0
// What an engine does where calls break a rule, whatever the document says of it.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "scatterproof/spec/record/record.hpp"

namespace scatterproof::reports {

/// Whether the record says what an engine did with calls that break one rule alone.
bool tells_practice(const spec::Record& record);

/// One engine's answers to calls that break one rule alone.
class Practice {
 public:
  /// In words of docs/terms.md.
  enum class Kind : std::uint8_t { enforced, lenient, mixed, crashes, contradicts };

  /// Precondition: tells_practice(record).
  void add(const spec::Record& record);
  Kind kind() const;
  /// `enforced`, `lenient`, `lenient (index wrapped once)`, `mixed (refused or taken)`.
  std::string text() const;

 private:
  bool refused_ = false;
  bool crashes_ = false;
  bool contradicts_ = false;
  std::set<std::string> taken_;  ///< how calls were taken that it did not refuse
};
std::string_view name(Practice::Kind kind);

}  // namespace scatterproof::reports
