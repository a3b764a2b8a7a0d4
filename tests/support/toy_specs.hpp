// SPDX-License-Identifier: Apache-2.0
// Small specs, as text: one that scatters elements, one that scatters rows, one with a list of tensors.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "scatterproof/spec/opspec/op_spec.hpp"

namespace scatterproof::spec::testing {

/// scatter along an axis, with a choice, an optional argument and rules for some releases and devices only.
inline const std::string scatter_text = R"yaml(api: toy.scatter
summary: writes src into self
documents:
  - {id: doc, title: Toy manual, framework: torch, versions: ">=1.0"}
  - {id: post, title: A post, framework: blog}
arguments:
  self: {tensor: T}
  dim: {integer: {}, default: 0}
  index: {tensor: I}
  src: {tensor_or_scalar: T}
  reduce:
    choice: [none, add, mean]
    default: none
    rule: {says: one of the words, from: {document: doc, section: Parameters, promises_error: true}, broken: {error: ValueError, native: value}}
  keep: {boolean: {}, default: true}
  limit: {integer: {}, optional: true}
types:
  T: {dtypes: [i32, i64, f32, f64], says: one dtype, from: {document: doc, section: Parameters, promises_error: true},
      broken: {error: TypeError, native: dtype}}
  I: {dtypes: [i64], says: a long index, from: {document: doc, section: Parameters, promises_error: true}, broken: {error: any, native: dtype}}
let:
  axis: if dim < 0 then dim + rank(self) else dim
rules:
  - id: ranks
    says: self and index have equally many dimensions
    from: {document: doc, section: Shapes, promises_error: true}
    require: rank(self) == rank(index)
    unless: numel(index) == 0
    broken: {error: RuntimeError, native: rank}
  - id: dim-range
    says: dim is a dimension of self
    from: {document: doc, section: Parameters, promises_error: true}
    require: -rank(self) <= dim and dim < rank(self)
    broken: {error: IndexError, native: axis}
  - id: sizes
    says: index is nowhere larger than self off the axis
    from: {document: doc, section: Shapes, promises_error: true}
    require: "all d in dims(index) where d != axis: size(index, d) <= size(self, d)"
    unless: numel(index) == 0
    broken: {error: RuntimeError, native: shape}
  - id: fits-src
    says: index is nowhere larger than src
    from: {document: doc, section: Shapes, promises_error: true}
    require: "is_tensor(src) implies (rank(src) == rank(index) and (all d in dims(index): size(index, d) <= size(src, d)))"
    unless: numel(index) == 0
    broken: {error: RuntimeError, native: shape}
  - id: range
    says: indices are inside
    from: {document: doc, section: Parameters, promises_error: true}
    require: "all p in positions(shape(index)): 0 <= index[p] < size(self, dim)"
    broken:
      - {error: IndexError, native: index, since: "2.0", until: "3.0"}
      - {undefined: true, device: cuda}
      - {error: [IndexError, RuntimeError], native: index}
  - id: small
    says: early releases took no more than limit elements
    from: {document: post, section: History}
    require: given(limit) implies numel(index) <= limit
    until: "1.5"
    broken: open
  - id: unique
    says: no index twice
    from: {document: post, section: Rule 5}
    require: "unique p in positions(shape(index)): p with axis = index[p]"
    unless: reduce != "none" or not keep
    device: cuda
    broken: undefined
meaning:
  result: {shape: shape(self), dtype: self}
  start: self
  for: {p: shape(index)}
  write: "out[p with axis = index[p]] <- if is_tensor(src) then src[p] else src"
  combine: {by: reduce, none: assign, add: sum, mean: mean}
  start_counts: keep
  in_place: [self]
latitude: {collisions: last, integer_mean: floor, nan: propagate, accumulate: wider}
kernel:
  op: scatter_elements
  data: $self
  axis: $dim
  index: $index
  updates: $src
  combine: {by: reduce, none: assign, add: sum, mean: mean}
  include_start: $keep
)yaml";

/// A gather through a list of index tensors.
inline const std::string list_text = R"yaml(api: toy.put
summary: reads x where the index tensors say
documents: [{id: doc, title: toy, framework: torch}]
arguments:
  x: {tensor: any}
  indices: {tensors: I}
types:
  I: {dtypes: [i64], says: long, from: {document: doc, section: a}, broken: open}
rules:
  - {id: few, says: few, from: {document: doc, section: a}, require: count(indices) <= rank(x), broken: open}
meaning:
  result: {shape: common_shape(indices), dtype: x}
  for: {p: common_shape(indices)}
  write: "out[p] <- x[elements(p, indices)]"
  combine: assign
python: "toy.put({x}, {indices})"
)yaml";

/// Updates by rows, as ONNX ScatterND has them.
inline const std::string rows_text = R"yaml(api: toy.rows
summary: writes rows of updates
documents:
  - {id: doc, title: Rows, framework: onnx}
arguments:
  data: {tensor: any}
  indices: {tensor: I}
  updates: {tensor: any}
types:
  I: {dtypes: [i64], says: a long index, from: {document: doc, section: Inputs, promises_error: true}, broken: {error: any, native: dtype}}
let:
  k: size(indices, -1)
  q: shape(indices)[0:-1]
rules:
  - id: rank
    says: indices has a dimension
    from: {document: doc, section: Inputs, promises_error: true}
    require: rank(indices) >= 1
    broken: {error: any, native: rank}
  - id: depth
    says: index tuples are not deeper than data
    from: {document: doc, section: Inputs, promises_error: true}
    require: k <= rank(data)
    broken: {error: any, native: shape}
  - id: updates
    says: updates fit
    from: {document: doc, section: Inputs, promises_error: true}
    require: shape(updates) == q ++ shape(data)[k:]
    broken: {error: any, native: shape}
  - id: range
    says: inside
    from: {document: doc, section: Inputs, promises_error: true}
    require: "all p in positions(q): all j in range(0, k): -size(data, j) <= indices[p ++ (j,)] < size(data, j)"
    broken: {error: any, native: index}
meaning:
  result: {shape: shape(data), dtype: data}
  start: data
  for: {a: q, t: "shape(data)[k:]"}
  write: "out[wrap(tuple(indices[a]), shape(data)[0:k]) ++ t] <- updates[a ++ t]"
  combine: assign
latitude: {collisions: forbidden}
)yaml";

inline OpSpec load(const std::string& text) {
  auto spec = load_op_spec_text("toy.yaml", text);
  if (!spec) throw std::runtime_error(to_string(spec.errors()));
  return std::move(spec).value();
}

/// The text with one piece replaced; the piece must be there exactly once.
inline std::string with(std::string text, const std::string& piece, const std::string& other) {
  const std::size_t at = text.find(piece);
  if (at == std::string::npos || text.find(piece, at + 1) != std::string::npos)
    throw std::logic_error("not there exactly once: " + piece);
  return text.replace(at, piece.size(), other);
}

}  // namespace scatterproof::spec::testing
