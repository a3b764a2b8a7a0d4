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

/// All twins of an API, those of its own family first. An API of another family counts only where its
/// framework has none in the family.
std::vector<Twin> twins_of(const spec::OpSpec& from, const spec::SpecLibrary& specs,
                           const spec::FamilyLibrary& families, const PortingCode& code);

/// The spec that a variant shares; itself if it is none.
const spec::OpSpec& base_of(const spec::OpSpec& op, const spec::SpecLibrary& specs);

}  // namespace scatterproof::runner::site
