// SPDX-License-Identifier: Apache-2.0
// Executes a meaning with the fast evaluator. Unusual cases are left to execute.cpp, which can explain them.
#include <algorithm>

#include "element_writes.hpp"
#include "execute.hpp"
#include "scatterproof/spec/core/work_limit.hpp"
#include "scatterproof/spec/oracle/fast.hpp"

namespace scatterproof::spec {
namespace {

using language::FastEvaluator;
using language::FastValue;
using language::ShortTuple;

class FastExecution {
 public:
  FastExecution(const OpSpec& spec, const Call& call, FastEvaluator& frame)
      : spec_(spec), meaning_(spec.meaning), call_(call), frame_(frame), base_(frame.size()) {}

  std::optional<Bag> run() {
    if (!fill_form() || !fill_policies() || !fill_start()) return std::nullopt;
    bag_.rows = meaning_.loops.size() >= 2;
    for (std::size_t i = 0; i < meaning_.loops.size(); ++i) frame_.add();
    if (!loop(0, 0, 1)) return std::nullopt;
    bag_.rows = bag_.rows && !written_.empty();
    if (!sort_into_cells()) return std::nullopt;
    return std::move(bag_);
  }

 private:
  bool fill_form() {
    const Argument* like = call_.find(meaning_.result_dtype_of);
    const auto* tensor = like ? std::get_if<Tensor>(like) : nullptr;
    if (!tensor) return false;
    FastValue scratch;
    const ShortTuple& shape = frame_.tuple(*meaning_.result_shape, scratch);
    const auto count = checked_numel(shape.span());
    if (!frame_.fine() || !count || *count > max_contributions || shape.count > max_rank) return false;
    bag_.dtype = tensor->dtype();
    bag_.shape.assign(shape.begin(), shape.end());
    cells_ = static_cast<std::size_t>(*count);
    return true;
  }

  bool fill_policies() {
    FastValue scratch;
    const FastValue& word = frame_.value(*meaning_.combine, scratch);
    const auto combiner =
        frame_.fine() && word.kind == FastValue::Kind::word ? parse_combiner(*word.word) : std::nullopt;
    if (!combiner) return false;
    bag_.combine = *combiner;
    bag_.start_counts = !meaning_.start_counts || frame_.truth(*meaning_.start_counts);
    set_policies(bag_, spec_, call_);
    return frame_.fine();
  }

  bool fill_start() {
    if (!meaning_.start) return true;
    bag_.start_name = meaning_.start->text();
    FastValue scratch;
    const FastValue& start = frame_.value(*meaning_.start, scratch);
    if (!frame_.fine()) return false;
    if (start.kind != FastValue::Kind::part || start.tuple.count > 0) {
      if (!is_number(start)) return false;
      bag_.start.emplace(cells_, convert(number_of(start), bag_.dtype));
      return true;
    }
    if (start.tensor->shape() != bag_.shape) return false;
    bag_.start = start.tensor->values();
    if (start.tensor->dtype() != bag_.dtype)
      for (Scalar& value : *bag_.start) value = convert(value, bag_.dtype);
    return true;
  }

  /// Runs the loops from `level` inward, which happens `runs` times. False when something has no value, or
  /// must be left to execute.cpp.
  bool loop(std::size_t level, std::int64_t group, std::int64_t runs) {
    if (level == meaning_.loops.size()) return contribute(group);
    FastValue scratch;
    ShortTuple sizes;
    sizes.assign(frame_.tuple(*meaning_.loops[level].domain, scratch));
    const auto count = checked_numel(sizes.span());
    if (!frame_.fine() || !count || *count > max_contributions) return false;
    if (*count == 0) return true;
    if (__builtin_mul_overflow(runs, *count, &runs) || runs > max_contributions) return false;
    if (level + 1 == meaning_.loops.size() && written_.empty())
      written_.reserve(static_cast<std::size_t>(runs));
    ShortTuple& at = frame_.slot(base_ + level).set_tuple();
    at.count = sizes.count;
    std::fill_n(at.at.begin(), at.count, 0);
    if (meaning_.loops.size() == 1 &&
        write_elements(meaning_, frame_, base_, sizes, bag_, places_, written_)) {
      ordered_ = std::ranges::is_sorted(places_);
      return true;
    }
    for (std::int64_t outer = 0;; ++outer) {
      WorkLimit::step();
      frame_.changed(base_ + level);
      if (!loop(level + 1, level == 0 ? outer : group, runs)) return false;
      std::size_t d = at.count;
      while (d > 0 && ++at.at[d - 1] == sizes.at[d - 1]) at.at[--d] = 0;
      if (d == 0) return true;
    }
  }

