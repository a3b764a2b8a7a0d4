// SPDX-License-Identifier: Apache-2.0
#include "sharing.hpp"

#include <algorithm>
#include <utility>

#include "scatterproof/spec/opspec/reading.hpp"

namespace scatterproof::runner::fuzz {
namespace {

using spec::Tensor;

constexpr std::int64_t one_sharing_in = 8;  // calls with two tensors that may

class Sharing {
 public:
  Sharing(const spec::OpSpec& op, const std::vector<std::size_t>& index, GeneratedCall& made,
          spec::Dice& dice)
      : op_(op), index_(index), made_(made), dice_(dice) {}

  void draw() {
    if (!dice_.one_in(one_sharing_in)) return;
    const auto pairs = possible();
    if (pairs.empty()) return;
    const auto [a, b] = dice_.pick(pairs);
    if (tensor(a)->shape() == tensor(b)->shape())
      is_index(b) ? make_same(b, a) : make_same(a, b);
    else
      tensor(a)->numel() < tensor(b)->numel() ? make_view(a, b) : make_view(b, a);
  }

 private:
  Tensor* tensor(std::size_t i) { return std::get_if<Tensor>(&made_.call.arguments[i].second); }
  bool is_index(std::size_t i) const { return std::ranges::find(index_, i) != index_.end(); }

  /// Of two indices, one would get the other's values, which its rules may not allow.
  std::vector<std::pair<std::size_t, std::size_t>> possible() {
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    for (std::size_t b = 0; b < made_.call.arguments.size(); ++b)
      for (std::size_t a = 0; a < b; ++a)
        if (may_share(a) && may_share(b) && tensor(a)->dtype() == tensor(b)->dtype() &&
            !(is_index(a) && is_index(b)))
          pairs.emplace_back(a, b);
    return pairs;
  }
  /// What happens when a tensor that is overwritten shares its storage, no document says.
  bool may_share(std::size_t i) {
    return tensor(i) && tensor(i)->numel() > 0 && !op_.meaning.overwrites(op_.arguments[i].name) &&
           !asks_for_layout(op_, i);
  }

  void make_same(std::size_t from, std::size_t to) {
    *tensor(to) = *tensor(from);
    made_.layouts[to] = made_.layouts[from];
  }

  void make_view(std::size_t smaller, std::size_t larger) {
    Tensor& storage = *tensor(larger) = tensor(larger)->contiguous();
    const auto layout = dice_.one_in(2) ? spec::Layout::transposed : spec::Layout::contiguous;
    made_.layouts[larger] = spec::Layout::contiguous;
    made_.layouts[smaller] = layout;
    const Tensor values = spec::with_layout(*tensor(smaller), layout);
    const std::int64_t offset = dice_.one_in(2) ? 0 : dice_.in(0, storage.numel() - values.numel());
    Tensor view =
        *Tensor::view(values.dtype(), values.shape(), values.strides(), offset, storage.shared_storage());
    if (is_index(smaller)) {
      spec::Coords at(values.rank(), 0);
      do view.set(at, values.get(at));
      while (spec::next(at, values.shape()));
    }
    *tensor(smaller) = std::move(view);
  }

  const spec::OpSpec& op_;
  const std::vector<std::size_t>& index_;
  GeneratedCall& made_;
  spec::Dice& dice_;
};

}  // namespace

void draw_sharing(const spec::OpSpec& op, const std::vector<std::size_t>& index, GeneratedCall& made,
                  spec::Dice dice) {
  Sharing(op, index, made, dice).draw();
}

}  // namespace scatterproof::runner::fuzz
