// SPDX-License-Identifier: Apache-2.0
// Integers and truths that are known values or terms of the solver. Known values are folded, so most of a
// rule is decided before the solver sees it.
#pragma once

#include <z3++.h>

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

namespace scatterproof::spec::solve {

/// Raised for what the solver cannot express (an element of a data tensor, a division). The caller drops such
/// a condition, and checks the calls it finds by evaluation.
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

class SymbolicTruth {
 public:
  SymbolicTruth(bool value) : known_(value) {}  // NOLINT: so are truths
  explicit SymbolicTruth(z3::expr term) : term_(std::move(term)) {}
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
SymbolicTruth operator==(const Integer& a, const Integer& b);
SymbolicTruth operator<(const Integer& a, const Integer& b);
SymbolicTruth operator<=(const Integer& a, const Integer& b);

SymbolicTruth operator!(const SymbolicTruth& a);
SymbolicTruth operator&&(const SymbolicTruth& a, const SymbolicTruth& b);
SymbolicTruth operator||(const SymbolicTruth& a, const SymbolicTruth& b);
SymbolicTruth same(const SymbolicTruth& a, const SymbolicTruth& b);

Integer choose(const SymbolicTruth& condition, const Integer& yes, const Integer& no);
SymbolicTruth choose(const SymbolicTruth& condition, const SymbolicTruth& yes, const SymbolicTruth& no);

}  // namespace scatterproof::spec::solve
