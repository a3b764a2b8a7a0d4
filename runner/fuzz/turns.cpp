// SPDX-License-Identifier: Apache-2.0
#include "turns.hpp"

#include <algorithm>

#include "scatterproof/spec/core/random.hpp"

namespace scatterproof::runner::fuzz {
namespace {

constexpr std::uint64_t one_unpromised_in = 10;  // calls, at most

}  // namespace

bool promises_error(const spec::Rule& rule) {
  return std::ranges::any_of(
      rule.broken, [](const spec::Promise& promise) { return promise.kind == spec::Promise::Kind::error; });
}

Turns::Turns(const std::vector<const spec::Rule*>& broken, bool few_unpromised, std::uint64_t seed)
    : seed_(seed), rank_(broken.size(), none) {
  if (!few_unpromised) return;
  for (std::size_t i = 0; i < broken.size(); ++i)
    if (!broken[i])
      valid_.push_back(i);
    else if (!promises_error(*broken[i]))
      rank_[i] = unpromised_++;
}

/// Such a form uses those of its turns at which the sum of its shares reaches the next whole number. Each
/// form begins at another point of that sum, so that they do not have theirs in the same rounds. So every
/// form of a page is used, though seldom: the set of rules and ranks that are seen stays the same.
std::size_t Turns::form(std::uint64_t turn, std::uint64_t tried) const {
  turn += tried;
  const std::uint64_t forms = rank_.size();
  const auto at = static_cast<std::size_t>(turn % forms);
  if (!few(at) || valid_.empty()) return at;
  const std::uint64_t per = one_unpromised_in * unpromised_, step = turn / forms + rank_[at];
  const bool has_it = per <= forms || (step + 1) * forms / per != step * forms / per;
  if (tried == 0 && has_it) return at;
  return valid_[static_cast<std::size_t>(
      spec::below(spec::random(seed_, turn), static_cast<std::int64_t>(valid_.size())))];
}

}  // namespace scatterproof::runner::fuzz
