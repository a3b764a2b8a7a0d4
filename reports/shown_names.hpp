// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "scatterproof/spec/record/record.hpp"

namespace scatterproof::reports {

/// How engines are called where a name must be short: a worker that was named by its command (`cmd:...`) goes
/// by the name that it declares, and a long path or command by its file, unless another engine has that name.
class ShownNames {
 public:
  ShownNames() = default;
  explicit ShownNames(const std::vector<spec::EngineSummary>& engines);

  const std::string& of(const std::string& engine) const;
  /// The record with its engine called like that: itself, or `renamed`.
  const spec::Record& shown(const spec::Record& record, spec::Record& renamed) const;
  /// Only those that differ: from the engine's name to what is shown.
  const std::map<std::string, std::string>& declared() const { return declared_; }

 private:
  std::map<std::string, std::string> declared_;
};

}  // namespace scatterproof::reports
