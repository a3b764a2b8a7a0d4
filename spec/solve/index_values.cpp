// SPDX-License-Identifier: Apache-2.0
#include "index_values.hpp"

#include <algorithm>

namespace scatterproof::spec::solve {
namespace {

constexpr std::int64_t most_components = 16;

struct Range {
  std::int64_t low = 0;
  std::int64_t high = 0;
  friend bool operator==(const Range&, const Range&) = default;
};

/// Of values that are all out of range.
constexpr Range no_place{.low = 0, .high = -1};

constexpr std::int64_t most_unbounded = 64;  // values, where no rule bounds them
constexpr std::int64_t most_listed = std::int64_t{1} << 21;

/// A call in which one index tensor holds one number for each coordinate along an axis, stored once.
class Probe {
 public:
  struct Asks {
    const RuleCheck& check;
    bool by_values = false;
    std::int64_t ends = RuleCheck::everywhere;  ///< positions looked at, if the axis is a component axis
  };
  Probe(const Call& call, std::size_t argument, ComponentAxis axis, const Asks& asks)
      : call_(call), asks_(asks) {
    auto& tensor = std::get<Tensor>(call_.arguments[argument].second);
    dtype_ = tensor.dtype();
    Shape strides(tensor.rank(), 0);
    std::int64_t stored = 1;
    if (axis) strides[*axis] = 1, stored = std::max<std::int64_t>(tensor.shape()[*axis], 1);
    tensor =
        *Tensor::view(dtype_, tensor.shape(), std::move(strides), 0,
                      std::make_shared<Tensor::Storage>(static_cast<std::size_t>(stored) * size_of(dtype_)));
    tensor_ = &tensor;
    for (const auto& [name, value] : call.arguments) {
      if (const auto* other = std::get_if<Tensor>(&value)) {
        sizes_.insert(sizes_.end(), other->shape().begin(), other->shape().end());
        sizes_.push_back(other->numel());
      }
      if (const auto* sizes = std::get_if<Shape>(&value))
        sizes_.insert(sizes_.end(), sizes->begin(), sizes->end());
    }
    std::erase_if(sizes_, [](std::int64_t size) { return size > most_listed; });
    std::ranges::sort(sizes_, std::greater());
    sizes_.erase(std::unique(sizes_.begin(), sizes_.end()), sizes_.end());
  }

  bool good(std::int64_t component, std::int64_t value) {
    return with(component, value, [&] {
      return asks_.by_values ? asks_.check.values_obey(call_, asks_.ends)
                             : asks_.check.values_as_meant(call_, asks_.ends);
    });
  }
  bool bad(std::int64_t component, std::int64_t value) {
    return with(component, value, [&] { return asks_.check.values_as_meant(call_, asks_.ends); });
  }

  /// Where it ends, it mostly ends at some size.
  Range range(std::int64_t component) {
    Range found;
    found.high = end(component, 1);
    found.low = -end(component, -1);
    return found;
  }

  DType dtype() const { return dtype_; }

 private:
  template <class Ask>
  bool with(std::int64_t component, std::int64_t value, const Ask& ask) {
    if (!fits(Scalar::of_int(value), dtype_)) return false;
    tensor_->set_at_position(component, Scalar::of_int(value));
    const bool answer = ask();
    tensor_->set_at_position(component, Scalar::of_int(0));
    return answer;
  }

  /// The last good value in one direction.
  std::int64_t end(std::int64_t component, std::int64_t sign) {
    if (!good(component, sign)) return 0;
    for (const std::int64_t size : sizes_) {
      const std::int64_t last = sign > 0 ? size - 1 : size;
      if (last > 0 && good(component, sign * last) && !good(component, sign * (last + 1))) return last;
    }
    const std::int64_t farthest = 2 * (sizes_.empty() ? 1 : sizes_.front()) + 1;
    std::int64_t inside = 1, outside = 2;
    while (outside < farthest && good(component, sign * outside)) inside = outside, outside *= 2;
    if (outside >= farthest) return std::min(inside, most_unbounded);
    while (outside - inside > 1) {
      const std::int64_t middle = inside + (outside - inside) / 2;
      (good(component, sign * middle) ? inside : outside) = middle;
    }
    return inside;
  }

