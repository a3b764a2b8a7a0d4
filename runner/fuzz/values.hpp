// SPDX-License-Identifier: Apache-2.0
// Values for a form: index places, data, layouts.
#pragma once

#include "scatterproof/runner/fuzz/generated.hpp"
#include "scatterproof/spec/core/random.hpp"
#include "scatterproof/spec/judge/bag.hpp"
#include "scatterproof/spec/solve/solve.hpp"

namespace scatterproof::runner::fuzz {

/// A form with facts that are computed once.
struct CallTemplate {
  spec::CallForm form;
  bool products = false;      ///< its values are multiplied: lattices must stay near powers of two
  bool gradients = false;     ///< are judged: values shall tie, and factors be zero
  bool checks_data = false;   ///< some rule is about values of its data
  bool checks_index = false;  ///< some rule compares elements of an index with each other
  bool may_break = false;     ///< a call that obeys may be made to break a rule by a mask
};

/// A call of this form. Empty when no values were found that obey or break the rules as the form requires.
/// `from_front`: index values do not count from the end if there is another choice. `form_dice` draws what an
/// engine may take for a part of the form: layouts, shared memory and bare numbers. It may be the same dice.
std::optional<GeneratedCall> instantiate(const spec::OpSpec& spec, const CallTemplate& call_template,
                                         bool from_front, spec::Dice& dice, spec::Dice& form_dice);

}  // namespace scatterproof::runner::fuzz
