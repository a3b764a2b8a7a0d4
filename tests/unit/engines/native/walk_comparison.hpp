// SPDX-License-Identifier: Apache-2.0
// A plain loop over a walk, and the comparison of a WalkFunction with it or with the reference.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "scatterproof/engines/native/arithmetic.hpp"
#include "scatterproof/engines/native/native.hpp"
#include "scatterproof/engines/reference/reference.hpp"

namespace scatterproof::engines::test {

namespace plain_walk {

/// One position of a walk as the header defines it, word for word.
struct Place {
  bool in_range = true;
  std::int64_t table = 0;
  std::int64_t stream = 0;
};
inline Place place_at(const Walk& walk, const std::int64_t* at) {
  Place place;
  std::int64_t index = 0;
  for (int d = 0; d < walk.rank; ++d) {
    index += at[d] * walk.index_stride[d];
    place.table += at[d] * walk.table_stride[d];
    place.stream += at[d] * walk.stream_stride[d];
  }
  for (int j = 0; j < walk.depth; ++j) {
    const std::int64_t i = visit_dtype(walk.index_dtype, [&]<class T>(std::type_identity<T>) -> std::int64_t {
      if constexpr (!std::is_integral_v<T>)
        return 0;
      else {
        T value;
        std::memcpy(&value, walk.index + (index + j * walk.index_step) * static_cast<std::int64_t>(sizeof(T)),
                    sizeof(T));
        return value;
      }
    });
    const std::int64_t size = walk.size[j];
    if (i >= size || i < (walk.wrap_negative ? -size : 0)) return {false, 0, 0};
    place.table += (i < 0 ? i + size : i) * walk.step[j];
  }
  return place;
}

template <class Visit>
bool each_position(const Walk& walk, Visit&& visit) {
  std::int64_t at[max_walk_rank] = {};
  for (std::int64_t p = 0; p < walk.count; ++p) {
    if (!visit(place_at(walk, at))) return false;
    for (int d = walk.rank - 1; d >= 0; --d) {
      if (++at[d] < walk.shape[d]) break;
      at[d] = 0;
    }
  }
  return true;
}

template <spec::Combiner combiner, class T>
void scatter_plainly(const Walk& walk, T* out) {
  const auto* updates = reinterpret_cast<const T*>(walk.stream);
  constexpr bool adds = combiner == spec::Combiner::sum || combiner == spec::Combiner::mean;
  std::vector<std::int64_t> received(static_cast<std::size_t>(walk.result_numel), 0);
  each_position(walk, [&](const Place& place) {
    T& cell = out[place.table];
    const T value = updates[place.stream];
    if (received[static_cast<std::size_t>(place.table)]++ == 0 && !walk.include_start &&
        combiner != spec::Combiner::assign)
      cell = adds ? combine<combiner>(identity<combiner, T>(), value) : value;
    else
      cell = combine<combiner>(cell, value);
    return true;
  });
  if constexpr (combiner == spec::Combiner::mean)
    for (std::size_t c = 0; c < received.size(); ++c)
      if (received[c] > 0)
        out[c] = divided(out[c], received[c] + walk.include_start,
                         walk.integer_mean == spec::IntegerMean::truncate);
}

}  // namespace plain_walk

/// A WalkFunction: one loop in the documents' order, with the arithmetic of the fast kernels.
inline bool run_plainly(const Walk& walk, std::byte* result, const KernelSettings&) {
  using plain_walk::Place;
  if (!plain_walk::each_position(walk, [](const Place& place) { return place.in_range; })) return false;
  visit_dtype(walk.dtype, [&]<class T>(std::type_identity<T>) {
    T* out = reinterpret_cast<T*>(result);
    if (!walk.scatter) {
      const auto* data = reinterpret_cast<const T*>(walk.table);
      plain_walk::each_position(walk, [&](const Place& place) {
        out[place.stream] = data[place.table];
        return true;
      });
      return;
    }
    visit_combiner(walk.combine, [&]<spec::Combiner c>(std::integral_constant<spec::Combiner, c>) {
      if constexpr (combines<c, T>) plain_walk::scatter_plainly<c>(walk, out);
    });
  });
  return true;
}

/// What the function makes of the call: Produced, or Refused as the engine around it would. Bytes around the
/// result that changed, or a result that changed although the function refused, make it Garbled.
inline spec::Outcome walked(const KernelCall& call, WalkFunction execute, const KernelSettings& settings) {
  Walk walk;
  if (auto refusal = make_walk(call, walk)) return *std::move(refusal);
  if (walk.count == 0)
    if (auto refusal = refuse_index(call, walk)) return *std::move(refusal);
  spec::Tensor result = make_result(call, walk);
  if (walk.count == 0) return {spec::Produced{{std::move(result)}, {}}, 0};
  constexpr std::size_t guard = 64;
  auto& storage = result.storage();
  std::vector<std::byte> around(storage.size() + 2 * guard, std::byte{0xa5});
  std::copy(storage.begin(), storage.end(), around.begin() + guard);
  const bool done = execute(walk, around.data() + guard, settings);
  const bool guarded =
      std::all_of(around.begin(), around.begin() + guard, [](std::byte b) { return b == std::byte{0xa5}; }) &&
      std::all_of(around.end() - guard, around.end(), [](std::byte b) { return b == std::byte{0xa5}; });
  if (!guarded) return {spec::Garbled{"written outside the result", {}}, 0};
  if (!done && !std::equal(storage.begin(), storage.end(), around.begin() + guard))
    return {spec::Garbled{"refused, but written", {}}, 0};
  if (!done) {
    auto refusal = refuse_index(call, walk);
    return refusal ? *std::move(refusal) : spec::Outcome{spec::Garbled{"refused without a reason", {}}, 0};
  }
  std::copy_n(around.begin() + guard, storage.size(), storage.begin());
  return {spec::Produced{{std::move(result)}, {}}, 0};
}

/// Empty when both produced the same bits (all NaNs are one) or refused with the same kind; else what
/// differs. `zeros_alike`: +0 and -0 are one as well.
inline std::string difference(const spec::Outcome& got, const spec::Outcome& expected,
                              bool zeros_alike = false) {
  const std::string words = "got " + spec::to_string(got) + "\nexpected " + spec::to_string(expected);
  const auto* a = std::get_if<spec::Produced>(&got.what);
  const auto* b = std::get_if<spec::Produced>(&expected.what);
  if (!a || !b) {
    const auto* no = std::get_if<spec::Refused>(&got.what);
    const auto* due = std::get_if<spec::Refused>(&expected.what);
    return no && due && no->error_classes == due->error_classes ? "" : words;
  }
  if (spec::identical(a->tensors.at(0), b->tensors.at(0))) return {};
  if (!zeros_alike || a->tensors[0].shape() != b->tensors[0].shape()) return words;
  const auto unsigned_zero = [](const spec::Scalar& s) {
    return s.kind() == spec::Scalar::Kind::complex ? spec::Scalar::of_complex(s.real() + 0.0, s.imag() + 0.0)
           : s.kind() == spec::Scalar::Kind::real  ? spec::Scalar::of_real(s.real() + 0.0)
                                                   : s;
  };
  const auto x = a->tensors[0].values();
  const auto y = b->tensors[0].values();
  for (std::size_t i = 0; i < x.size(); ++i)
    if (!spec::identical(unsigned_zero(x[i]), unsigned_zero(y[i]))) return words;
  return {};
}

}  // namespace scatterproof::engines::test
