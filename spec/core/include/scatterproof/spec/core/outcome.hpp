// SPDX-License-Identifier: Apache-2.0
// What happened when an engine executed a call: data, not judged yet.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "scatterproof/spec/core/tensor.hpp"

namespace scatterproof::spec {

/// The engine refused the call with an error. `error_class` is the exception's class for a framework (the
/// most derived name first, then its bases, so that `IndexError` also answers to `LookupError`); for a native
/// engine, one of the kinds of docs/understand/terms.md: rank shape dtype index axis value.
struct Refused {
  std::vector<std::string> error_classes;
  std::string message;
  std::vector<std::string> arguments_written =
      {};  ///< whose storage changed before the refusal, overwritten ones too
};
/// Says that the result does not depend on an argument.
struct NotConnected {};
/// One argument's gradient, or why there is none.
using GradientAnswer = std::variant<Tensor, NotConnected, Refused>;
/// The engine returned these tensors (one for every API so far).
struct Produced {
  std::vector<Tensor> tensors;
  std::vector<std::string> inputs_written;  ///< arguments whose storage changed during the call
  /// One for each argument of a GradientQuestion; empty: none was asked, or the engine answers none.
  std::vector<GradientAnswer> gradients = {};
};
/// The engine does not support this call, or not for these dtypes; the reason is fit for a report.
struct Unsupported {
  std::string reason;
};
/// The engine's process ended during the call: signal > 0, or exit status when signal == 0.
struct Crashed {
  int signal = 0;
  int exit_status = 0;
  std::string stderr_tail;        ///< what the process itself printed last
  std::string misbehaviour = {};  ///< what its host saw the call do, after which the host ended the process;
                                  ///< empty: the process ended by itself
  std::string established = {};   ///< how the call was found to be to blame; empty: it was the one that ran
  /// The call was due when it ended; no call of its batch ends a fresh process.
  bool of_no_call_alone = false;
};
struct TimedOut {
  double seconds = 0;
  std::string stderr_tail;
};
/// The engine's answer violates the protocol.
struct Garbled {
  std::string what;
  std::string stderr_tail;
};
/// The engine could not be started or reached: this says nothing about the call.
struct Unavailable {
  std::string reason;
};

struct Outcome {
  std::variant<Produced, Refused, Unsupported, Crashed, TimedOut, Garbled, Unavailable> what;
  double seconds = 0;  ///< time inside the call where the engine can tell, else 0
};

/// One line: `produced i64[3,5] [[...]]`, `refused: RuntimeError: ...`, `crashed: signal 11 (SIGSEGV)`.
std::string to_string(const Outcome& outcome);

}  // namespace scatterproof::spec
