// SPDX-License-Identifier: Apache-2.0
// The specs and cases of a run: those shipped, or those the user names.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scatterproof/engines/registry/registry.hpp"
#include "scatterproof/runner/select/select.hpp"
#include "scatterproof/spec/cases/case.hpp"
#include "scatterproof/spec/core/error.hpp"
#include "scatterproof/spec/opspec/op_spec.hpp"

namespace scatterproof::runner {

/// What a user asks for.
struct CaseSelection {
  std::vector<std::string> what;  ///< files, folders and id globs; empty: everything shipped
  std::vector<std::string> apis;  ///< only cases of these, by glob; empty: of all
  std::string expression;         ///< -k
  std::string shard;              ///< I/N
  std::string specs;              ///< another folder of op specs; empty: the shipped ones
};

/// A printed formula to be proved equal to its spec's meaning; selected by its id like a case.
struct FormulaCase {
  std::string id;  ///< `torch.gather/formula/dim0`
  const spec::OpSpec* spec = nullptr;
  const spec::Formula* formula = nullptr;
};

struct Catalogue {
  spec::SpecLibrary specs;
  std::vector<spec::Case> cases;      ///< selected, sorted by id
  std::vector<FormulaCase> formulas;  ///< selected; pointing into `specs`
  std::vector<std::string> files;     ///< the files and folders named by the user: needed again to reproduce
  bool whole = false;   ///< nothing narrowed the selection: stale baseline entries can be detected
  bool shipped = true;  ///< no case is the user's own
};

/// The selected cases and formulas, or every error of every file read. A word that is neither a file nor
/// matches an id is an error. With `bad_cases`, a wrong case in a file that the user names is left out and
/// its error goes there, as long as some case is right.
spec::Result<Catalogue> load_catalogue(const CaseSelection& selection, const engines::Places& places,
                                       spec::Errors* bad_cases = nullptr);
/// The call that a word is (call_notation.hpp), or that of the one case that it names by its id or its file.
/// `option` is the option with that word: for the error when there are several cases, or none.
spec::Result<spec::Call> load_call(const std::string& word, const std::string& option,
                                   const std::string& specs, const engines::Places& places);
/// An error for each glob that matches no API.
spec::Errors unmatched_apis(const std::vector<std::string>& globs, const spec::SpecLibrary& specs);
spec::Result<spec::SpecLibrary> load_specs(const std::string& folder, const engines::Places& places);

}  // namespace scatterproof::runner
