// SPDX-License-Identifier: Apache-2.0
#include "place_vices.hpp"

#include <algorithm>

#include "changed_bag.hpp"

namespace scatterproof::spec::judging {
namespace {

using Kind = DiagnosisKind;

Diagnosis along(Kind kind, std::size_t dimension) {
  return {.kind = kind, .numbers = {static_cast<std::int64_t>(dimension)}};
}

}  // namespace

Suspicion written_one_off(const Suspect& s) {
  for (std::size_t d = 0; d < s.bag.shape.size(); ++d)
    for (const std::int64_t step : {-1, 1})
      for (const bool around : {false, true}) {
        const std::int64_t size = s.bag.shape[d];
        const Bag moved =
            with_targets(s.bag, [&](std::int64_t cell, const Contribution&) -> std::optional<std::int64_t> {
              Coords at = coords_of(cell, s.bag.shape);
              at[d] += step;
              if (around) at[d] = (at[d] + size) % size;
              if (at[d] < 0 || at[d] >= size) return std::nullopt;
              return index_of(at, s.bag.shape);
            });
        if (explains(moved, s)) return along(step > 0 ? Kind::written_too_far : Kind::written_too_early, d);
      }
  return std::nullopt;
}

Suspicion tail_left_out(const Suspect& s, bool shorter) {
  if (!s.bag.start || s.failing.empty()) return std::nullopt;
  const std::span<const Contribution> lost = cell_at(s.bag, s.failing.front()).contributions;
  if (lost.empty() || lost.front().origin.argument < 0 || lost.front().origin.coords < 0) return std::nullopt;
  const std::int32_t argument = lost.front().origin.argument;
  const auto& [name, shape] = s.bag.origins[static_cast<std::size_t>(argument)];
  struct Loop {
    std::int64_t elements, times;  ///< at once, and how often until all are done, or an axis is
  };
  const std::int64_t all = numel(shape), rows = shape.empty() ? 1 : shape.front();
  for (const auto& [elements, times] :
       {Loop{1, all}, Loop{all / rows, rows}, Loop{1, shape.empty() ? 1 : shape.back()}})
    for (std::int64_t block = 2; block <= 256; block *= 2) {
      const std::int64_t whole = times / block * block;
      if (whole == times || shorter != (whole == 0)) continue;
      const auto is_behind = [&](const Contribution& one) {
        return one.origin.argument == argument && one.origin.coords / elements % times >= whole;
      };
      const bool each_lost_some = std::ranges::all_of(s.failing, [&](std::int64_t cell) {
        return std::ranges::any_of(cell_at(s.bag, cell).contributions, is_behind);
      });
      if (!each_lost_some) continue;  // most are: a changed bag costs more
      const Bag left =
          with_targets(s.bag, [&](std::int64_t cell, const Contribution& one) -> std::optional<std::int64_t> {
            return is_behind(one) ? std::nullopt : std::optional(cell);
          });
      if (explains(left, s)) return Diagnosis{.kind = Kind::tail_left_out, .subject = as_subject(name)};
    }
  return std::nullopt;
}

Suspicion read_one_off(const Suspect& s) {
  if (s.bag.start) return std::nullopt;
  for (std::size_t d = 0; d < s.bag.shape.size(); ++d)
    for (const std::int64_t step : {-1, 1}) {
      std::size_t fitting = 0, compared = 0;
      for (std::size_t i = 0; i < s.actual.size() && fitting == compared; ++i) {
        Coords at = coords_of(static_cast<std::int64_t>(i), s.bag.shape);
        at[d] += step;
        if (at[d] < 0 || at[d] >= s.bag.shape[d]) continue;
        ++compared;
        if (allowed_in(cell_at(s.bag, index_of(at, s.bag.shape))).holds(s.actual[i])) ++fitting;
      }
      if (compared > 1 && fitting == compared)
        return along(step > 0 ? Kind::shifted_back : Kind::shifted_forward, d);
    }
  return std::nullopt;
}

Suspicion clamped(const Suspect& s) {
  if (!s.bag.start) return std::nullopt;
  std::vector<bool> missed(s.actual.size(), false);
  for (const std::int64_t index : s.failing) {
    const Cell cell = cell_at(s.bag, index);
    const auto i = static_cast<std::size_t>(index);
    missed[i] = cell.touched() && identical(cell.start(), s.actual[i]);
  }
  for (std::size_t d = 0; d < s.bag.shape.size(); ++d)
    for (const bool to_last : {false, true}) {
      const Bag moved =
          with_targets(s.bag, [&](std::int64_t cell, const Contribution&) -> std::optional<std::int64_t> {
            if (!missed[static_cast<std::size_t>(cell)]) return cell;
            Coords at = coords_of(cell, s.bag.shape);
            at[d] = to_last ? s.bag.shape[d] - 1 : 0;
            return index_of(at, s.bag.shape);
          });
      if (explains(moved, s)) return along(to_last ? Kind::clamped_to_last : Kind::clamped_to_first, d);
    }
  return std::nullopt;
}

Suspicion wrong_axis(const Suspect& s) {
  const std::size_t rank = s.bag.shape.size();
  for (std::size_t right = 0; right < rank; ++right)
    for (std::size_t wrong = 0; wrong < rank; ++wrong) {
      if (wrong == right) continue;
      bool along = !s.bag.list.empty();
      const Bag moved =
          with_targets(s.bag, [&](std::int64_t cell, const Contribution& one) -> std::optional<std::int64_t> {
            const auto argument = static_cast<std::size_t>(one.origin.argument);
            if (one.origin.argument < 0 || one.origin.coords < 0 ||
                s.bag.origins[argument].second.size() != rank) {
              along = false;
              return std::nullopt;
            }
            const Coords target = coords_of(cell, s.bag.shape);
            Coords source = coords_of(one.origin.coords, s.bag.origins[argument].second);
            for (std::size_t d = 0; d < rank; ++d) along &= d == right || source[d] == target[d];
            source[wrong] = target[right];
            for (std::size_t d = 0; d < rank; ++d)
              if (source[d] >= s.bag.shape[d]) return std::nullopt;
            return index_of(source, s.bag.shape);
          });
      if (along && explains(moved, s))
        return Diagnosis{.kind = Kind::other_dimension,
                         .numbers = {static_cast<std::int64_t>(wrong), static_cast<std::int64_t>(right)}};
    }
  return std::nullopt;
}

}  // namespace scatterproof::spec::judging
