// SPDX-License-Identifier: Apache-2.0
// Executes a meaning: every position of the iteration space that writes adds one contribution to one cell.
#include "execute.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "scatterproof/spec/core/work_limit.hpp"
#include "scatterproof/spec/judge/bag.hpp"
#include "scatterproof/spec/opspec/frame.hpp"
#include "scatterproof/spec/oracle/fast.hpp"
#include "scatterproof/spec/oracle/oracle.hpp"

namespace scatterproof::spec {
namespace {

using language::Value;

/// Thrown to stop an execution; becomes an Error before it leaves this file.
class Stop : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

LimitReached too_large(std::string_view what) {
  return {
      LimitReached::Why::too_large,
      fmt::format("the call {} more than {} elements, the most that are judged", what, max_contributions)};
}

struct Read {
  Scalar value;
  Origin origin;
};

Read read_number(const Value& value) {
  if (const auto* element = std::get_if<language::Element>(&value))
    return {element->value, {element->argument, element->coords}};
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return {Scalar::of_int(*integer), {}};
  if (const auto* flag = std::get_if<bool>(&value)) return {Scalar::of_bool(*flag), {}};
  if (const auto* part = std::get_if<language::TensorPart>(&value))
    if (part->tensor->rank() == part->prefix.size())
      return {part->tensor->get(part->prefix), {part->argument, 0}};
  throw Stop(fmt::format("{} is not a number", language::to_string(value)));
}

/// The iteration space of nested loops, walked in row-major order, the first loop outermost.
class LoopNest {
 public:
  LoopNest(const Meaning& meaning, CallFrame& frame)
      : meaning_(meaning), frame_(frame.frame), base_(frame_.size()) {
    frame_.resize(base_ + meaning.loops.size());
  }

  /// Calls `visit(group)` at every position, with the loop variables in the frame.
  template <class Visit>
  void run(const Visit& visit) {
    if (!is_idle()) loop(0, 0, 1, visit);
  }

  const Coords& innermost() const { return std::get<Shape>(frame_.back()); }
  std::string where() const {
    std::string text;
    for (std::size_t i = 0; i < meaning_.loops.size() && i < depth_; ++i)
      text += fmt::format("{}{} = {}", i ? ", " : "", meaning_.loops[i].variable,
                          to_string(std::get<Shape>(frame_[base_ + i])));
    return text;
  }

 private:
  /// Whether some loop is empty in every iteration of the loops outside of it: however large these are,
  /// nothing is written.
  bool is_idle() const {
    return std::ranges::any_of(meaning_.loops, [&](const Loop& loop) {
      if (uses_loops(loop.domain->root())) return false;
      try {
        return std::ranges::count(language::evaluate_tuple(*loop.domain, frame_), 0) > 0;
      } catch (const language::NotEvaluable&) {
        return false;  // an error if its turn comes
      }
    });
  }

  bool uses_loops(const language::Node& node) const {
    if (node.kind == language::NodeKind::variable && !node.local) return node.slot >= static_cast<int>(base_);
    return std::ranges::any_of(node.operands, [&](const language::Node& part) { return uses_loops(part); });
  }

  template <class Visit>
  void loop(std::size_t level, std::int64_t group, std::int64_t runs, const Visit& visit) {
    depth_ = level;
    if (level == meaning_.loops.size()) return visit(group);
    const Shape sizes = language::evaluate_tuple(*meaning_.loops[level].domain, frame_);
    const auto count = checked_numel(sizes);
    if (!count)
      throw Stop(
          fmt::format("{} runs over the invalid sizes {}", meaning_.loops[level].variable, to_string(sizes)));
    if (*count == 0) return;
    if (__builtin_mul_overflow(runs, *count, &runs) || runs > max_contributions) throw too_large("writes");
    frame_[base_ + level] = Coords(sizes.size(), 0);
    std::int64_t outer = 0;
    do {
      WorkLimit::step();
      loop(level + 1, level == 0 ? outer++ : group, runs, visit);
      depth_ = level;
    } while (next(std::get<Shape>(frame_[base_ + level]), sizes));
  }

