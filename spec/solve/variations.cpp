// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/spec/solve/variations.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "breakage.hpp"
#include "index_values.hpp"
#include "random_draws.hpp"
#include "rule_check.hpp"
#include "scatterproof/spec/core/elements.hpp"
#include "scatterproof/spec/oracle/oracle.hpp"
#include "shuffle.hpp"
#include "ties.hpp"

namespace scatterproof::spec {
namespace {

using namespace solve;

// Of what an engine may make of a call without a result.
constexpr std::int64_t most_elements = std::int64_t{1} << 24;
constexpr std::int64_t most_of_two = std::int64_t{1} << 20;
constexpr std::int64_t most_stretched = std::int64_t{1} << 22;  // elements that an engine copies
constexpr std::int64_t most_related = 64;  // index elements, where rules relate each of them with every other
constexpr std::int64_t most_looks = std::int64_t{1} << 15;  // at a value, by a rule with nested quantifiers
constexpr std::int64_t most_spread = 512;                   // elements; with ranks up to 5, at most 108
constexpr int dtype_draws = 3;
constexpr int accepted_draws = 128;

}  // namespace

std::int64_t largest_numel(const Call& call) {
  std::int64_t most = 0;
  for (std::size_t i = 0; i < call.arguments.size(); ++i)
    if (const Tensor* tensor = tensor_at(call, i))
      most = std::max(most, checked_numel(tensor->shape()).value_or(max_numel));
  return most;
}

class Variations::Impl {
 public:
  Impl(const OpSpec& spec, CallForm base)
      : spec_(spec),
        base_(std::move(base)),
        values_(spec),
        check_(spec, values_, base_.broken),
        index_values_(spec, values_, check_) {
    if (base_.inside && !base_.by_values) breakage_.emplace(base_, check_);
    anchor_ = breakage_ ? *base_.inside : base_.call;
    for (auto& [name, argument] : anchor_.arguments)
      if (auto* tensor = std::get_if<Tensor>(&argument))
        *tensor = uniform(tensor->dtype(), tensor->shape(), Scalar::of_int(0));
    no_places_ = base_.by_values && !check_.obeys(anchor_);
    const Check check = [this](const Call& call) { return stands(call); };
    if (!grow(check) && values_.any_reads_data()) {
      const auto of_zeros = std::pair(anchor_, sizes_);
      set_data(spec_, anchor_, Scalar::of_int(1));
      if (!grow(check) && stands(of_zeros.first)) std::tie(anchor_, sizes_) = of_zeros;
    }
    if (!stands(anchor_)) return;
    dtypes_ = dtype_ties(anchor_, check);
    const Call spread = spread_out();
    const auto broken = breakage_ ? breakage_->again(spread) : std::nullopt;
    const auto axes = index_values_.component_axes(broken.value_or(spread), base_.by_values);
    if (axes) axes_ = *axes, usable_ = true;
  }

  const CallForm& base() const { return base_; }

  std::optional<CallForm> draw(const Sizes& sizes, Dice& dice, const Check& accepted) const {
    if (!usable_) return std::nullopt;
    Call call;
    int draws = 0;
    do {
      if (draws++ == accepted_draws) return std::nullopt;
      call = anchor_;
      vary_dtypes(call, dice);
      vary_attributes(call, dice);
    } while (accepted && !accepted(call));
    Dice for_sizes(sizes.seed, 0);
    vary_sizes(call, sizes, for_sizes);
    if (breakage_) {
      auto broken = breakage_->anew(call, dice);
      if (!broken) return std::nullopt;
      call = *std::move(broken);
    }
    CallForm form{
        .call = std::move(call), .broken = base_.broken, .far = base_.far, .by_values = base_.by_values};
    form.recheck = values_.must_recheck(form.call, base_.broken);
    if (form.recheck && values_.relates_pairs() && index_elements(form.call) > most_related)
      return std::nullopt;
    const std::int64_t most = std::max<std::int64_t>(2 * sizes.numel, 256);
    if (largest_numel(form.call) > most || !index_values_.settle(form, axes_, dice)) return std::nullopt;
    if (check_.steps(form.call) > std::max(most, most_looks)) return std::nullopt;
    Call filled = form.call;
    if (!stands_filled(form, filled, dice) || !has_small_result(filled, 2 * most)) return std::nullopt;
    return form;
  }

