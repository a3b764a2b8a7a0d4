// SPDX-License-Identifier: Apache-2.0
// Which failures are probably one bug, whichever APIs and calls show it, and how bad a failure is.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "scatterproof/spec/record/record.hpp"

namespace scatterproof::spec {

/// What failures of one bug have in common. It has no likely cause, which is a guess about a single call:
/// two calls that show the same bug may have two.
struct FailureKey {
  std::string engine;  ///< without its version
  Verdict verdict = Verdict::pass;
  /// Without numbers, and without a likely cause; `differs_when_repeated` for a race. Empty: none.
  std::string diagnosis;
  std::string rule;       ///< which the call breaks, or relation, as far as its id says
  std::string message;    ///< a glob of what the engine said, in which numbers are wildcards
  std::string operation;  ///< or the API that has none; empty if there is a message, which tells more

  friend auto operator<=>(const FailureKey&, const FailureKey&) = default;
};
FailureKey key_of(const Record& record);

/// The API's operation or family, or the API itself.
const std::string& operation_of(const Record& record);

/// The first line of what an engine said as a glob: `index[*] is *, outside [*)`. Empty for an empty message.
std::string message_glob(std::string_view message);

/// How bad a failure is, the worst first.
enum class Severity : std::uint8_t {
  crash,
  memory,  ///< memory that the call must not use, or change
  wrong_result,
  refusal,  ///< of a call that the document defines
  message,  ///< another error than the document promises
  timeout,
  no_verdict
};
Severity severity_of(const Record& record);

}  // namespace scatterproof::spec
