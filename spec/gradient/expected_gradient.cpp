// SPDX-License-Identifier: Apache-2.0
// The derivative of a cell by each value that lands in it: by exclusion, never by division.
#include "scatterproof/spec/gradient/expected_gradient.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <span>
#include <utility>

#include "mistakes.hpp"
#include "rounded_sum.hpp"

namespace scatterproof::spec {
namespace {

/// One of the values that meet in a cell.
struct Participant {
  double value = 0;
  const Dependence* dependence = nullptr;
};

/// How long a finite number's significand is: its odd factor; 0 of 0.
double odd_part(double number) { return number == 0 ? 0 : static_cast<double>(odd_times_power(number).odd); }

/// Of some factors: the product, and of what makes it large, and small.
struct Product {
  double value = 1, largest = 1, smallest = 1;

  Product operator*(const Product& other) const {
    return {value * other.value, largest * other.largest, smallest * other.smallest};
  }
  /// Whether every product of some of the factors lies in the range of the dtype.
  bool fits(DType dtype) const {
    const FloatFormat format = float_format(dtype);
    return largest < std::ldexp(1.0, format.max_exponent) && smallest >= std::ldexp(1.0, format.min_exponent);
  }
};

Product product_of(double factor) {
  return {factor, std::max(1.0, std::abs(factor)), factor == 0 ? 1 : std::min(1.0, std::abs(factor))};
}

/// Whether every product of some of the factors is a number of the dtype, as far as its precision goes.
bool products_are_exact(std::span<const double> factors, DType dtype) {
  double longest = 1;
  for (const double factor : factors)
    if (factor != 0) longest *= odd_part(factor);
  return longest <= std::ldexp(1.0, float_format(dtype).precision);
}

/// How many values a mistake takes `count` values for.
double counted(Mistake mistake, std::size_t count) {
  const auto exact = static_cast<double>(count);
  if (mistake == Mistake::counted_in_u8) return static_cast<double>(count % 256);
  if (mistake == Mistake::counted_in_f16) return std::min(exact, 2048.0);  // 2048 + 1 is 2048 there
  if (mistake == Mistake::counted_in_bf16) return std::min(exact, 256.0);
  return exact;
}

class Derivation {
 public:
  Derivation(const Dependences& of, const Tensor& cotangent, Mistake mistake)
      : of_(of), bag_(of.bag), cotangent_(cotangent.values()), mistake_(mistake) {
    made_ = {.dtype = bag_.dtype,
             .shape = bag_.shape,
             .arguments = of.arguments,
             .shapes = of.shapes,
             .dtypes = of.dtypes};
    for (const Shape& shape : of.shapes) made_.elements.emplace_back(static_cast<std::size_t>(numel(shape)));
  }

  ExpectedGradients run() {
    for (cell_ = 0; cell_ + 1 < bag_.offsets.size(); ++cell_) {
      g_ = cotangent_[cell_].real();
      take_part();
      derive();
    }
    return std::move(made_);
  }

 private:
  /// Collects the contributions to the cell.
  void take_part() {
    written_.clear();
    for (auto i = static_cast<std::size_t>(bag_.offsets[cell_]);
         i < static_cast<std::size_t>(bag_.offsets[cell_ + 1]); ++i)
      written_.push_back({bag_.list[i].value.real(), &of_.contributions[i]});
    start_ = bag_.start ? Participant{(*bag_.start)[cell_].real(), &of_.starts[cell_]} : Participant{};
  }

  bool start_takes_part() const {
    return bag_.start &&
           (bag_.start_counts || mistake_ == Mistake::start_counts || mistake_ == Mistake::start_takes_share);
  }

  void derive() {
    if (written_.empty()) return add(start_, g_, 0);
    if (mistake_ == Mistake::start_is_kept) add(start_, g_, 0);
    if (bag_.combine == Combiner::assign) return survive();
    if (start_takes_part()) written_.push_back(start_);
    switch (bag_.combine) {
      case Combiner::sum:
        for (const Participant& one : written_) add(one, g_, 0);
        return;
      case Combiner::mean:
      case Combiner::sum_over_root:
        return share_evenly();
      case Combiner::prod:
        return multiply_others();
      case Combiner::amax:
      case Combiner::amin:
        return find_extreme();
      case Combiner::quotient:
        return divide();
      case Combiner::bit_and:
      case Combiner::bit_or:
      case Combiner::bit_xor:  // of integers
      case Combiner::assign:   // above
        break;
    }
  }

  void add(const Participant& to, double value, int roundings) {
    if (!to.dependence || to.dependence->argument < 0) return;
    if (mistake_ == Mistake::start_takes_share && !bag_.start_counts && to.dependence == start_.dependence)
      return;
    const double coefficient = to.dependence->coefficient;
    if (std::abs(coefficient) != 1) roundings += 2;  // the coefficient in the dtype, and the product with it
    element_of(to).terms.push_back({static_cast<std::int64_t>(cell_), value * coefficient, roundings});
  }

