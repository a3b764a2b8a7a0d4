// SPDX-License-Identifier: Apache-2.0
// Solved call forms on disk: solving those of all APIs takes ten seconds, longer than a short run.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scatterproof/spec/opspec/op_spec.hpp"
#include "scatterproof/spec/solve/solve.hpp"

namespace scatterproof::runner::fuzz {

struct StoredForms {
  std::vector<spec::CallForm> forms;
  bool any_reads_data = false;  ///< as FormSolver's; and so for the next
  bool any_compares_index = false;
};

/// A folder of forms that this very program has solved from the specs as they are. A damaged file is as good
/// as none: the forms are solved again. Several threads and programs may use it at once.
class FormStore {
 public:
  /// Of $XDG_CACHE_HOME/scatterproof/forms, or ~/.cache; keeps nothing when neither variable is set.
  static std::shared_ptr<const FormStore> of_user();
  /// `program`: the file whose size and time tell what solved the forms. Folders of other programs, but for
  /// the newest few, are removed when a program writes for the first time.
  FormStore(const std::string& folder, const std::string& program);

  /// `key` names the forms among those of the API. A variant obeys the rules of its spec, and has its forms.
  std::optional<StoredForms> read(const spec::OpSpec& spec, const std::string& key) const;
  void write(const spec::OpSpec& spec, const std::string& key, const StoredForms& stored) const;

 private:
  std::string folder_;  ///< of this program's forms; empty: nothing is kept
};

}  // namespace scatterproof::runner::fuzz