  const Meaning& meaning_;
  language::Frame& frame_;
  std::size_t base_;
  std::size_t depth_ = 0;
};

/// Empty: it lies outside.
std::optional<std::int64_t> flat_position(const Coords& at, const Shape& shape) {
  if (at.size() != shape.size())
    throw Stop(fmt::format("the position {} has {} coordinates, the result {}", to_string(at), at.size(),
                           shape.size()));
  std::int64_t flat = 0;
  for (std::size_t d = 0; d < at.size(); ++d) {
    if (at[d] < 0 || at[d] >= shape[d]) return {};
    flat = flat * shape[d] + at[d];
  }
  return flat;
}

bool ends_with(const Coords& at, const Coords& tail) {
  return tail.size() <= at.size() && std::equal(tail.rbegin(), tail.rend(), at.rbegin());
}

Combiner combiner_in(const OpSpec& spec, const language::Frame& frame) {
  const Value word = language::evaluate(*spec.meaning.combine, frame);
  const auto* text = std::get_if<std::string>(&word);
  const auto combiner = text ? parse_combiner(*text) : std::nullopt;
  if (!combiner) throw Stop(fmt::format("{} is not a combiner", language::to_string(word)));
  return *combiner;
}

class Execution {
 public:
  /// `passed_over`: takes note of what an index out of range names; null: that is an error.
  Execution(const OpSpec& spec, const Call& call, PartialExecution* passed_over = nullptr)
      : spec_(spec), call_(call), frame_(make_frame(spec, call)), passed_over_(passed_over) {}

  Bag run() {
    const ResultForm form = form_of(spec_, call_, frame_.frame);
    if (numel(form.shape) > max_contributions) throw too_large("returns");
    bag_.dtype = form.dtype;
    bag_.shape = form.shape;
    fill_policies();
    fill_start();
    fill_contributions();
    return std::move(bag_);
  }

  static ResultForm form_of(const OpSpec& spec, const Call& call, const language::Frame& frame) {
    const Argument* like = call.find(spec.meaning.result_dtype_of);
    const Tensor* tensor = like ? std::get_if<Tensor>(like) : nullptr;
    if (!tensor)
      throw Stop(fmt::format("{} is not a tensor and gives no dtype", spec.meaning.result_dtype_of));
    ResultForm form{tensor->dtype(), language::evaluate_tuple(*spec.meaning.result_shape, frame)};
    const auto count = checked_numel(form.shape);
    if (!count || form.shape.size() > max_rank)
      throw Stop(fmt::format("the result cannot have the shape {}", to_string(form.shape)));
    return form;
  }

 private:
  void fill_policies() {
    const Meaning& meaning = spec_.meaning;
    bag_.combine = combiner_in(spec_, frame_.frame);
    bag_.start_counts = !meaning.start_counts || language::evaluate_bool(*meaning.start_counts, frame_.frame);
    set_policies(bag_, spec_, call_);
  }

  void fill_start() {
    if (!spec_.meaning.start) return;
    bag_.start_name = spec_.meaning.start->text();
    const Value start = language::evaluate(*spec_.meaning.start, frame_.frame);
    const auto* part = std::get_if<language::TensorPart>(&start);
    if (!part || !part->prefix.empty()) {
      const Scalar fill = convert(read_number(start).value, bag_.dtype);
      bag_.start = std::vector<Scalar>(static_cast<std::size_t>(numel(bag_.shape)), fill);
      return;
    }
    if (part->tensor->shape() != bag_.shape)
      throw Stop(fmt::format("{} has the shape {}, the result {}", bag_.start_name,
                             to_string(part->tensor->shape()), to_string(bag_.shape)));
    bag_.start = part->tensor->values();
    for (Scalar& value : *bag_.start) value = convert(value, bag_.dtype);
  }

  void fill_contributions() {
    std::vector<std::int64_t> cells;
    std::vector<Contribution> written;
    LoopNest nest(spec_.meaning, frame_);
    bag_.rows = spec_.meaning.loops.size() >= 2;
    try {
      nest.run([&](std::int64_t group) {
        if (!writes()) return;
        const Coords at = language::evaluate_tuple(*spec_.meaning.at, frame_.frame);
        const auto cell = cell_at(at);
        if (!cell) return;
        const Read read = read_value(*cell);
        cells.push_back(*cell);
        written.push_back({convert(read.value, bag_.dtype), read.origin, group});
        bag_.rows = bag_.rows && !nest.innermost().empty() && ends_with(at, nest.innermost());
      });
    } catch (const std::runtime_error& reason) {
      const std::string where = nest.where();
      throw Stop(where.empty() ? reason.what() : fmt::format("for {}: {}", where, reason.what()));
    }
    bag_.rows = bag_.rows && !written.empty();
    sort_into_cells(cells, written);
  }

  /// Where the loops stand.
  bool writes() const {
    return !spec_.meaning.where || language::evaluate_bool(*spec_.meaning.where, frame_.frame);
  }

  /// Empty: the write is passed over.
  std::optional<std::int64_t> cell_at(const Coords& at) {
    const auto cell = flat_position(at, bag_.shape);
    if (!cell && !passed_over_)
      throw Stop(fmt::format("the position {} lies outside the result's shape {}", to_string(at),
                             to_string(bag_.shape)));
    if (!cell) ++passed_over_->lost;
    return cell;
  }

