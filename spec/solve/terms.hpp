// SPDX-License-Identifier: Apache-2.0
// Integers and truths that are known or a solver's. What is known stays known: most of a rule is settled
// before the solver sees it.
#pragma once

#include <z3++.h>

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

namespace scatterproof::spec::solve {

/// Raised for what this reader cannot put to the solver (an element of a data tensor, a division). The caller
/// takes such a condition as free, and checks the calls it finds by evaluation.
class NotSolvable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Integer {
 public:
  Integer(std::int64_t value) : known_(value) {}  // NOLINT: numbers are integers
  explicit Integer(z3::expr term) : term_(std::move(term)) {}
  std::optional<std::int64_t> known() const { return known_; }
  z3::expr in(z3::context& context) const;
  z3::context* context() const { return term_ ? &term_->ctx() : nullptr; }

 private:
  std::optional<std::int64_t> known_;
  std::optional<z3::expr> term_;
};

class Truth {
 public:
  Truth(bool value) : known_(value) {}  // NOLINT: so are truths
  explicit Truth(z3::expr term) : term_(std::move(term)) {}
  std::optional<bool> known() const { return known_; }
  z3::expr in(z3::context& context) const;
  z3::context* context() const { return term_ ? &term_->ctx() : nullptr; }

 private:
  std::optional<bool> known_;
  std::optional<z3::expr> term_;
};

Integer operator+(const Integer& a, const Integer& b);
Integer operator-(const Integer& a, const Integer& b);
Integer operator*(const Integer& a, const Integer& b);
Truth operator==(const Integer& a, const Integer& b);
Truth operator<(const Integer& a, const Integer& b);
Truth operator<=(const Integer& a, const Integer& b);

Truth operator!(const Truth& a);
Truth operator&&(const Truth& a, const Truth& b);
Truth operator||(const Truth& a, const Truth& b);
Truth same(const Truth& a, const Truth& b);

Integer choose(const Truth& condition, const Integer& yes, const Integer& no);
Truth choose(const Truth& condition, const Truth& yes, const Truth& no);

}  // namespace scatterproof::spec::solve
