// SPDX-License-Identifier: Apache-2.0
// Benchmark configurations ("rows") as spec/data/benchmarks/*.yaml describes them (docs/use/bench.md): calls
// whose tensors are not filled yet.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "scatterproof/spec/core/call.hpp"
#include "scatterproof/spec/core/error.hpp"
#include "scatterproof/spec/opspec/op_spec.hpp"

namespace scatterproof::runner::bench {

/// Offsets that are used again and again, each time `delta` further on (Spatter's way of describing an
/// index).
struct AccessPattern {
  std::vector<std::int64_t> offsets;  ///< not empty, none negative
  std::int64_t delta = 0;
};

/// Where a tensor's values come from.
struct Fill {
  enum class Kind : std::uint8_t {
    lattice,  ///< small integers whose sums are exact in every order (comparison mode lattice)
    uniform,
    sorted,         ///< uniform, then sorted
    block,          ///< runs of 64 neighbours, each begun anywhere
    runs,           ///< runs of 64 equal numbers, each anywhere
    permutation,    ///< no number twice
    all_duplicate,  ///< one number
    hot,            ///< uniform among 16 numbers
    zipf,           ///< the r-th most frequent number has weight r^-exponent; a bijection chooses which it is
    kronecker,      ///< in-degrees of a Kronecker graph, A, B, C = .57, .19, .19
    repeated_rows,  ///< uniform along dimension 0, the same along all others
    pattern
  };
  Kind kind = Kind::lattice;
  std::string name;     ///< the distribution, as in ids and reports
  double exponent = 0;  ///< of zipf
  AccessPattern pattern;
};

/// A number of elements, known or to be derived from an index.
struct Size {
  std::int64_t count = 0;
  std::string reach;  ///< not empty: one more than the largest value of this index tensor
};

/// A tensor to be made. Its shape shrinks with the scale of the row.
struct TensorPlan {
  std::string name;
  spec::DType dtype = spec::DType::f32;
  std::vector<Size> shape;
  Fill fill;
  std::string into;  ///< of an index: the tensor whose sizes bound it; empty where the fill needs no bound
  std::size_t dim = 0;
  bool tuples = false;  ///< the last dimension holds one number for each of the first dimensions of `into`
  bool transposed = false;  ///< stored in the reverse order of dimensions
  std::string expand;       ///< not empty: a view of this one-dimensional tensor, of stride 0 but along `dim`
};

struct ArgumentPlan {
  std::string name;
  std::string tensor = {};    ///< empty: `value`
  spec::Argument value = {};  ///< never a tensor
};

struct CallPlan {
  std::string api;
  std::vector<ArgumentPlan> arguments = {};
  bool in_place = true;  ///< whether a scatter overwrites its table; true of every gather
};

struct BenchmarkRow {
  std::string id;  ///< `B1/gather/f32/i64/uniform/256MiB/16Mi`
  std::string benchmark;
  std::string operation;
  std::string distribution;
  std::vector<TensorPlan> tensors;
  CallPlan call;                ///< of an API whose spec names a kernel
  std::vector<CallPlan> peers;  ///< other calls for the same purpose; some of APIs that are only timed
  std::string file;
  spec::Position at;
  bool gradient = false;  ///< what is timed is the gradient of `call` by what is gathered or added

  bool is_gather() const { return operation == "gather"; }
};

/// No limit on sizes.
inline constexpr std::int64_t whole = std::numeric_limits<std::int64_t>::max();

/// The shapes of the row's tensors, in order, with every size above `largest` reduced to it: equal sizes stay
/// equal and smaller ones stay smaller, so shapes that fit each other still do. Empty when one tensor has too
/// many elements.
std::vector<spec::Shape> shapes(const BenchmarkRow& row, std::int64_t largest = whole);

/// The rows of a file, or those of --quick. Every error of the file is reported at once.
spec::Result<std::vector<BenchmarkRow>> load_rows(const std::string& path, const spec::SpecLibrary& specs,
                                                  bool quick);
spec::Result<std::vector<BenchmarkRow>> load_rows_text(std::string file_name, std::string text,
                                                       const spec::SpecLibrary& specs, bool quick);

/// Every *.yaml of a folder, ordered by name; two rows with the same id are an error.
spec::Result<std::vector<BenchmarkRow>> load_row_folder(const std::string& folder,
                                                        const spec::SpecLibrary& specs, bool quick);

}  // namespace scatterproof::runner::bench