  Read read_value(std::int64_t cell) {
    if (!passed_over_) return read_number(language::evaluate(*spec_.meaning.value, frame_.frame));
    try {
      return read_number(language::evaluate(*spec_.meaning.value, frame_.frame));
    } catch (const language::NotEvaluable&) {
      passed_over_->unread.push_back(cell);
      return {Scalar::of_int(0), {}};
    }
  }

  /// A stable counting sort by cell: contributions of one cell stay in iteration order.
  void sort_into_cells(const std::vector<std::int64_t>& cells, std::vector<Contribution>& written) {
    const auto count = static_cast<std::size_t>(numel(bag_.shape));
    bag_.offsets.assign(count + 1, 0);
    for (const std::int64_t cell : cells) ++bag_.offsets[static_cast<std::size_t>(cell) + 1];
    for (std::size_t c = 0; c < count; ++c) {
      if (!bag_.start && bag_.offsets[c + 1] == 0)
        throw Stop(fmt::format("cell {} of the result is never written, and the meaning has no start", c));
      bag_.offsets[c + 1] += bag_.offsets[c];
    }
    std::vector<std::int64_t> place(bag_.offsets.begin(), bag_.offsets.end() - 1);
    bag_.list.resize(written.size());
    for (std::size_t i = 0; i < written.size(); ++i)
      bag_.list[static_cast<std::size_t>(place[static_cast<std::size_t>(cells[i])]++)] = written[i];
  }

  const OpSpec& spec_;
  const Call& call_;
  CallFrame frame_;
  PartialExecution* passed_over_;
  Bag bag_;
};

/// A name of `let:` that has no value of this call says more than the expression that needs it.
Error meaning_error(const OpSpec& spec, const Call& call, const std::string& reason) {
  const std::string missing = make_frame(spec, call).missing;
  return {.file = spec.file,
          .at = spec.meaning.write_at,
          .what = fmt::format("the meaning of {} has no value: {}", spec.api,
                              missing.empty() ? reason : missing)};
}

}  // namespace

void set_policies(Bag& bag, const OpSpec& spec, const Call& call) {
  bag.may_write = spec.meaning.in_place;
  bag.collisions = spec.latitude.collisions;
  bag.accumulate = spec.latitude.accumulate;
  bag.integer_mean = spec.latitude.integer_mean;
  bag.integer_quotient = spec.latitude.integer_quotient;
  bag.nan = spec.latitude.nan;
  bag.origins.reserve(call.arguments.size());
  for (const auto& [name, argument] : call.arguments) {
    const auto* tensor = std::get_if<Tensor>(&argument);
    bag.origins.emplace_back(name, tensor ? tensor->shape() : Shape{});
  }
}

Result<Bag> execute(const OpSpec& spec, const Call& call) {
  language::FastEvaluator frame;
  if (fill_frame(frame, spec, call))
    if (auto bag = execute_fast(spec, call, frame)) return *std::move(bag);
  return execute_by_reference(spec, call);
}

Result<Bag> execute_by_reference(const OpSpec& spec, const Call& call) {
  try {
    return Execution(spec, call).run();
  } catch (const std::runtime_error& reason) {  // Stop, or the language's NotEvaluable
    return meaning_error(spec, call, reason.what());
  }
}

Result<PartialExecution> execute_passing_over(const OpSpec& spec, const Call& call) {
  try {
    PartialExecution passed_over;
    passed_over.bag = Execution(spec, call, &passed_over).run();
    return passed_over;
  } catch (const std::runtime_error& reason) {
    return meaning_error(spec, call, reason.what());
  }
}

std::optional<Combiner> combiner_of(const OpSpec& spec, const Call& call) {
  try {
    return combiner_in(spec, make_frame(spec, call).frame);
  } catch (const std::runtime_error&) {
    return std::nullopt;
  }
}

std::optional<std::int64_t> count_writes(const OpSpec& spec, const Call& call) {
  language::Frame frame = make_frame(spec, call).frame;
  std::int64_t writes = 1;
  try {
    for (const Loop& loop : spec.meaning.loops) {
      const Shape sizes = language::evaluate_tuple(*loop.domain, frame);
      const auto count = checked_numel(sizes);
      if (!count || __builtin_mul_overflow(writes, *count, &writes)) return std::nullopt;
      frame.emplace_back(Coords(sizes.size(), 0));
    }
  } catch (const std::runtime_error&) {
    return std::nullopt;
  }
  return writes;
}

Result<ResultForm> result_form(const OpSpec& spec, const Call& call) {
  try {
    return Execution::form_of(spec, call, make_frame(spec, call).frame);
  } catch (const std::runtime_error& reason) {
    return meaning_error(spec, call, reason.what());
  }
}

}  // namespace scatterproof::spec
