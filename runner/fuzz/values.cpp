// SPDX-License-Identifier: Apache-2.0
#include "values.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "data.hpp"
#include "layouts.hpp"
#include "scatterproof/spec/core/elements.hpp"
#include "scatterproof/spec/core/sharing.hpp"
#include "scatterproof/spec/opspec/reading.hpp"
#include "scatterproof/spec/oracle/oracle.hpp"
#include "scatterproof/spec/solve/variations.hpp"
#include "shares.hpp"
#include "sharing.hpp"
#include "turns.hpp"

namespace scatterproof::runner::fuzz {
namespace {

using spec::Dice;
using spec::DType;
using spec::Scalar;
using spec::Tensor;
using List = std::vector<std::int64_t>;

// ---- index values

std::vector<List> without_negatives(std::vector<List> lists) {
  for (List& list : lists)
    if (!list.empty() && list.back() >= 0) list.erase(list.begin(), std::ranges::lower_bound(list, 0));
  return lists;
}

/// Draws from the lists of one index tensor, element by element.
class Places {
 public:
  Places(const spec::IndexChoices& choices, IndexMode mode, bool from_front, Dice& dice)
      : choices_(choices),
        from_front_(from_front ? without_negatives(choices.lists) : std::vector<List>()),
        lists_(from_front ? from_front_ : choices.lists),
        mode_(mode),
        dice_(dice),
        fixed_(dice.bits()) {
    // Along a long axis few values meet.
    if (mode == IndexMode::uniform && dice.one_in(2))
      few_ = 1 + dice.below(std::max<std::int64_t>(static_cast<std::int64_t>(choices.good.size()) / 2, 1));
  }

  void fill(Tensor& tensor) {
    std::size_t element = 0;
    spec::assign_integers(tensor, [&] { return at(element++); });
  }

 private:
  std::int64_t at(std::size_t element) {
    const List& list = lists_[choices_.good[element]];
    switch (mode_) {
      case IndexMode::permutation:
        return from_deck(list);
      case IndexMode::all_duplicate:
        return fixed(list);
      case IndexMode::hot:
        return dice_.one_in(4) ? dice_.pick(list) : fixed(list);
      case IndexMode::boundary:
        return dice_.one_in(2) ? list.front() : list.back();
      case IndexMode::negative:
        return negative(list);
      default:
        return few_ > 0 ? one_of_few(list) : dice_.pick(list);
    }
  }

  std::int64_t fixed(const List& list) const { return list[fixed_ % list.size()]; }

  std::int64_t one_of_few(const List& list) {
    return list[spec::random(fixed_, static_cast<std::uint64_t>(dice_.below(few_))) % list.size()];
  }

  std::int64_t negative(const List& list) {
    const auto below_zero = std::ranges::lower_bound(list, 0) - list.begin();
    return below_zero == 0 ? dice_.pick(list) : list[static_cast<std::size_t>(dice_.below(below_zero))];
  }

  std::int64_t from_deck(const List& list) {
    if (deck_of_ != &list || deck_.empty()) deck_ = list, deck_of_ = &list;
    const auto drawn = static_cast<std::size_t>(dice_.below(static_cast<std::int64_t>(deck_.size())));
    std::swap(deck_[drawn], deck_.back());
    const std::int64_t value = deck_.back();
    deck_.pop_back();
    return value;
  }