  ElementGradient& element_of(const Participant& one) {
    return made_.elements[static_cast<std::size_t>(one.dependence->argument)]
                         [static_cast<std::size_t>(one.dependence->element)];
  }

  void leave_open() {
    for (const Participant& one : written_) leave_open(one);
  }

  void leave_open(const Participant& one) {
    if (one.dependence->argument < 0) return;
    element_of(one).open = true;
    if (made_.open_cells.empty() || made_.open_cells.back() != static_cast<std::int64_t>(cell_))
      made_.open_cells.push_back(static_cast<std::int64_t>(cell_));
  }

  /// 1 / N is exact if N is a power of two; otherwise it is rounded, and its product with g again. A large N
  /// is rounded before. A sum over a root has the root of N instead, rounded unless it is whole.
  void share_evenly() {
    const double count = counted(mistake_, written_.size());
    const double divisor = bag_.combine == Combiner::sum_over_root ? std::sqrt(count) : count;
    const bool is_long = count > std::ldexp(1.0, float_format(bag_.dtype).precision);
    const bool whole = divisor == std::floor(divisor);
    const int roundings = whole && odd_part(divisor) == 1 ? 0 : 2 + (whole ? 0 : 1) + (is_long ? 1 : 0);
    for (const Participant& one : written_) add(one, g_ / divisor, roundings);
  }

  void multiply_others() {
    std::vector<double> factors{g_};
    for (const Participant& one : written_) factors.push_back(one.value);
    if (!std::ranges::all_of(factors, [](double factor) { return std::isfinite(factor); }))
      return leave_open();
    if (mistake_ == Mistake::other_factors_left_out) return give_to_each(g_);
    if (mistake_ == Mistake::whole_product_divided) return divide_whole_product();
    const bool exact = products_are_exact(factors, bag_.dtype);
    // By any way to compute it: n products and a division.
    const int roundings = exact ? 0 : static_cast<int>(written_.size()) + 2;
    // Of those before each, and of those behind.
    std::vector<Product> before{product_of(g_)};
    for (const Participant& one : written_) before.push_back(before.back() * product_of(one.value));
    Product behind;
    for (std::size_t k = written_.size(); k-- > 0; behind = behind * product_of(written_[k].value)) {
      const Product others = before[k] * behind;
      if (!others.fits(bag_.dtype)) {
        leave_open(written_[k]);
        continue;
      }
      add(written_[k], others.value, others.value == 0 ? 0 : roundings);
    }
  }

  void divide_whole_product() {
    double whole = 1;
    for (const Participant& one : written_) whole *= one.value;
    whole = convert(Scalar::of_real(whole), bag_.dtype).real();
    for (const Participant& one : written_) {
      const double weight = whole / one.value;
      if (std::isfinite(weight))
        add(one, g_ * weight, static_cast<int>(written_.size()) + 2);
      else
        leave_open(one);
    }
  }

  /// The start x, or 1, over the product of the others: 1 / (v_1 .. v_n), and -x / (v_1 .. v_k v_k .. v_n).
  void divide() {
    std::vector<double> factors{g_};
    for (const Participant& one : written_) factors.push_back(one.value);
    if (!std::ranges::all_of(factors, [](double factor) { return std::isfinite(factor); }))
      return leave_open();
    const bool starts = start_takes_part();
    const std::size_t divisors = written_.size() - (starts ? 1 : 0);
    const double x = starts ? start_.value : 1;
    bool exact = products_are_exact(std::array{g_, x}, bag_.dtype);
    Product range = product_of(g_) * product_of(x);
    double divisor = 1;
    for (std::size_t k = 0; k < divisors; ++k) {
      const double v = written_[k].value;
      divisor *= v;
      exact = exact && odd_part(v) == 1;
      // In the result, in its square, and in its own exclusion.
      for (int times = 0; times < 3; ++times) range = range * product_of(v) * product_of(1 / v);
    }
    if (divisor == 0 || !range.fits(bag_.dtype)) return leave_open();
    // By any way to compute it, where each divisor costs a reciprocal and a product.
    const int roundings = exact ? 0 : 4 * static_cast<int>(written_.size()) + 8;
    for (std::size_t k = 0; k < divisors; ++k)
      add(written_[k], -g_ * x / divisor / written_[k].value, roundings);
    if (starts) add(start_, g_ / divisor, roundings);
  }

