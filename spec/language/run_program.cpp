// SPDX-License-Identifier: Apache-2.0
// Runs a printed formula statement by statement. Element arithmetic uses the result's dtype; row selection
// and broadcasting follow numpy.
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "program.hpp"
#include "scatterproof/spec/core/work_limit.hpp"
#include "scatterproof/spec/language/evaluator.hpp"

namespace scatterproof::spec::language {
namespace {

/// Numbers with a shape: the right side of an assignment to elements.
struct Array {
  Shape sizes;
  std::vector<Scalar> values;
};

/// The elements that are assigned to: positions in row-major order of `sizes`.
struct Cells {
  Shape sizes;
  std::vector<Coords> at;
};

class Run {
 public:
  Run(const Program& program, const Frame& frame) : frame_(frame), tensors_(program.slots) {
    frame_.resize(program.slots);
  }

  void own(int slot, Tensor tensor) {
    auto& place = tensors_[static_cast<std::size_t>(slot)];
    place = std::move(tensor);
    frame_[static_cast<std::size_t>(slot)] = TensorPart{.tensor = &*place};
  }

  std::optional<Tensor>& tensor(int slot) { return tensors_[static_cast<std::size_t>(slot)]; }
  const Value& value(int slot) const { return frame_[static_cast<std::size_t>(slot)]; }

  /// False when a `return` ended the formula.
  bool run(const Statements& block) {
    return std::all_of(block.begin(), block.end(), [&](const Statement& statement) {
      return std::visit([&](const auto& what) { return step(what); }, statement.what);
    });
  }

 private:
  bool step(const Return&) { return false; }

  bool step(const Branch& branch) {
    return run(evaluate_bool(*branch.condition, frame_) ? branch.then : branch.otherwise);
  }

  bool step(const ForLoop& loop) {
    const Shape domain = evaluate_tuple(*loop.domain, frame_);
    if (!loop.over_positions)
      return std::all_of(domain.begin(), domain.end(), [&](std::int64_t i) {
        WorkLimit::step();
        frame_[static_cast<std::size_t>(loop.slots[0])] = i;
        return run(loop.body);
      });
    if (loop.apart && loop.slots.size() != domain.size())
      throw NotEvaluable(fmt::format("the formula is printed for {} dimensions, {} is {}", loop.slots.size(),
                                     print(loop.domain->root()), to_string(Value(domain))));
    if (numel(domain) == 0) return true;
    Coords at(domain.size(), 0);
    do {
      WorkLimit::step();
      if (loop.apart)
        for (std::size_t d = 0; d < at.size(); ++d) frame_[static_cast<std::size_t>(loop.slots[d])] = at[d];
      else
        frame_[static_cast<std::size_t>(loop.slots[0])] = at;
      if (!run(loop.body)) return false;
    } while (next(at, domain));
    return true;
  }

  bool step(const Assignment& assignment) {
    if (assignment.target)
      assign_elements(assignment);
    else
      assign_name(assignment);
    return true;
  }

  void assign_name(const Assignment& assignment) {
    if (assignment.source == Assignment::Source::value) {
      frame_[static_cast<std::size_t>(assignment.slot)] = evaluate(*assignment.value, frame_);
      return;
    }
    const Array made = right_side(assignment);
    const DType dtype = assignment.source == Assignment::Source::copy
                            ? std::get<TensorPart>(evaluate(*assignment.value, frame_)).tensor->dtype()
                            : DType::f64;
    own(assignment.slot, Tensor(dtype, made.sizes, made.values));
  }

  Array right_side(const Assignment& assignment) {
    if (assignment.source == Assignment::Source::zeros) {
      const Shape sizes = evaluate_tuple(*assignment.value, frame_);
      const auto count = checked_numel(sizes);
      if (!count || *count > max_numel)
        throw NotEvaluable(fmt::format("zeros of {}", to_string(Value(sizes))));
      return {sizes, std::vector<Scalar>(static_cast<std::size_t>(*count), Scalar::of_int(0))};
    }
    const Value value = evaluate(*assignment.value, frame_);
    if (const auto number = as_number(value)) return {{}, {*number}};
    const auto* part = std::get_if<TensorPart>(&value);
    if (part == nullptr)
      throw NotEvaluable(
          fmt::format("{} is {}, not numbers", print(assignment.value->root()), to_string(value)));
    const auto sizes = sizes_of(*part);
    Array array{Shape(sizes.begin(), sizes.end()), {}};
    for (const Coords& at : positions_below({part->prefix}, array.sizes))
      array.values.push_back(part->tensor->get(at));
    return array;
  }

  void assign_elements(const Assignment& assignment) {
    const Array right = right_side(assignment);
    auto& target = tensor(assignment.slot);
    const Node& subscript = assignment.target->root();
    if (!target)
      throw NotEvaluable(fmt::format("{} is assigned to, but is not a copy", print(subscript.operands[0])));
    const Cells cells = selected(*target, subscript);
    if (!assignment.numpy && (!cells.sizes.empty() || !right.sizes.empty()))
      throw NotEvaluable(fmt::format("{} is not one element",
                                     print(right.sizes.empty() ? subscript : assignment.value->root())));
    const std::vector<std::size_t> from = broadcast(right.sizes, cells.sizes, subscript);
    std::vector<Scalar> results;  // all are read before any is written, as numpy does
    results.reserve(cells.at.size());
    for (std::size_t c = 0; c < cells.at.size(); ++c) {
      const Scalar value = convert(right.values[from[c]], target->dtype());
      results.push_back(assignment.op
                            ? combine_in(target->dtype(), target->get(cells.at[c]), *assignment.op, value)
                            : value);
    }
    for (std::size_t c = 0; c < cells.at.size(); ++c) target->set(cells.at[c], results[c]);
  }

