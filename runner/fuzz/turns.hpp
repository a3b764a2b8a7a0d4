// SPDX-License-Identifier: Apache-2.0
// Which form of a page a call has. Forms take turns; those whose calls cannot be judged give most of theirs
// away.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "scatterproof/spec/opspec/op_spec.hpp"

namespace scatterproof::runner::fuzz {

/// Whether the document promises an error where this rule is broken, for some release or device.
bool promises_error(const spec::Rule& rule);

/// Of the forms of one page.
class Turns {
 public:
  /// `broken`: the rule that each form breaks, in the page's order; null: it obeys all. `few_unpromised`: few
  /// calls break a rule without a documented error; the others obey.
  Turns(const std::vector<const spec::Rule*>& broken, bool few_unpromised, std::uint64_t seed);

  /// The position of the form that has this turn. Precondition: there are forms. `tried`: the number of forms
  /// that yielded no call; calls that are to be few do not become more frequent because of it.
  std::size_t form(std::uint64_t turn, std::uint64_t tried = 0) const;
  /// Whether calls of the form at this place are to be few.
  bool few(std::size_t place) const { return rank_[place] != none; }

 private:
  static constexpr std::size_t none = ~std::size_t{0};

  std::uint64_t seed_;
  std::vector<std::size_t>
      rank_;  ///< by form: which it is of those that break such a rule; none: it does not
  std::vector<std::size_t> valid_;  ///< the forms that obey
  std::uint64_t unpromised_ = 0;    ///< how many break such a rule
};

}  // namespace scatterproof::runner::fuzz
