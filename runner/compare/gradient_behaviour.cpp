// SPDX-License-Identifier: Apache-2.0
#include "gradient_behaviour.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "scatterproof/spec/gradient/judge_gradient.hpp"

namespace scatterproof::runner::compare {
namespace {

using spec::Combiner;
using spec::Dependence;
using spec::GradientChoice;
using Class = GradientClass;

/// In how many cells an element lands, and as what; mixed: no class.
struct Landing {
  int cells = 0;
  bool mixed = false;
  Class as = Class::nowhere;

  void add(Class landed) {
    mixed = mixed || (cells > 0 && as != landed);
    ++cells;
    as = landed;
  }
  std::optional<Class> one_class() const {
    if (mixed) return {};
    return cells > 1 && as == Class::plain ? Class::several : as;
  }
};

class Landings {
 public:
  explicit Landings(const spec::Dependences& of) : of_(of) {
    for (const spec::Shape& shape : of.shapes)
      all_.emplace_back(static_cast<std::size_t>(spec::numel(shape)));
    for (std::size_t c = 0; c + 1 < of.bag.offsets.size(); ++c) add_cell(c);
  }

  std::optional<Class> of(std::size_t argument, std::size_t element) const {
    return all_[argument][element].one_class();
  }

 private:
  void add(const Dependence& on, Class landed) {
    if (on.argument >= 0)
      all_[static_cast<std::size_t>(on.argument)][static_cast<std::size_t>(on.element)].add(landed);
  }

  void add_cell(std::size_t c) {
    const spec::Bag& bag = of_.bag;
    const auto first = static_cast<std::size_t>(bag.offsets[c]),
               last = static_cast<std::size_t>(bag.offsets[c + 1]);
    const bool counts = bag.start && bag.start_counts && bag.combine != Combiner::assign;
    const Class landed = class_of_values(c, counts);
    for (std::size_t i = first; i < last; ++i) add(of_.contributions[i], landed);
    if (!bag.start) return;
    add(of_.starts[c], first == last                     ? Class::unreached
                       : bag.combine == Combiner::assign ? Class::overwritten
                       : counts                          ? landed
                                                         : Class::left_out);
  }

  Class class_of_values(std::size_t c, bool counts) const {
    const spec::Bag& bag = of_.bag;
    if (bag.combine == Combiner::mean) return Class::mean;
    if (bag.combine != Combiner::prod) return Class::plain;
    bool zero = counts && (*bag.start)[c].real() == 0;
    for (auto i = bag.offsets[c]; i < bag.offsets[c + 1]; ++i)
      zero = zero || bag.list[static_cast<std::size_t>(i)].value.real() == 0;
    return zero ? Class::zero : Class::plain;
  }

  const spec::Dependences& of_;
  std::vector<std::vector<Landing>> all_;
};

class Behaviours {
 public:
  Behaviours(const spec::Dependences& of, const spec::ExpectedGradients& expected,
             std::span<const spec::GradientAnswer> answers)
      : of_(of), expected_(expected), answers_(answers), landings_(of) {
    for (std::size_t a = 0; a < answers.size(); ++a) {
      const auto* tensor = std::get_if<spec::Tensor>(&answers[a]);
      const std::size_t elements = expected.elements[a].size();
      got_.push_back(tensor && tensor->shape() == expected.shapes[a] ? tensor->values()
                                                                     : std::vector<spec::Scalar>(elements));
    }
  }

  std::vector<GradientBehaviour> run() {
    for (std::size_t a = 0; a < answers_.size(); ++a)
      for (std::size_t e = 0; e < expected_.elements[a].size(); ++e) look_at_element(a, e);
    for (const GradientChoice& choice : expected_.choices) look_at_choice(choice);
    return std::move(found_);
  }

 private:
  void add(Class of, std::string_view does, std::string_view letter, std::size_t argument) {
    const GradientBehaviour one{of, does, letter, argument};
    if (std::ranges::find(found_, one) == found_.end()) found_.push_back(one);
  }

  bool refused(std::size_t a) const { return std::holds_alternative<spec::Refused>(answers_[a]); }