  void find_extreme() {
    if (std::ranges::any_of(written_, [](const Participant& one) { return std::isnan(one.value); }))
      return leave_open();
    const auto less = [](const Participant& a, const Participant& b) { return a.value < b.value; };
    const double extreme = (bag_.combine == Combiner::amax ? std::ranges::max_element(written_, less)
                                                           : std::ranges::min_element(written_, less))
                               ->value;
    if (std::ranges::any_of(written_, [&](const Participant& one) {
          return one.value != extreme && flushed(one.value) == flushed(extreme);
        }))
      return leave_open();  // a machine that flushes subnormal numbers to zero sees a tie
    std::erase_if(written_, [&](const Participant& one) { return one.value != extreme; });
    choose(GradientChoice::Kind::shares);
  }

  double flushed(double value) const {
    return std::abs(value) < std::ldexp(1.0, float_format(bag_.dtype).min_exponent) ? 0 : value;
  }

  void give_to_each(double value) {
    for (const Participant& one : written_) add(one, value, 0);
  }

  void survive() {
    if (mistake_ == Mistake::each_write_counts) return give_to_each(g_);
    if (written_.size() > 1 && bag_.collisions == Collisions::forbidden) return leave_open();
    if (bag_.collisions == Collisions::last) written_.erase(written_.begin(), written_.end() - 1);
    choose(GradientChoice::Kind::one);
  }

  /// Whether each value that meets is that of another element. Otherwise "evenly" can be read in two ways:
  /// for each value, or for each element.
  bool are_independent() const {
    std::set<std::pair<std::int32_t, std::int64_t>> elements;
    return std::ranges::all_of(written_, [&](const Participant& one) {
      const Dependence& on = *one.dependence;
      return on.argument >= 0 && std::abs(on.coefficient) == 1 &&
             elements.emplace(on.argument, on.element).second;
    });
  }

  /// Precondition: there is one.
  static GradientChoice::Member& member_of(GradientChoice& choice, const Participant& one) {
    return *std::ranges::find_if(choice.members, [&](const GradientChoice::Member& member) {
      return static_cast<std::int32_t>(member.argument) == one.dependence->argument &&
             member.element == one.dependence->element;
    });
  }

  /// The cotangent goes to one or several of `written_`.
  void choose(GradientChoice::Kind kind) {
    if (written_.size() == 1) return add(written_.front(), g_, 0);
    const bool shares = kind == GradientChoice::Kind::shares;
    if (shares && mistake_ == Mistake::each_of_tie_gets_all) return give_to_each(g_);
    if (shares && mistake_ == Mistake::none_of_tie_gets_any) return;
    if (shares &&
        (mistake_ != Mistake::none || (of_.ties == GradientPolicy::Ties::even && are_independent())))
      return share_evenly();
    GradientChoice choice{.kind = kind,
                          .cell = static_cast<std::int64_t>(cell_),
                          .cotangent = g_,
                          .or_each = kind == GradientChoice::Kind::one &&
                                     of_.collisions == GradientPolicy::Collisions::or_each};
    for (const Participant& one : written_) {
      const Dependence& on = *one.dependence;
      choice.constants = choice.constants || on.argument < 0;
      if (on.argument < 0) continue;
      auto& choices = element_of(one).choices;
      if (!choices.empty() && choices.back() == made_.choices.size()) {
        ++member_of(choice, one).times;
        continue;
      }
      choices.push_back(made_.choices.size());
      choice.members.push_back({static_cast<std::size_t>(on.argument), on.element, on.coefficient});
    }
    made_.choices.push_back(std::move(choice));
  }

  const Dependences& of_;
  const Bag& bag_;
  const std::vector<Scalar> cotangent_;
  const Mistake mistake_;
  ExpectedGradients made_;
  std::size_t cell_ = 0;
  double g_ = 0;  ///< the cell's cotangent
  Participant start_;
  std::vector<Participant> written_;
};

}  // namespace

ExpectedGradients expect_gradients(const Dependences& of, const Tensor& cotangent) {
  return expect_by_mistake(of, cotangent, Mistake::none);
}

ExpectedGradients expect_by_mistake(const Dependences& of, const Tensor& cotangent, Mistake mistake) {
  return Derivation(of, cotangent, mistake).run();
}

ExpectedGradients open_gradients(const Call& call, const Bag& result, std::string why) {
  ExpectedGradients made{.dtype = result.dtype,
                         .shape = result.shape,
                         .arguments = differentiable_arguments(call),
                         .shapes = {},
                         .dtypes = {},
                         .why_open = std::move(why)};
  for (const std::string& name : made.arguments) {
    const auto& tensor = std::get<Tensor>(*call.find(name));
    made.shapes.push_back(tensor.shape());
    made.dtypes.push_back(tensor.dtype());
    made.elements.emplace_back(static_cast<std::size_t>(tensor.numel()), ElementGradient{{}, {}, true});
  }
  for (std::int64_t cell = 0; cell < numel(result.shape); ++cell) made.open_cells.push_back(cell);
  return made;
}

}  // namespace scatterproof::spec
