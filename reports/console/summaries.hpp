// SPDX-License-Identifier: Apache-2.0
// What is counted below the matrix by its reason: expected failures, unsupported calls, absent engines.
// Folded to a few lines; in full on a verbose page.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "page.hpp"
#include "scatterproof/spec/record/record.hpp"

namespace scatterproof::reports {

/// Numbers of calls by engine and reason.
using KnownReasons = std::map<std::pair<std::string, std::string>, std::size_t>;
void print_known(const Page& page, const KnownReasons& reasons);

/// Numbers of calls by reason.
void print_unsupported(const Page& page, const std::map<std::string, std::size_t>& reasons);

void print_unavailable(const Page& page, const std::vector<spec::EngineSummary>& engines);

}  // namespace scatterproof::reports
