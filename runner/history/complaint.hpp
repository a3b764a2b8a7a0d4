// SPDX-License-Identifier: Apache-2.0
// What databases and SOCI complain of, in sentences for people who know neither.
#pragma once

#include <exception>
#include <string>

namespace scatterproof::runner::history {

/// What is wrong, without SQL, and without names of SOCI's functions.
std::string complaint_of(const std::exception& thrown);
/// Whether it is about the content of an SQLite file, which may have a damaged page.
bool is_about_damage(const std::exception& thrown);

}  // namespace scatterproof::runner::history