  const spec::IndexChoices& choices_;
  const std::vector<List> from_front_;
  const std::vector<List>& lists_;
  IndexMode mode_;
  Dice& dice_;
  std::uint64_t fixed_;
  std::int64_t few_ = 0;  ///< different values that uniform ones are drawn from; 0: any
  List deck_;
  const List* deck_of_ = nullptr;
};

IndexMode draw_good_mode(Dice& dice) {
  return static_cast<IndexMode>(dice.below(static_cast<std::int64_t>(IndexMode::negative) + 1));
}

constexpr std::size_t beyond_16_bits = std::size_t{1} << 16;

/// Of the index tensor that has most.
std::size_t index_elements(const spec::CallForm& form) {
  std::size_t most = 0;
  for (const spec::IndexChoices& choices : form.index) most = std::max(most, choices.good.size());
  return most;
}

/// How values that obey are drawn.
IndexMode draw_obeying_mode(const spec::CallForm& form, Dice& dice) {
  const std::size_t elements = index_elements(form);
  if (elements >= beyond_16_bits)
    return dice.one_in(one_scattered_in) ? draw_good_mode(dice) : IndexMode::all_duplicate;
  if (elements < crowd || !dice.one_in(one_crowded_in)) return draw_good_mode(dice);
  return dice.one_in(2) ? IndexMode::all_duplicate : IndexMode::hot;
}

IndexMode draw_mode(const CallTemplate& call_template, Dice& dice) {
  const spec::CallForm& form = call_template.form;
  if (form.by_values && form.recheck) return dice.one_in(2) ? IndexMode::all_duplicate : IndexMode::hot;
  if (form.by_values) return dice.one_in(4) ? IndexMode::all_bad : IndexMode::one_bad;
  return draw_obeying_mode(form, dice);
}

void sort_values(Tensor& index) {
  std::vector<std::int64_t> values;
  for (std::int64_t n = 0; n < index.numel(); ++n) values.push_back(index.at_position(n).integer());
  std::ranges::sort(values);
  for (std::int64_t n = 0; n < index.numel(); ++n)
    index.set_at_position(n, Scalar::of_int(values[static_cast<std::size_t>(n)]));
}

bool all_share_a_list(const spec::IndexChoices& choices) {
  return std::ranges::all_of(choices.good, [&](std::uint32_t list) { return list == choices.good.front(); });
}

/// Just outside: the bad value nearest to a good one; far: any other.
std::int64_t bad_value(const List& bad, bool far, Dice& dice) {
  if (far) return dice.pick(bad);
  const auto up = std::ranges::lower_bound(bad, 0);  // the nearest on either side of zero
  std::vector<std::int64_t> near;
  if (up != bad.end()) near.push_back(*up);
  if (up != bad.begin()) near.push_back(*std::prev(up));
  return dice.pick(near);
}

void break_by_values(const spec::CallForm& form, const std::vector<Tensor*>& index, IndexMode mode,
                     Dice& dice) {
  std::vector<std::pair<std::size_t, std::size_t>> breakable;  // (index tensor, element)
  for (std::size_t t = 0; t < form.index.size(); ++t)
    for (std::size_t n = 0; n < form.index[t].bad.size(); ++n)
      if (!form.index[t].lists[form.index[t].bad[n]].empty()) breakable.emplace_back(t, n);
  if (breakable.empty()) return;
  const auto value_at = [&](const std::pair<std::size_t, std::size_t>& place) {
    const spec::IndexChoices& choices = form.index[place.first];
    return bad_value(choices.lists[choices.bad[place.second]], form.far, dice);
  };
  const auto set = [&](const std::pair<std::size_t, std::size_t>& place, std::int64_t value) {
    index[place.first]->set_at_position(static_cast<std::int64_t>(place.second), Scalar::of_int(value));
  };
  const auto spoil = [&](const std::pair<std::size_t, std::size_t>& place) { set(place, value_at(place)); };
  if (mode == IndexMode::all_bad && form.index.size() == 1 && all_share_a_list(form.index[0]) &&
      dice.one_in(2))
    for (const std::int64_t value = value_at(breakable.front()); const auto& place : breakable)
      set(place, value);
  else if (mode == IndexMode::all_bad)
    std::ranges::for_each(breakable, spoil);
  else  // the last element is the one that a loop in blocks forgets
    spoil(dice.one_in(3) ? breakable.back() : dice.pick(breakable));
}

/// All that lies along an axis is what is first there: the tensor can then have stride 0 along it.
void repeat_along(Tensor& tensor, std::size_t axis) {
  if (tensor.rank() <= axis || tensor.shape()[axis] < 2) return;
  const std::int64_t size = tensor.shape()[axis];
  std::int64_t inner = 1;
  for (std::size_t d = axis + 1; d < tensor.rank(); ++d) inner *= tensor.shape()[d];
  for (std::int64_t n = 0; n < tensor.numel(); ++n)
    if (const std::int64_t at = n / inner % size; at > 0)
      tensor.set_at_position(n, tensor.at_position(n - at * inner));
}

/// The dtype that a bare number is meant for: that of the first tensor that is not an index.
DType data_dtype(const spec::CallForm& form) {
  for (std::size_t i = 0; i < form.call.arguments.size(); ++i)
    if (const auto* tensor = std::get_if<Tensor>(&form.call.arguments[i].second);
        tensor && std::ranges::find(form.index, i, &spec::IndexChoices::argument) == form.index.end())
      return tensor->dtype();
  return DType::f32;
}

class Casting {
 public:
  Casting(const spec::OpSpec& spec, const CallTemplate& call_template, bool from_front, Dice& dice,
          Dice& form_dice)
      : spec_(spec),
        mould_(call_template),
        from_front_(from_front),
        dice_(dice),
        form_dice_(form_dice),
        fine_(!dice.one_in(4)) {}