 private:
  /// A call that is varied before it is broken must obey; any other stands as meant.
  bool stands(const Call& call) const { return obeys_first() ? check_.obeys(call) : check_.as_meant(call); }
  /// The same after this change to a call that stood.
  bool stands_after(const Dependencies& change, const Call& call) const {
    return obeys_first() ? check_.obeys(call, change) : check_.as_meant(call, change);
  }
  bool obeys_first() const { return breakage_ || (base_.by_values && !no_places_); }

  /// Finds the sizes that change together. Returns whether none of them is 0 in the end.
  bool grow(const Check& check) {
    if (!check(anchor_)) return false;
    sizes_ = size_ties(anchor_, check);
    while (fill_some()) sizes_ = size_ties(anchor_, check);
    return std::ranges::none_of(sizes_of(anchor_),
                                [&](const Knob& knob) { return size_at(anchor_, knob) == 0; });
  }

  /// Gives sizes of 0 another value, where that is allowed: while one size is 0, others may have to be.
  bool fill_some() {
    bool any = false;
    for (const Tie& tie : sizes_)
      any |= has_zero(anchor_, tie) && try_change(anchor_, change_of_sizes(tie), [&](Call& call) {
               for (const Knob& knob : tie) set_size(call, knob, 2);
             });
    return any;
  }

  /// A call that shows which sizes a range of index values depends on: neighbouring dimensions differ where
  /// the rules allow it. First each is 2, because an index tuple with one component shows nothing.
  Call spread_out() const {
    Call call = anchor_;
    for (const std::int64_t size : {2, 3})
      for (const Tie& tie : sizes_) {
        if (size == 3 && tie.front().dimension % 2 == 0) continue;
        Call changed = call;
        for (const Knob& knob : tie) set_size(changed, knob, size);
        if (largest_numel(changed) <= most_spread && stands(changed)) call = std::move(changed);
      }
    return call;
  }

  void vary_dtypes(Call& call, Dice& dice) const {
    for (const Tie& tie : dtypes_)
      for (int i = 0; i < dtype_draws; ++i) {
        const DType dtype = draw_dtype(spec_.is_index(spec_.arguments[tie.front().argument]), dice);
        if (try_change(call, change_of_dtypes(tie), [&](Call& changed) {
              for (const Knob& knob : tie) set_dtype(changed, knob, dtype);
            }))
          break;
      }
  }

  void vary_attributes(Call& call, Dice& dice) const {
    for (std::size_t i = 0; i < call.arguments.size(); ++i) {
      const ArgumentDecl& declared = spec_.arguments[i];
      const bool given = std::holds_alternative<Scalar>(call.arguments[i].second) ||
                         std::holds_alternative<std::string>(call.arguments[i].second);
      if (!given || dice.one_in(2)) continue;
      Argument value = call.arguments[i].second;
      if (declared.kind == ArgumentKind::integer)
        value = Scalar::of_int(dice.in(-4, 4));
      else if (declared.kind == ArgumentKind::boolean)
        value = Scalar::of_bool(dice.one_in(2));
      else if (!declared.selects_with.empty())
        value = draw_selection(std::get<std::string>(value), dice);
      else if (declared.kind == ArgumentKind::choice)
        value = dice.pick(declared.choices);
      try_change(call, change_of_all(i), [&](Call& changed) { changed.arguments[i].second = value; });
    }
  }

  /// Most sizes go together: they are checked once, and one by one only if they do not.
  void vary_sizes(Call& call, const Sizes& sizes, Dice& dice) const {
    std::vector<Tie> ties = sizes_;
    shuffle(ties, dice);
    Call together = call;
    Dependencies change;
    Dice same = dice;
    vary_sizes(together, ties, sizes, same, [&](Call& other, const Tie& tie, std::int64_t size) {
      for (const Knob& knob : tie) set_size(other, knob, size);
      change |= change_of_sizes(tie);
      return true;
    });
    if (largest_numel(together) <= most_elements && stands_after(change, together)) {
      call = std::move(together);
      return;
    }
    vary_sizes(call, ties, sizes, dice, [&](Call& other, const Tie& tie, std::int64_t size) {
      return try_change(other, change_of_sizes(tie), [&](Call& changed) {
        for (const Knob& knob : tie) set_size(changed, knob, size);
      });
    });
  }