  void look_at_element(std::size_t a, std::size_t e) {
    const spec::ElementGradient& element = expected_.elements[a][e];
    const auto of = landings_.of(a, e);
    if (!of || element.open || !element.choices.empty()) return;
    if (refused(a)) return add(*of, "refuses", "R", a);
    const double got = got_[a][e].real();
    const spec::Interval allowed = spec::without_choices(expected_, a, element);
    if (std::isinf(allowed.bound)) return;
    if (std::abs(got - allowed.value) <= allowed.bound) return add(*of, "as mathematics says", "=", a);
    if (std::isnan(got)) return add(*of, "NaN", "N", a);
    if (got == 0) return add(*of, "0", "0", a);
    add(*of, "another value", "?", a);
  }

  /// Choices whose members have nothing else show how the cotangent was shared.
  void look_at_choice(const GradientChoice& choice) {
    if (choice.constants || choice.members.size() < 2) return;
    std::vector<double> shares;
    for (const GradientChoice::Member& member : choice.members) {
      const auto e = static_cast<std::size_t>(member.element);
      const spec::ElementGradient& element = expected_.elements[member.argument][e];
      if (element.open || element.choices.size() > 1 || !element.terms.empty() || member.times > 1) return;
      if (refused(member.argument)) return add(class_of(choice), "refuses", "R", member.argument);
      shares.push_back(got_[member.argument][e].real() / (choice.cotangent * member.coefficient));
    }
    const auto [does, letter] = name_of(shares, choice);
    add(class_of(choice), does, letter, choice.members.front().argument);
  }

  bool is_start(const GradientChoice& choice, const GradientChoice::Member& member) const {
    if (of_.starts.empty()) return false;
    const Dependence& start = of_.starts[static_cast<std::size_t>(choice.cell)];
    return start.argument == static_cast<std::int32_t>(member.argument) && start.element == member.element;
  }

  Class class_of(const GradientChoice& choice) const {
    if (choice.kind == GradientChoice::Kind::one) return Class::colliding;
    return std::ranges::any_of(choice.members, [&](const auto& one) { return is_start(choice, one); })
               ? Class::tie_with_start
               : Class::tie;
  }

  std::pair<std::string_view, std::string_view> name_of(const std::vector<double>& shares,
                                                        const GradientChoice& choice) const {
    const double least = std::ldexp(1.0, 3 - spec::float_format(expected_.dtype).precision);
    const auto is = [least](double share, double expected) { return std::abs(share - expected) <= least; };
    const auto all = [&](double expected) {
      return std::ranges::all_of(shares, [&](double share) { return is(share, expected); });
    };
    const auto alone = [&](std::size_t winner) {
      for (std::size_t k = 0; k < shares.size(); ++k)
        if (!is(shares[k], k == winner ? 1 : 0)) return false;
      return true;
    };
    if (all(1)) return {"each gets all", "A"};
    if (all(0)) return {"none gets any", "0"};
    if (all(1 / static_cast<double>(shares.size()))) return {"shared evenly", "E"};
    for (std::size_t k = 0; k < shares.size(); ++k)
      if (alone(k) && is_start(choice, choice.members[k])) return {"the start gets all", "S"};
    if (alone(shares.size() - 1)) return {"the last gets all", "L"};
    if (alone(0)) return {"the first gets all", "F"};
    for (std::size_t k = 1; k + 1 < shares.size(); ++k)
      if (alone(k)) return {"another one gets all", "1"};
    double sum = 0;
    for (const double share : shares) sum += share;
    if (is(sum, 1)) return {"shared unevenly", "U"};
    return {"the shares are not the whole", "?"};
  }

  const spec::Dependences& of_;
  const spec::ExpectedGradients& expected_;
  std::span<const spec::GradientAnswer> answers_;
  Landings landings_;
  std::vector<std::vector<spec::Scalar>> got_;
  std::vector<GradientBehaviour> found_;
};

}  // namespace

std::vector<GradientBehaviour> gradient_behaviours(const spec::Dependences& of,
                                                   const spec::ExpectedGradients& expected,
                                                   std::span<const spec::GradientAnswer> answers) {
  return Behaviours(of, expected, answers).run();
}

}  // namespace scatterproof::runner::compare
