// SPDX-License-Identifier: Apache-2.0
#include "terms.hpp"

namespace scatterproof::spec::solve {
namespace {

/// For two operands; at least one is the solver's.
template <class A, class B>
z3::context& shared(const A& a, const B& b) {
  return a.context() ? *a.context() : *b.context();
}

template <class Overflows, class Known, class Term>
Integer arithmetic(const Integer& a, const Integer& b, Overflows overflows, Known known, Term term) {
  if (a.known() && b.known()) {
    if (overflows(*a.known(), *b.known())) throw NotSolvable("a number beyond 64 bits");
    return known(*a.known(), *b.known());
  }
  z3::context& context = shared(a, b);
  return Integer(term(a.in(context), b.in(context)));
}

}  // namespace

z3::expr Integer::in(z3::context& context) const { return term_ ? *term_ : context.int_val(*known_); }
z3::expr SymbolicTruth::in(z3::context& context) const { return term_ ? *term_ : context.bool_val(*known_); }

Integer operator+(const Integer& a, const Integer& b) {
  if (a.known() == 0) return b;
  if (b.known() == 0) return a;
  std::int64_t result = 0;
  return arithmetic(
      a, b, [&](auto x, auto y) { return __builtin_add_overflow(x, y, &result); },
      [&](auto, auto) { return result; }, [](const auto& x, const auto& y) { return x + y; });
}

Integer operator-(const Integer& a, const Integer& b) {
  if (b.known() == 0) return a;
  std::int64_t result = 0;
  return arithmetic(
      a, b, [&](auto x, auto y) { return __builtin_sub_overflow(x, y, &result); },
      [&](auto, auto) { return result; }, [](const auto& x, const auto& y) { return x - y; });
}

Integer operator*(const Integer& a, const Integer& b) {
  if (!a.known() && !b.known()) throw NotSolvable("a product of two unknowns");  // non-linear: slow by orders
  std::int64_t result = 0;
  return arithmetic(
      a, b, [&](auto x, auto y) { return __builtin_mul_overflow(x, y, &result); },
      [&](auto, auto) { return result; }, [](const auto& x, const auto& y) { return x * y; });
}

SymbolicTruth operator==(const Integer& a, const Integer& b) {
  if (a.known() && b.known()) return *a.known() == *b.known();
  z3::context& context = shared(a, b);
  const z3::expr left = a.in(context), right = b.in(context);
  if (z3::eq(left, right)) return true;
  return SymbolicTruth(left == right);
}

SymbolicTruth operator<(const Integer& a, const Integer& b) {
  if (a.known() && b.known()) return *a.known() < *b.known();
  z3::context& context = shared(a, b);
  const z3::expr left = a.in(context), right = b.in(context);
  if (z3::eq(left, right)) return false;
  return SymbolicTruth(left < right);
}

SymbolicTruth operator<=(const Integer& a, const Integer& b) { return !(b < a); }

SymbolicTruth operator!(const SymbolicTruth& a) {
  if (a.known()) return !*a.known();
  return SymbolicTruth(!a.in(*a.context()));
}

SymbolicTruth operator&&(const SymbolicTruth& a, const SymbolicTruth& b) {
  if (a.known()) return *a.known() ? b : a;
  if (b.known()) return *b.known() ? a : b;
  return SymbolicTruth(a.in(*a.context()) && b.in(*b.context()));
}

SymbolicTruth operator||(const SymbolicTruth& a, const SymbolicTruth& b) { return !(!a && !b); }

SymbolicTruth same(const SymbolicTruth& a, const SymbolicTruth& b) { return choose(a, b, !b); }

Integer choose(const SymbolicTruth& condition, const Integer& yes, const Integer& no) {
  if (condition.known()) return *condition.known() ? yes : no;
  if (yes.known() && yes.known() == no.known()) return yes;
  z3::context& context = *condition.context();
  return Integer(z3::ite(condition.in(context), yes.in(context), no.in(context)));
}

SymbolicTruth choose(const SymbolicTruth& condition, const SymbolicTruth& yes, const SymbolicTruth& no) {
  return (!condition || yes) && (condition || no);
}

}  // namespace scatterproof::spec::solve