  /// `set(call, tie, size)` says whether it could.
  template <class Set>
  void vary_sizes(Call& call, const std::vector<Tie>& ties, const Sizes& sizes, Dice& dice,
                  const Set& set) const {
    const std::int64_t numel = sizes.numel;
    bool any_large = numel == 0;
    const bool lean = dice.one_in(2);  // what is not large leaves all room to what is
    for (const Tie& tie : ties) {
      std::int64_t size = small_size(sizes.empty, dice);
      const bool large = numel > 0 && (!any_large || dice.one_in(2));
      bool leaves_room = false;
      if (large) {
        std::int64_t most = room_for(call, tie, numel);
        leaves_room = &tie != &ties.back() && dice.one_in(4);
        if (leaves_room) most = half_of_digits(most);
        size = boundary_size(most, dice);
      } else if (numel > 0 && lean) {
        size = dice.in(1, 3);
      } else if (dice.one_in(2) && !has_zero(call, tie)) {
        continue;
      }
      const bool changed = set(call, tie, size);
      any_large = any_large || (changed && size > 1 && !leaves_room);
    }
  }

  /// About the square root: it leaves as much for another axis of the same tensor.
  static std::int64_t half_of_digits(std::int64_t room) {
    return std::max<std::int64_t>(room >> std::bit_width(static_cast<std::uint64_t>(room)) / 2, 1);
  }

  /// How large these sizes may be for about `numel` elements. Several may belong to one tensor: then their
  /// product counts.
  static std::int64_t room_for(const Call& call, const Tie& tie, std::int64_t numel) {
    std::int64_t room = numel;
    for (const Knob& knob : tie) {
      std::int64_t others = 1, tied = 0;
      const Shape& shape = *shape_at(call, knob.argument);
      for (std::size_t d = 0; d < shape.size(); ++d)
        if (std::ranges::find(tie, Knob{knob.argument, d}) == tie.end())
          others *= std::max<std::int64_t>(shape[d], 1);
        else
          ++tied;
      const auto share = static_cast<double>(numel / others);
      room =
          std::min(room, static_cast<std::int64_t>(std::pow(share, 1.0 / static_cast<double>(tied)) + 1e-6));
    }
    return std::max<std::int64_t>(room, 1);
  }

  static bool has_zero(const Call& call, const Tie& tie) {
    return std::ranges::any_of(tie, [&](const Knob& knob) { return size_at(call, knob) == 0; });
  }

  template <class Change>
  bool try_change(Call& call, const Dependencies& what, const Change& change) const {
    std::vector<std::pair<std::size_t, Argument>> before;
    for (std::size_t i = 0; i < call.arguments.size(); ++i)
      if (what.meets(change_of_all(i))) before.emplace_back(i, call.arguments[i].second);
    change(call);
    if (largest_numel(call) <= most_elements && stands_after(what, call)) return true;
    for (auto& [argument, value] : before) call.arguments[argument].second = std::move(value);
    return false;
  }

  /// Of the index tensor that has most.
  std::int64_t index_elements(const Call& call) const {
    std::int64_t most = 0;
    for (std::size_t i = 0; i < call.arguments.size(); ++i)
      if (const Tensor* tensor = tensor_at(call, i); tensor && spec_.is_index(spec_.arguments[i]))
        most = std::max(most, tensor->numel());
    return most;
  }

  /// Where an API stretches sizes of 1, an engine may copy tensors of one rank to the larger size of each
  /// dimension: for this many elements at most.
  static std::int64_t stretched(const Call& call, std::size_t rank) {
    Shape shape(rank, 1);
    for (std::size_t i = 0; i < call.arguments.size(); ++i)
      if (const Tensor* tensor = tensor_at(call, i); tensor && tensor->rank() == rank)
        for (std::size_t d = 0; d < rank; ++d) shape[d] = std::max(shape[d], tensor->shape()[d]);
    return checked_numel(shape).value_or(max_numel);
  }

