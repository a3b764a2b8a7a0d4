// SPDX-License-Identifier: Apache-2.0
// One small spec and three cases of it, for tests of the runner that care about neither.
#pragma once

#include <gtest/gtest.h>

#include "catalogue.hpp"

namespace scatterproof::runner {

inline constexpr const char* toy_spec = R"(
api: toy.put
summary: writes src into self along axis 0
documents:
  - {id: doc, title: Toy, framework: torch, versions: ">=1"}
arguments:
  self: {tensor: T}
  index: {tensor: I}
  src: {tensor: T}
types:
  T: {dtypes: [i64, f32], says: one dtype, from: {document: doc, section: types}, broken: open}
  I: {dtypes: [i64], says: index is i64, from: {document: doc, section: types}, broken: {error: TypeError, native: dtype}}
rules:
  - id: range
    says: every index is a position of self
    from: {document: doc, section: rules}
    require: "all p in positions(shape(index)): 0 <= index[p] < size(self, 0)" broken
    : {error : IndexError, native : index} meaning : result : {shape : shape(self), dtype : self} start
    : self for : {p : shape(index)} write : "out[(index[p],)] <- src[p]" combine : assign) ";

    inline constexpr const char* toy_cases = R"(
api: toy.put
cases:
  - id: doc/one
    why: printed
    from: {document: doc, section: example}
    call: {self: {dtype: i64, values: [0, 0, 0]}, index: {dtype: i64, values: [2, 0]}, src: {dtype: i64, values: [5, 7]}}
    expect: {values: [7, 0, 5]}
  - id: doc/wrongly-printed
    why: the document's numbers are not what its formula gives
    from: {document: doc, section: example}
    call: {self: {dtype: i64, values: [0, 0, 0]}, index: {dtype: i64, values: [2, 0]}, src: {dtype: i64, values: [5, 7]}}
    expect: {values: [7, 0, 6]}
  - rule: range
    side: breaks
    why: three positions, and an index of 3
    call: {self: {dtype: i64, values: [0, 0, 0]}, index: {dtype: i64, values: [3]}, src: {dtype: i64, values: [5]}}
    expect: {error: IndexError}
)";

inline Catalogue toy_catalogue() {
  auto op = spec::load_op_spec_text("toy.yaml", toy_spec);
  EXPECT_TRUE(op) << (op ? "" : spec::to_string(op.errors()));
  Catalogue catalogue{spec::SpecLibrary({*op}), {}, {}, {}, true};
  auto cases = spec::load_cases_text("toy-cases.yaml", toy_cases, catalogue.specs);
  EXPECT_TRUE(cases) << (cases ? "" : spec::to_string(cases.errors()));
  catalogue.cases = *cases;
  return catalogue;
}

}  // namespace scatterproof::runner