  bool contribute(std::int64_t group) {
    if (meaning_.where && !frame_.truth(*meaning_.where)) return frame_.fine();
    FastValue at_scratch, scratch;
    const ShortTuple& at = frame_.tuple(*meaning_.at, at_scratch);
    if (!frame_.fine() || at.count != bag_.shape.size()) return false;
    std::int64_t flat = 0;
    for (std::size_t d = 0; d < at.count; ++d) {
      if (at.at[d] < 0 || at.at[d] >= bag_.shape[d]) return false;
      flat = flat * bag_.shape[d] + at.at[d];
    }
    ordered_ = ordered_ && (places_.empty() || places_.back() <= flat);
    places_.push_back(flat);
    const FastValue& read = frame_.value(*meaning_.value, scratch);
    if (!frame_.fine() || !is_number(read)) return false;
    written_.push_back({value_of(read), origin_of(read), group});
    bag_.rows = bag_.rows && ends_with_innermost(at);
    return true;
  }

  /// Elements of a tensor of the result's dtype are numbers of that dtype already.
  Scalar value_of(const FastValue& read) const {
    if (read.kind == FastValue::Kind::element && read.tensor && read.tensor->dtype() == bag_.dtype)
      return read.number;
    return convert(number_of(read), bag_.dtype);
  }

  static Origin origin_of(const FastValue& read) {
    if (read.kind == FastValue::Kind::element) return {read.argument, read.integer};
    if (read.kind == FastValue::Kind::part) return {read.argument, 0};
    return {};
  }

  bool ends_with_innermost(const ShortTuple& at) {
    const ShortTuple& tail = frame_.slot(frame_.size() - 1).tuple;
    return tail.count > 0 && tail.count <= at.count &&
           std::equal(tail.begin(), tail.end(), at.end() - tail.count);
  }

  /// As in execute.cpp; a gather writes its cells in order, so there is nothing to sort.
  bool sort_into_cells() {
    bag_.offsets.assign(cells_ + 1, 0);
    for (const std::int64_t place : places_) ++bag_.offsets[static_cast<std::size_t>(place) + 1];
    for (std::size_t c = 0; c < cells_; ++c) {
      if (!bag_.start && bag_.offsets[c + 1] == 0) return false;
      bag_.offsets[c + 1] += bag_.offsets[c];
    }
    if (!ordered_) sort_in_place();
    bag_.list = std::move(written_);
    return true;
  }

  /// Without a second list, which may be the largest thing in memory: each contribution is swapped into its
  /// place, and what lay there follows.
  void sort_in_place() {
    CellNumbers next(bag_.offsets.begin(), bag_.offsets.end() - 1);
    for (std::int64_t& place : places_) place = next[static_cast<std::size_t>(place)]++;
    for (std::size_t i = 0; i < places_.size(); ++i) {
      WorkLimit::step();
      while (static_cast<std::size_t>(places_[i]) != i) {
        const auto to = static_cast<std::size_t>(places_[i]);
        std::swap(written_[i], written_[to]);
        std::swap(places_[i], places_[to]);
      }
    }
  }

  const OpSpec& spec_;
  const Meaning& meaning_;
  const Call& call_;
  FastEvaluator& frame_;
  std::size_t base_;  ///< slot of the outermost loop's variable
  std::size_t cells_ = 0;
  bool ordered_ = true;  ///< the contributions came in the order of their cells
  CellNumbers places_;
  std::vector<Contribution> written_;
  Bag bag_;
};

}  // namespace

std::optional<Bag> execute_fast(const OpSpec& spec, const Call& call, FastEvaluator& frame) {
  frame.forget();
  return FastExecution(spec, call, frame).run();
}

}  // namespace scatterproof::spec
