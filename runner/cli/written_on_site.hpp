// SPDX-License-Identifier: Apache-2.0
// Where the site has code for calls that no API of a framework says.
#pragma once

#include <string>

#include "scatterproof/engines/registry/registry.hpp"
#include "scatterproof/spec/family/family.hpp"
#include "scatterproof/spec/opspec/op_spec.hpp"

namespace scatterproof::runner::cli {

/// A sentence that names the pages with code for calls of this API in the framework; empty: there is none, or
/// the shipped files that tell cannot be read.
std::string written_on_site(const spec::OpSpec& op, const std::string& framework,
                            const spec::SpecLibrary& specs, const spec::FamilyLibrary& families,
                            const engines::Places& places);

}  // namespace scatterproof::runner::cli