  Call call_;
  Asks asks_;
  DType dtype_ = DType::i64;
  Tensor* tensor_ = nullptr;
  std::vector<std::int64_t> sizes_;
};

std::vector<std::int64_t> all_of(const Range& range) {
  std::vector<std::int64_t> values;
  values.reserve(static_cast<std::size_t>(range.high - range.low + 1));
  for (std::int64_t value = range.low; value <= range.high; ++value) values.push_back(value);
  return values;
}

/// For this many components. An axis with too many is not that of an index tuple: checking its ends is
/// enough.
bool all_have_range(Probe probe, std::int64_t components, const Range& range) {
  if (probe.range(components - 1) != range) return false;
  for (std::int64_t c = 0; c < std::min(components - 1, most_components); ++c)
    if (probe.range(c) != range) return false;
  return true;
}

/// Values just outside, some further away, and those that few bits make small; none above `highest`.
std::vector<std::int64_t> bad_values(Probe& probe, std::int64_t component, const Range& good,
                                     std::int64_t highest, Dice& dice) {
  const std::int64_t width = good.high - good.low + 1;
  std::vector<std::int64_t> tried = far_values(probe.dtype());
  for (std::int64_t step = 1; step <= 3; ++step) {
    tried.push_back(good.low - step);
    tried.push_back(good.high + step);
  }
  tried.push_back(good.low - dice.in(1, width + 1));
  tried.push_back(good.high + dice.in(1, width + 1));
  for (const int bits : {8, 16, 31, 32})  // the value is good after truncation to this many bits
    for (const std::int64_t sign : {-1, 1})
      if (width > 0) tried.push_back(dice.in(good.low, good.high) + sign * (std::int64_t{1} << bits));
  std::ranges::sort(tried);
  tried.erase(std::unique(tried.begin(), tried.end()), tried.end());
  std::erase_if(tried, [&](std::int64_t value) { return value > highest || !probe.bad(component, value); });
  return tried;
}

}  // namespace

std::optional<std::vector<ComponentAxis>> IndexValues::component_axes(const Call& call,
                                                                      bool by_values) const {
  const Probe::Asks asks{.check = check_, .by_values = by_values};
  std::vector<ComponentAxis> axes;
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const auto* tensor = std::get_if<Tensor>(&call.arguments[i].second);
    if (!tensor || !spec_.is_index(spec_.arguments[i])) continue;
    ComponentAxis found;
    const Range anywhere = tensor->numel() == 0 ? Range{} : Probe(call, i, {}, asks).range(0);
    for (std::size_t d = 0; tensor->numel() > 0 && d < tensor->rank(); ++d) {
      if (tensor->shape()[d] < 2) continue;
      if (all_have_range(Probe(call, i, d, asks), tensor->shape()[d], anywhere)) continue;
      if (found) return std::nullopt;
      found = d;
    }
    axes.push_back(found);
  }
  return axes;
}

bool IndexValues::settle(CallForm& form, const std::vector<ComponentAxis>& axes, Dice& dice) const {
  form.index.clear();
  bool breakable = !form.by_values || form.recheck;
  for (std::size_t i = 0; i < form.call.arguments.size(); ++i) {
    const auto* tensor = std::get_if<Tensor>(&form.call.arguments[i].second);
    if (!tensor || !spec_.is_index(spec_.arguments[i])) continue;
    const ComponentAxis axis = axes[form.index.size()];
    IndexChoices choices{.argument = i};
    const auto count = static_cast<std::size_t>(tensor->numel());
    const std::int64_t components = axis ? tensor->shape()[*axis] : 1;
    if (count > 0) {
      if (components > most_components) return false;
      // The first positions and the last ones have every component, if these lie next to each other.
      const std::int64_t ends = !axis || *axis + 1 == tensor->rank() ? components : most_components;
      Probe probe(form.call, i, axis, {.check = check_, .by_values = form.by_values, .ends = ends});
      for (std::int64_t c = 0; c < components; ++c) {
        const bool places = probe.good(c, 0), breaks = form.by_values && !form.recheck;
        if (!places && !breaks) return false;
        const Range range = places ? probe.range(c) : no_place;
        // Without a place every value breaks the rule.
        choices.lists.push_back(places ? all_of(range)
                                       : bad_values(probe, c, range, values_.highest_tried(), dice));
        if (choices.lists.back().empty()) return false;
        if (!breaks) continue;
        choices.lists.push_back(bad_values(probe, c, range, values_.highest_tried(), dice));
        breakable = breakable || !choices.lists.back().empty();
      }
    }
    const std::uint32_t kinds = form.by_values && !form.recheck ? 2 : 1;
    std::size_t inner = 1;
    for (std::size_t d = axis.value_or(tensor->rank()) + 1; d < tensor->rank(); ++d)
      inner *= static_cast<std::size_t>(tensor->shape()[d]);
    choices.good.resize(count);
    for (std::size_t n = 0; n < count; ++n)
      choices.good[n] =
          axis ? static_cast<std::uint32_t>(n / inner % static_cast<std::size_t>(components)) * kinds : 0;
    if (kinds == 2)
      for (const std::uint32_t list : choices.good) choices.bad.push_back(list + 1);
    form.index.push_back(std::move(choices));
  }
  return breakable;
}

}  // namespace scatterproof::spec::solve
