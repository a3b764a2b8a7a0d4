// SPDX-License-Identifier: Apache-2.0
// An invented operator with one argument of every kind, and cases of it as text.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "scatterproof/spec/cases/case.hpp"

namespace scatterproof::spec::testing {

inline const std::string spec_text = R"yaml(api: toy.pick
summary: copies x where index says
documents:
  - {id: doc, title: Toy manual, framework: torch}
arguments:
  x: {tensor: any}
  index: {tensor: I}
  mode: {choice: [clip, wrap, 3], default: clip}
  strict: {choice: [yes, no], default: "yes",
           rule: {says: one of two, from: {document: doc, section: P}, broken: {error: ValueError, native: value}}}
  flag: {boolean: {}, default: false}
  scale: {scalar: {}, default: 1}
  other: {tensor_or_scalar: I, optional: true}
  sizes: {integers: {}, optional: true}
  depth: {integer: {}, optional: true, default: 2}
types:
  I: {dtypes: [i64], says: long, from: {document: doc, section: P}, broken: {error: TypeError, native: dtype}}
rules:
  - id: one-dimensional
    says: one dimension
    from: {document: doc, section: P}
    require: rank(x) == 1 and rank(index) == 1
    broken: {error: [RuntimeError, ValueError], native: rank}
  - id: inside
    says: inside
    from: {document: doc, section: P}
    require: "all i in dims(index): all p in positions(shape(index)): 0 <= index[p] < size(x, 0)"
    broken: undefined
  - id: old
    says: releases before 2 wanted something to do
    from: {document: doc, section: P}
    require: numel(index) > 0
    until: "2"
    broken: open
meaning:
  result: {shape: shape(index), dtype: x}
  for: {p: shape(index)}
  write: "out[p] <- x[index[p]]"
  combine: assign
)yaml";

inline SpecLibrary library() {
  auto spec = load_op_spec_text("toy.pick.yaml", spec_text);
  if (!spec) throw std::runtime_error(to_string(spec.errors()));
  std::vector<OpSpec> specs;
  specs.push_back(std::move(spec).value());
  return SpecLibrary(std::move(specs));
}

inline Result<std::vector<Case>> read(const std::string& text) {
  static const SpecLibrary specs = library();
  return load_cases_text("cases.yaml", text, specs);
}

/// The only case of a file.
inline Case only(const std::string& text) {
  auto cases = read(text);
  if (!cases) throw std::runtime_error(to_string(cases.errors()));
  if (cases->size() != 1) throw std::logic_error("not one case");
  return cases->front();
}

/// A file of one case with this x; everything else is harmless.
inline std::string file_with(const std::string& x, const std::string& more = "") {
  return "api: toy.pick\ncases:\n  - id: a\n    why: b\n    call:\n      x: " + x +
         "\n      index: {dtype: i64, shape: [0]}\n" + more;
}

inline std::vector<std::string> complaints(const std::string& text) {
  const auto cases = read(text);
  std::vector<std::string> lines;
  if (cases) return lines;
  for (const Error& error : cases.errors()) lines.push_back(to_string(error));
  return lines;
}

}  // namespace scatterproof::spec::testing
