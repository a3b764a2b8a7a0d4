// SPDX-License-Identifier: Apache-2.0
// A user's shared library, loaded and asked what it offers.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <variant>

#include "scatterproof/engines/kernels/capabilities.hpp"
#include "scatterproof/kernel_abi.h"
#include "scatterproof/spec/core/outcome.hpp"

namespace scatterproof::engines::plugin {

/// A status other than success, and the library's message, ready for a report.
struct Complaint {
  int status = SCATTERPROOF_FAILED;
  std::string words;
};

/// Stays loaded until the process ends, as does what it returned: its threads may still run its code.
class Library {
 public:
  /// Or why it cannot be used.
  static std::variant<Library, std::string> load(const std::string& path);

  const Capabilities& capabilities() const { return capabilities_; }
  const scatterproof_memory* memory() const { return kernels_->memory; }

  /// How many threads its parallel regions of OpenMP have from now on, unless they say it themselves. Without
  /// effect on a library that does not use OpenMP.
  void use_threads(int count) const;
  /// Begins one call of an operation; empty on success.
  std::optional<Complaint> run(const std::string& operation, const std::string& attributes,
                               std::span<const scatterproof_tensor> inputs,
                               std::span<scatterproof_tensor> outputs) const;
  /// Waits for what was begun.
  std::optional<Complaint> sync() const;

 private:
  const scatterproof_kernels* kernels_ = nullptr;
  void (*set_threads_)(int) = nullptr;  ///< of the OpenMP that it is linked with
  Capabilities capabilities_;
};

/// A refusal of its kind, Unsupported; or Garbled for a library that failed or returned an unknown status.
spec::Outcome to_outcome(const Complaint& complaint);

}  // namespace scatterproof::engines::plugin
