// SPDX-License-Identifier: Apache-2.0
// What each engine does where calls break rules, whatever the document says of it.
#pragma once

#include "page.hpp"
#include "scatterproof/reports/practice.hpp"

namespace scatterproof::reports {

/// A line for each engine; or, if verbose or when there are few, for each rule.
void print(const PracticeTable& practices, const Page& page);

}  // namespace scatterproof::reports
