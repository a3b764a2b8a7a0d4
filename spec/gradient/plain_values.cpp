// SPDX-License-Identifier: Apache-2.0
#include "plain_values.hpp"

#include <algorithm>

#include "scatterproof/spec/language/ast.hpp"

namespace scatterproof::spec {
namespace {

using language::Node;
using language::NodeKind;
using language::Reads;

/// Looks at a meaning's expressions for elements of the arguments that gradients are asked of: the data.
class DataFinder {
 public:
  DataFinder(const OpSpec& spec, const std::vector<std::string>& arguments) {
    for (const ArgumentDecl& declared : spec.arguments)
      is_data_.push_back(std::ranges::find(arguments, declared.name) != arguments.end());
    arguments_ = is_data_.size();
    for (const auto& [name, expression] : spec.lets) is_data_.push_back(reads(expression->root()));
  }

  bool reads(const ExpressionPtr& expression) const { return expression && reads(expression->root()); }

  /// A number, or elements of data one by one.
  bool is_plain_start(const ExpressionPtr& start) const {
    return !reads(start) || is_argument(start->root());
  }

  /// A number, or one element of data.
  bool is_plain_value(const Node& node) const {
    if (!reads(node) || is_argument(node)) return true;
    if (node.kind == NodeKind::conditional)
      return !reads(node.operands[0]) && is_plain_value(node.operands[1]) && is_plain_value(node.operands[2]);
    return node.kind == NodeKind::subscript && is_argument(node.operands[0]) &&
           std::none_of(node.operands.begin() + 1, node.operands.end(),
                        [&](const Node& coordinate) { return reads(coordinate); });
  }

 private:
  bool reads(const Node& node) const {
    if (is_name(node)) return is_data_[static_cast<std::size_t>(node.slot)];
    const Reads of_tensors = language::reads_of(node);
    const bool form_only = language::reads_form_only(of_tensors);
    return std::ranges::any_of(node.operands, [&](const Node& operand) {
      return !(form_only && is_argument(operand)) && reads(operand);
    });
  }

  /// Of an argument or a let, not of a loop.
  bool is_name(const Node& node) const {
    return node.kind == NodeKind::variable && !node.local &&
           static_cast<std::size_t>(node.slot) < is_data_.size();
  }
  bool is_argument(const Node& node) const {
    return is_name(node) && static_cast<std::size_t>(node.slot) < arguments_;
  }

  std::size_t arguments_ = 0;
  std::vector<bool> is_data_;  ///< by slot of the frame: arguments, then lets
};

}  // namespace

bool has_plain_values(const OpSpec& spec, const std::vector<std::string>& arguments) {
  const DataFinder data(spec, arguments);
  const Meaning& meaning = spec.meaning;
  return !data.reads(meaning.result_shape) && !data.reads(meaning.where) && !data.reads(meaning.at) &&
         !data.reads(meaning.combine) && !data.reads(meaning.start_counts) &&
         std::ranges::none_of(meaning.loops, [&](const Loop& loop) { return data.reads(loop.domain); }) &&
         data.is_plain_start(meaning.start) && data.is_plain_value(meaning.value->root());
}

void read_origins(const OpSpec& spec, Dependences& made) {
  std::vector<std::int32_t> places;  // of each declared argument among those that gradients are asked of
  for (const ArgumentDecl& declared : spec.arguments) {
    const auto found = std::ranges::find(made.arguments, declared.name);
    places.push_back(
        found == made.arguments.end() ? -1 : static_cast<std::int32_t>(found - made.arguments.begin()));
  }
  const auto place_of = [&](std::int32_t argument) {
    return argument < 0 ? -1 : places[static_cast<std::size_t>(argument)];
  };
  if (made.bag.start) {
    made.starts.reserve(made.bag.start->size());
    const Node& start = spec.meaning.start->root();
    const bool is_argument =
        start.kind == NodeKind::variable && static_cast<std::size_t>(start.slot) < places.size();
    const std::int32_t argument = is_argument ? place_of(start.slot) : -1;
    for (std::size_t c = 0; c < made.bag.start->size(); ++c)
      made.starts.push_back(argument < 0 ? Dependence{}
                                         : Dependence{argument, static_cast<std::int64_t>(c), 1});
  }
  made.contributions.reserve(made.bag.list.size());
  for (const Contribution& one : made.bag.list) {
    const std::int32_t argument = place_of(one.origin.argument);
    made.contributions.push_back(argument < 0 ? Dependence{} : Dependence{argument, one.origin.coords, 1});
  }
}

}  // namespace scatterproof::spec
