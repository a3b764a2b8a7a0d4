// SPDX-License-Identifier: Apache-2.0
// One file for several APIs: a table `apis:`, one row an API, whose columns fill `${column}` in the rest of the file
// (docs/yaml.md). Each row makes a document of its own, as if it had been written out.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scatterproof/spec/yaml/yaml.hpp"

namespace scatterproof::spec::yaml {

/// What the documents of all rows of one table hold together: a table must not make a file large beyond reason.
struct TableLimits {
  std::size_t values = 400'000;
  std::size_t bytes = 16u << 20;
};

/// An API and the file as it reads for it; every value has the place where it is written, in the row or outside.
struct TableRow {
  std::string api;
  Position at;   ///< of the API's name in the table
  Node columns;  ///< the row as written; null where it has none
  Document document;
};

/// The rows of a file that has a table, or of `named`, the table of another file that this one names; of a file without a
/// table itself, without a name.
Result<std::vector<TableRow>> rows_of(const Document& document, const Node* named = nullptr,
                                      const TableLimits& limits = {});

/// The errors of the rows, in their order, each once. One that not all rows have names its row.
Errors join_errors(const std::vector<TableRow>& rows, const std::vector<Errors>& errors);

}  // namespace scatterproof::spec::yaml
