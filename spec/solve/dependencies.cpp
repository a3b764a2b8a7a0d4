// SPDX-License-Identifier: Apache-2.0
#include "dependencies.hpp"

#include "scatterproof/spec/language/ast.hpp"

namespace scatterproof::spec::solve {
namespace {

using language::Node;
using language::NodeKind;

class DependencyVisitor {
 public:
  explicit DependencyVisitor(std::size_t arguments) : arguments_(arguments) {
    for (std::size_t i = 0; i < arguments; ++i) names_.push_back(change_of_all(i));
  }
  /// The next name of the frame.
  void add(const language::Expression& expression) { names_.push_back(at(expression.root())); }

  Dependencies at(const Node& node) const {
    Dependencies seen;
    if (node.kind == NodeKind::variable && !node.local) seen = names_.at(static_cast<std::size_t>(node.slot));
    std::size_t first = 0;
    if (node.kind == NodeKind::call && !node.operands.empty() && is_argument(node.operands[0])) {
      const std::uint64_t argument = Dependencies::bit(static_cast<std::size_t>(node.operands[0].slot));
      const language::Reads reads = language::reads_of(node);
      if (reads == language::Reads::sizes) seen.sizes = argument, first = 1;
      if (reads == language::Reads::dtype) seen.dtypes = argument, first = 1;
    }
    for (std::size_t i = first; i < node.operands.size(); ++i) seen |= at(node.operands[i]);
    return seen;
  }

 private:
  bool is_argument(const Node& node) const {
    return node.kind == NodeKind::variable && !node.local && static_cast<std::size_t>(node.slot) < arguments_;
  }

  std::size_t arguments_;
  std::vector<Dependencies> names_;  ///< what each name of the frame looks at, the arguments first
};

}  // namespace

std::vector<Dependencies> looks_of_rules(const OpSpec& spec) {
  DependencyVisitor looking(spec.arguments.size());
  for (const auto& [name, expression] : spec.lets) looking.add(*expression);
  std::vector<Dependencies> rules;
  for (const Rule& rule : spec.rules) {
    rules.push_back(looking.at(rule.require->root()));
    if (rule.unless) rules.back() |= looking.at(rule.unless->root());
  }
  return rules;
}

Dependencies change_of_sizes(const Tie& tie) {
  Dependencies change;
  for (const Knob& knob : tie) change.sizes |= Dependencies::bit(knob.argument);
  return change;
}

Dependencies change_of_dtypes(const Tie& tie) {
  Dependencies change;
  for (const Knob& knob : tie) change.dtypes |= Dependencies::bit(knob.argument);
  return change;
}

Dependencies change_of_all(std::size_t argument) {
  return {Dependencies::bit(argument), Dependencies::bit(argument)};
}

}  // namespace scatterproof::spec::solve