  std::optional<GeneratedCall> run() {
    const spec::CallForm& form = mould_.form;
    made_.call = form.call;
    made_.broken = form.broken;
    made_.far = form.far;
    made_.index = draw_mode(mould_, dice_);
    made_.data = mould_.gradients ? draw_differentiated_mode(dice_)
                                  : draw_data_mode(data_dtype(form), mould_.products, dice_);
    if (made_.data == DataMode::few) few_ = draw_few(mould_.products, dice_);
    made_.layouts.assign(form.call.arguments.size(), spec::Layout::contiguous);
    flat_.assign(form.call.arguments.size(), std::nullopt);
    if (!fill_index_as_meant()) return std::nullopt;
    fill_data();
    if (mould_.checks_data && !breaks_as_meant()) fill_data(true);
    draw_masks();
    lay_out();
    draw_sharing(spec_, is_index_, made_, form_dice_);  // gives an argument another's values
    if (mould_.checks_data && !breaks_as_meant()) return std::nullopt;
    return std::move(made_);
  }

 private:
  Tensor& own(std::size_t argument) {
    auto& tensor = std::get<Tensor>(made_.call.arguments[argument].second);
    tensor = Tensor::zeros_like(tensor);
    return tensor;
  }

  /// Where a rule reads several values at once, a draw of another kind may obey it: sorted, each value once,
  /// all equal.
  bool fill_index_as_meant() {
    fill_index();
    if (index_stands()) return true;
    if (mould_.form.by_values) return false;
    for (const IndexMode mode : {IndexMode::sorted, IndexMode::permutation, IndexMode::all_duplicate}) {
      made_.index = mode;
      fill_index();
      if (index_stands()) return true;
    }
    return false;
  }

  /// Where an axis has no places, an index may have no value that breaks the rule: values that are dropped.
  bool index_stands() {
    if (mould_.form.recheck) return stands();
    return (!mould_.checks_index && !mould_.form.by_values) || breaks_as_meant();
  }

  void fill_index() {
    is_index_.clear();
    std::vector<Tensor*> index;
    const bool spoilt = mould_.form.by_values && !mould_.form.recheck;
    const IndexMode mode = spoilt ? draw_obeying_mode(mould_.form, dice_) : made_.index;
    for (const spec::IndexChoices& choices : mould_.form.index) {
      Tensor& tensor = own(choices.argument);
      index.push_back(&tensor);
      is_index_.push_back(choices.argument);
      Places places(choices, mode, from_front_, dice_);
      places.fill(tensor);
      if (mode == IndexMode::sorted && !choices.good.empty() && all_share_a_list(choices))
        sort_values(tensor);
    }
    if (spoilt) break_by_values(mould_.form, index, made_.index, dice_);
  }

  /// Values that some rule relates: made to differ where they must, then checked.
  bool stands() { return spec::meet_relations(spec_, mould_.form, made_.call, dice_) && breaks_as_meant(); }

  /// Instead of index arrays, where the call then breaks what it did before; now and then one of a shape
  /// that breaks a rule itself.
  void draw_masks() {
    if (std::ranges::none_of(spec_.arguments, has_selection) || !dice_.one_in(2)) return;
    const spec::Call before = made_.call;
    if (!spec::mask_some(spec_, made_.call, dice_)) return;
    if (mould_.may_break && !made_.broken && dice_.one_in(6)) break_by_a_mask();
    if (!breaks_as_meant()) {
      made_.call = before;
      made_.broken = mould_.form.broken;
      return;
    }
    for (std::size_t i = 0; i < spec_.arguments.size(); ++i)
      if (!spec_.arguments[i].list.empty()) {  // also arrays that are data to the spec
        const auto* item = std::get_if<Tensor>(&made_.call.arguments[i].second);
        flat_[i].reset();
        made_.layouts[i] = item ? draw_layout(item->numel(), mould_.gradients, form_dice_)
                                : DrawnLayout(spec::Layout::contiguous);
      }
  }
  static bool has_selection(const spec::ArgumentDecl& declared) { return !declared.selects_with.empty(); }

  /// Less often where no document promises an error: other calls of that kind are few too.
  void break_by_a_mask() {
    const spec::Call whole = made_.call;
    if (!spec::misshape_a_mask(spec_, made_.call, dice_)) return;
    const auto kinds = spec::rule_kinds(spec_, made_.call);
    const auto broken = std::ranges::find(kinds, spec::RuleState::Kind::broken);
    if (broken == kinds.end()) return;
    const spec::Rule& rule = spec_.rules[static_cast<std::size_t>(broken - kinds.begin())];
    if (promises_error(rule) || dice_.one_in(4))
      made_.broken = &rule;
    else
      made_.call = whole;
  }

  bool breaks_as_meant() const {
    const auto kinds = spec::rule_kinds(spec_, made_.call);
    for (std::size_t i = 0; i < kinds.size(); ++i)
      if ((kinds[i] == spec::RuleState::Kind::broken) != (made_.broken == &spec_.rules[i])) return false;
    return true;
  }

