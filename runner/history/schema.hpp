// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace scatterproof::runner::history {

/// The statements that bring the tables from one version to the next, the first from 0 to 1. A released one
/// stays as it is: a change is a further migration. SQLite and PostgreSQL take all of them.
std::span<const std::vector<std::string_view>> migrations();

}  // namespace scatterproof::runner::history
