// SPDX-License-Identifier: Apache-2.0
// The available texts of documents: files that the user gives, and what installed frameworks say of
// themselves.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "scatterproof/runner/cli/cli.hpp"

namespace scatterproof::runner::cli {

/// A document's text, or why it is not available.
struct AvailableText {
  std::string from;  ///< `torch@2.13.0`, or the file
  std::string text;
  std::string missing;
  bool due = false;  ///< it is missing although its framework is installed
};

class Texts {
 public:
  /// `files`: NAME=FILE, as --document has them. `engines`: those to ask; empty: for each framework the one
  /// that its name means. Both `specs` and `places` must outlive this.
  static spec::Result<Texts> open(const std::vector<std::string>& files,
                                  const std::vector<std::string>& engines, const spec::SpecLibrary& specs,
                                  const engines::Places& places);

  /// `sources`: engines, and NAME=FILE, as --from and --to have them.
  static spec::Result<Texts> open(const std::vector<std::string>& sources, const spec::SpecLibrary& specs,
                                  const engines::Places& places);

  /// Precondition: the document has a text (`text_name`).
  AvailableText find(const spec::DocumentRef& document);

 private:
  Texts(const spec::SpecLibrary& specs, const engines::Places& places) : specs_(&specs), places_(&places) {}

  /// Who is asked for a framework's texts.
  struct Source {
    std::unique_ptr<engines::Engine> engine;
    std::string missing;  ///< why there is none
  };
  Source& source_of(const std::string& framework);

  const spec::SpecLibrary* specs_;
  const engines::Places* places_;
  bool only_named_ = false;
  std::map<std::string, Source> sources_;
  std::map<std::string, AvailableText> files_;
};

}  // namespace scatterproof::runner::cli
