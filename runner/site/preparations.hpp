// SPDX-License-Identifier: Apache-2.0
// What code does with the arguments of a call before it calls another API.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "twins.hpp"

namespace scatterproof::runner::site {

class SiteContents;

struct Prepared {
  std::vector<const Preparation*> steps;  ///< in their order
  /// Input classes: of their calls, the code gives what the document of the first API says.
  std::set<std::string> classes;
};

/// For calls of `from` as calls of its twin: in a family, where the two documents differ.
Prepared preparations_of(SiteContents& contents, const spec::OpSpec& from, const Twin& twin);

}  // namespace scatterproof::runner::site
