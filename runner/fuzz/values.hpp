// SPDX-License-Identifier: Apache-2.0
// Values for a form: index places, data, layouts.
#pragma once

#include "generator.hpp"
#include "scatterproof/spec/core/random.hpp"
#include "scatterproof/spec/judge/bag.hpp"
#include "scatterproof/spec/solve/solve.hpp"

namespace scatterproof::runner::fuzz {

/// A form with what need be asked once only.
struct Mould {
  spec::Form form;
  bool products = false;  ///< its values are multiplied: lattices must stay near powers of two
};

/// A call of this form. Nothing when its values could not be made to stand on the form's side of the rules.
std::optional<Generated> cast(const spec::OpSpec& spec, const Mould& mould, spec::Dice& dice);

}  // namespace scatterproof::runner::fuzz