  /// And few values are written. An engine may make something of a call without a result too.
  bool has_small_result(const Call& call, std::int64_t most) const {
    for (std::size_t rank = 2; rank <= max_rank; ++rank)
      if (stretched(call, rank) > most_stretched) return false;
    if (count_writes(spec_, call).value_or(0) > most) return false;
    if (const auto result = result_form(spec_, call))
      return checked_numel(result->shape).value_or(max_numel) <= most;
    if (!base_.broken) return false;
    std::int64_t product = 1, largest = 1, second = 1;
    for (std::size_t i = 0; i < call.arguments.size(); ++i)
      if (const Tensor* tensor = tensor_at(call, i)) {
        const std::int64_t numel = std::max<std::int64_t>(tensor->numel(), 1);
        second = std::max(second, std::min(largest, numel));
        largest = std::max(largest, numel);
        product *= numel;
        if (product > most_elements || largest * second > most_of_two) return false;
      }
    return true;
  }

  /// Fills the index tensors of a copy of the form's call, which must then stand as intended: the ranges of
  /// index values are as assumed.
  bool stands_filled(const CallForm& form, Call& call, Dice& dice) const {
    for (const IndexChoices& choices : form.index) fill(call, choices, dice);
    if (form.recheck && !form.by_values) return meet_relations(spec_, form, call, dice);
    if (form.recheck) return equal_values_break(form, call);
    if (form.by_values) spoil(form, call, dice);
    return check_.filled_as_meant(call);
  }

  /// Good values for one index tensor.
  static void fill(Call& call, const IndexChoices& choices, Dice& dice) {
    Tensor& tensor = std::get<Tensor>(call.arguments[choices.argument].second);
    tensor = Tensor(tensor.dtype(), tensor.shape());
    std::size_t n = 0;
    assign_integers(tensor, [&] { return dice.pick(choices.lists[choices.good[n++]]); });
  }

  /// One bad value.
  static void spoil(const CallForm& form, Call& call, Dice& dice) {
    std::vector<std::pair<const IndexChoices*, std::size_t>> breakable;
    for (const IndexChoices& choices : form.index)
      for (std::size_t n = 0; n < choices.bad.size() && breakable.size() < 64; ++n)
        if (!choices.lists[choices.bad[n]].empty()) breakable.emplace_back(&choices, n);
    const auto& [choices, n] = dice.pick(breakable);
    std::get<Tensor>(call.arguments[choices->argument].second)
        .set_at_position(static_cast<std::int64_t>(n),
                         Scalar::of_int(dice.pick(choices->lists[choices->bad[n]])));
  }

  bool equal_values_break(const CallForm& form, Call& call) const {
    for (const IndexChoices& choices : form.index) {
      Tensor& tensor = std::get<Tensor>(call.arguments[choices.argument].second);
      for (std::size_t n = 0; n < choices.good.size(); ++n)
        tensor.set_at_position(static_cast<std::int64_t>(n),
                               Scalar::of_int(choices.lists[choices.good[n]].back()));
    }
    return stand(*form.broken, make_frame(spec_, call).frame) == RuleState::Kind::broken;
  }

  const OpSpec& spec_;
  CallForm base_;
  ValueRules values_;
  RuleCheck check_;
  IndexValues index_values_;
  Call anchor_;                       ///< what is varied: the call inside where there is one, else the base
  std::optional<Breakage> breakage_;  ///< the anchor obeys, and is broken once it is varied; empty: no
  bool usable_ = false;
  bool no_places_ = false;  ///< index values break the rule, and zeros, which are the first place, do too
  std::vector<Tie> sizes_, dtypes_;
  std::vector<ComponentAxis> axes_;
};

Variations::Variations(const OpSpec& spec, CallForm base)
    : impl_(std::make_unique<Impl>(spec, std::move(base))) {}
Variations::~Variations() = default;
Variations::Variations(Variations&&) noexcept = default;
const CallForm& Variations::base() const { return impl_->base(); }
std::optional<CallForm> Variations::draw(const Sizes& sizes, Dice& dice,
                                         const std::function<bool(const Call&)>& accepted) const {
  return impl_->draw(sizes, dice, accepted);
}

}  // namespace scatterproof::spec
