// SPDX-License-Identifier: Apache-2.0
// Rows and walks for tests of the benchmarks.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "scatterproof/runner/bench/data.hpp"
#include "scatterproof/runner/bench/rows.hpp"

namespace scatterproof::runner::bench {

inline const std::string source = SCATTERPROOF_SOURCE_DIR;

inline const spec::SpecLibrary& specs() {
  static const spec::SpecLibrary library = spec::SpecLibrary::load(source + "/spec/data/ops").value();
  return library;
}

/// A file of one template, whose part after `operation` is given.
inline std::string file_of(const std::string& operation, const std::string& rest) {
  return "benchmark: T\nabout: a test\nrows:\n  - row: one\n    why: a test\n    operation: " + operation +
         "\n" + rest;
}

inline std::vector<BenchmarkRow> rows_of(const std::string& text, bool quick = false) {
  auto rows = load_rows_text("rows.yaml", text, specs(), quick);
  if (!rows) ADD_FAILURE() << spec::to_string(rows.errors());
  return rows ? std::move(rows).value() : std::vector<BenchmarkRow>{};
}

inline std::string errors_of(const std::string& text) {
  const auto rows = load_rows_text("rows.yaml", text, specs(), false);
  return rows ? "" : spec::to_string(rows.errors());
}

/// A one-dimensional scatter into `table` cells by `lookups` numbers.
inline BenchmarkRow scatter_row(const std::string& api, const std::string& arguments,
                                const std::string& dtype, int table, int lookups, const std::string& fill) {
  return rows_of(file_of("scatter_add",
                         "    tensors:\n"
                         "      data: {dtype: " +
                             dtype + ", shape: [" + std::to_string(table) +
                             "], fill: lattice}\n"
                             "      index: {dtype: i64, shape: [" +
                             std::to_string(lookups) + "], fill: " + fill +
                             ", into: data}\n"
                             "      updates: {dtype: " +
                             dtype + ", shape: [" + std::to_string(lookups) +
                             "], fill: lattice}\n"
                             "    api: " +
                             api +
                             "\n"
                             "    call: {self: $data, dim: 0, index: $index, src: $updates" +
                             arguments + "}\n"))
      .front();
}

inline BenchmarkRow add_row(const std::string& dtype, int table, int lookups, const std::string& fill) {
  return scatter_row("torch.Tensor.scatter_add_", "", dtype, table, lookups, fill);
}

inline std::vector<std::int64_t> numbers(const spec::Tensor& tensor) {
  std::vector<std::int64_t> all;
  for (const spec::Scalar& value : tensor.values())
    all.push_back(value.is_integral() ? value.integer() : static_cast<std::int64_t>(value.real()));
  return all;
}

inline std::vector<std::int64_t> numbers(const spec::Call& call, const char* argument) {
  return numbers(std::get<spec::Tensor>(*call.find(argument)));
}

}  // namespace scatterproof::runner::bench