  /// The element, the part, or (when the last subscript is a 1-D tensor of integers) the rows that are named.
  Cells selected(const Tensor& tensor, const Node& subscript) {
    Evaluator evaluator(frame_, subscript);
    const TensorPart whole{.tensor = &tensor};
    const std::optional<Shape> rows = row_numbers(evaluator, subscript.operands.back());
    const std::size_t plain = subscript.operands.size() - (rows ? 2 : 1);
    const Coordinates found = evaluator.coordinates(subscript, whole, plain);
    const Coords prefix(found.at.begin(), found.at.begin() + found.count);
    const Shape& sizes = tensor.shape();
    if (!rows) {
      const Shape rest(sizes.begin() + static_cast<std::ptrdiff_t>(prefix.size()), sizes.end());
      return {rest, positions_below({prefix}, rest)};
    }
    if (prefix.size() >= sizes.size())
      throw NotEvaluable(fmt::format("{}: more subscripts than dimensions", print(subscript)));
    std::vector<Coords> prefixes;
    for (const std::int64_t row : *rows) {
      prefixes.push_back(prefix);
      prefixes.back().push_back(wrapped(row, sizes[prefix.size()], subscript));
    }
    const Shape rest(sizes.begin() + static_cast<std::ptrdiff_t>(prefix.size()) + 1, sizes.end());
    Cells cells{{static_cast<std::int64_t>(rows->size())}, positions_below(prefixes, rest)};
    cells.sizes.insert(cells.sizes.end(), rest.begin(), rest.end());
    return cells;
  }

  static std::int64_t wrapped(std::int64_t row, std::int64_t size, const Node& subscript) {
    if (row < -size || row >= size)
      throw NotEvaluable(fmt::format("{}: row {} is out of range for {} rows", print(subscript), row, size));
    return row < 0 ? row + size : row;
  }

  static std::optional<Shape> row_numbers(Evaluator& evaluator, const Node& coordinate) {
    const Value value = evaluator.value(coordinate);
    const auto* part = std::get_if<TensorPart>(&value);
    if (part == nullptr || sizes_of(*part).empty()) return std::nullopt;
    if (sizes_of(*part).size() != 1 || !is_integer(part->tensor->dtype()))
      throw NotEvaluable(fmt::format("{} is {}, which selects no rows", print(coordinate), to_string(value)));
    Shape rows;
    for (const Coords& at : positions_below({part->prefix}, {sizes_of(*part)[0]}))
      rows.push_back(part->tensor->get(at).integer());
    return rows;
  }

  static std::vector<Coords> positions_below(const std::vector<Coords>& prefixes, const Shape& sizes) {
    std::vector<Coords> all;
    if (numel(sizes) == 0) return all;
    for (const Coords& prefix : prefixes) {
      Coords inner(sizes.size(), 0);
      do {
        all.push_back(prefix);
        all.back().insert(all.back().end(), inner.begin(), inner.end());
      } while (next(inner, sizes));
    }
    return all;
  }

  /// For each position of `to`, which element of a value of sizes `from` it gets.
  static std::vector<std::size_t> broadcast(Shape from, const Shape& to, const Node& where) {
    const Shape given = from;
    while (from.size() > to.size() && from.front() == 1) from.erase(from.begin());
    bool fits = from.size() <= to.size();
    const std::size_t ahead = fits ? to.size() - from.size() : 0;
    for (std::size_t d = 0; fits && d < from.size(); ++d) fits = from[d] == 1 || from[d] == to[ahead + d];
    if (!fits)
      throw NotEvaluable(fmt::format("{}: a value of shape {} does not broadcast to {}", print(where),
                                     to_string(Value(given)), to_string(Value(to))));
    std::vector<std::size_t> result;
    if (numel(to) == 0) return result;
    Coords at(to.size(), 0);
    do {
      std::size_t flat = 0;
      for (std::size_t d = 0; d < from.size(); ++d)
        flat = flat * static_cast<std::size_t>(from[d]) +
               static_cast<std::size_t>(from[d] == 1 ? 0 : at[ahead + d]);
      result.push_back(flat);
    } while (next(at, to));
    return result;
  }

  Frame frame_;
  std::vector<std::optional<Tensor>> tensors_;
};

}  // namespace

Tensor run_program(const Program& program, const Frame& frame, const Scope&, const Tensor* start) {
  Run run(program, frame);
  const auto* given = std::get_if<TensorPart>(&run.value(program.result));
  if (start != nullptr)
    run.own(program.result, start->contiguous());
  else if (given != nullptr)
    run.own(program.result, given->tensor->contiguous());
  run.run(program.body);
  auto& result = run.tensor(program.result);
  if (!result) throw NotEvaluable(fmt::format("the formula makes no {}", program.result_name));
  return *std::move(result);
}

}  // namespace scatterproof::spec::language