  /// `calmly`: as a rule about data minds least.
  void fill_data(bool calmly = false) {
    if (calmly) made_.data = DataMode::lattice;
    for (std::size_t i = 0; i < made_.call.arguments.size(); ++i) {
      if (std::holds_alternative<Tensor>(made_.call.arguments[i].second))
        fill_tensor(i, calmly);
      else if (calmly)
        made_.call.arguments[i] = mould_.form.call.arguments[i];
      else
        vary_number(i);
    }
  }

  bool holds_ones(std::size_t argument) const {
    const auto& tensor = std::get<Tensor>(mould_.form.call.arguments[argument].second);
    return tensor.numel() > 0 && tensor.at_position(0).real() == 1;
  }

  void fill_tensor(std::size_t argument, bool calmly) {
    DrawnLayout& layout = made_.layouts[argument];
    const auto& given = std::get<Tensor>(made_.call.arguments[argument].second);
    layout = draw_layout(given.numel(), mould_.gradients, form_dice_);
    if (layout != spec::Layout::contiguous && asks_for_layout(spec_, argument))
      layout = spec::Layout::contiguous;
    flat_[argument] = draw_flat_axis(layout, given.rank(), form_dice_);
    if ((is_index(argument) && !may_repeat(argument)) || is_overwritten(argument)) flat_[argument] = {};
    if (is_index(argument)) {
      if (flat_[argument])
        repeat_along(std::get<Tensor>(made_.call.arguments[argument].second), *flat_[argument]);
      return;
    }
    // A form has ones where zeros would break a rule; factors are never zero.
    const bool factors = calmly && holds_ones(argument);
    Tensor& tensor = own(argument);
    fill(tensor,
         {.mode = made_.data,
          .unit = lattice_unit(tensor.dtype(), fine_),
          .products = mould_.products || factors,
          .few = few_},
         dice_);
    if (flat_[argument]) repeat_along(tensor, *flat_[argument]);
  }

  /// A number that a form has as 1; another one breaks a rule.
  void vary_number(std::size_t i) {
    spec::Argument& argument = made_.call.arguments[i].second;
    const spec::ArgumentKind kind = spec_.arguments[i].kind;
    const auto* given = std::get_if<Scalar>(&argument);
    if (!given || !identical(*given, Scalar::of_int(1))) return;
    if (kind != spec::ArgumentKind::scalar && kind != spec::ArgumentKind::tensor_or_scalar) return;
    const DType dtype = data_dtype(mould_.form);
    const Scalar number = bare_number(dtype, mould_.products, form_dice_);
    argument = number;
    const bool decides =
        spec_.is_index(spec_.arguments[i]);  // more than what is written, as an exponent does
    if ((decides || !fits(number, dtype)) && !breaks_as_meant())
      argument = decides ? Scalar::of_int(1) : convert(number, dtype);
  }

  void lay_out() {
    for (std::size_t i = 0; i < made_.layouts.size(); ++i)
      if (made_.layouts[i] != spec::Layout::contiguous) {
        auto& tensor = std::get<Tensor>(made_.call.arguments[i].second);
        Tensor laid_out = made_.layouts[i] ? spec::with_layout(tensor, *made_.layouts[i])
                                           : mixed(tensor, flat_[i], form_dice_);
        // No framework promises anything about a tensor that is written and overlaps itself.
        if (is_overwritten(i) && spec::overlaps_itself(laid_out))
          laid_out = spec::with_layout(tensor, *(made_.layouts[i] = spec::Layout::sliced));
        tensor = std::move(laid_out);
      }
  }

  /// Whether an index may have the same values all along an axis, as one has that was made from a vector.
  bool may_repeat(std::size_t argument) const {
    const spec::CallForm& form = mould_.form;
    const auto of = std::ranges::find(form.index, argument, &spec::IndexChoices::argument);
    return !form.recheck && !form.by_values && !mould_.checks_index && of != form.index.end() &&
           !of->good.empty() && all_share_a_list(*of);
  }

  bool is_index(std::size_t argument) const {
    return std::ranges::find(is_index_, argument) != is_index_.end();
  }

  bool is_overwritten(std::size_t argument) const {
    return spec_.meaning.overwrites(spec_.arguments[argument].name);
  }

  const spec::OpSpec& spec_;
  const CallTemplate& mould_;
  const bool from_front_;
  Dice& dice_;
  Dice& form_dice_;
  const bool fine_;  ///< lattice numbers
  std::span<const double> few_;
  GeneratedCall made_;
  std::vector<std::optional<std::size_t>> flat_;  ///< by argument: the axis along which its values repeat
  std::vector<std::size_t> is_index_;
};

}  // namespace

std::optional<GeneratedCall> instantiate(const spec::OpSpec& spec, const CallTemplate& call_template,
                                         bool from_front, spec::Dice& dice, spec::Dice& form_dice) {
  return Casting(spec, call_template, from_front, dice, form_dice).run();
}

}  // namespace scatterproof::runner::fuzz
