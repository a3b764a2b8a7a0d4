// SPDX-License-Identifier: Apache-2.0
// Which API of another framework a call can be written with.
#pragma once

#include <string>
#include <vector>

#include "scatterproof/runner/site/site.hpp"

namespace scatterproof::runner::site {

/// A way from an API to one of another framework.
struct Twin {
  const spec::OpSpec* to = nullptr;
  const Bridge* bridge = nullptr;  ///< null: both are of one family
};

/// All twins of an API, those of its own family first. An API of another
/// family counts only where its framework has none in the family.
std::vector<Twin> twins_of(const spec::OpSpec& from, const SiteSources& sources);

/// The spec that a variant shares; itself if it is none.
const spec::OpSpec& base_of(const spec::OpSpec& op, const spec::SpecLibrary& specs);

/// The call of an API, with the names of its arguments and without keywords.
std::string call_in_python(const spec::OpSpec& op);

/// The call of `twin.to`, in Python, over the arguments of `from`; empty: its document is not called from
/// Python.
std::string translation(const spec::OpSpec& from, const Twin& twin, const spec::FamilyLibrary& families);

}  // namespace scatterproof::runner::site
