// SPDX-License-Identifier: Apache-2.0
// Conditions weakened and tightened by one step.
#include <algorithm>

#include "editing.hpp"

namespace scatterproof::runner::selftest {
namespace {

using spec::language::NodeKind;
using spec::language::Operator;
using spec::language::Quantifier;
using spec::language::Type;

/// Whether more of the whole holds when more of a part does.
enum class Polarity : std::uint8_t { same, opposite, unknown };

Polarity turned(Polarity polarity) {
  if (polarity == Polarity::unknown) return polarity;
  return polarity == Polarity::same ? Polarity::opposite : Polarity::same;
}

Sense sense_of(Sense of_the_part, Polarity polarity) {
  if (polarity == Polarity::unknown || of_the_part == Sense::changed) return Sense::changed;
  if (polarity == Polarity::same) return of_the_part;
  return of_the_part == Sense::weakened ? Sense::tightened : Sense::weakened;
}

bool is_integer(const Node& node) { return node.types == static_cast<spec::language::Types>(Type::integer); }

/// A comparison's text with the sign `i` and the operand behind it replaced.
std::string compared(const Node& node, std::size_t i, std::string_view sign, const std::string& right) {
  std::string text = text_of(node.operands[0]);
  for (std::size_t k = 0; k < node.operators.size(); ++k)
    text += fmt::format(" {} {}", k == i ? sign : symbol(node.operators[k]),
                        k == i ? right : text_of(node.operands[k + 1]));
  return text;
}

class Conditions {
 public:
  explicit Conditions(const Node& root) : editing_(root) { visit(root, Polarity::same); }
  std::vector<Edit> take() && { return std::move(editing_).take(); }

 private:
  void propose(const Node& node, Sense of_the_part, Polarity polarity, const std::string& text) {
    editing_.propose(node, sense_of(of_the_part, polarity), text);
  }

  void visit(const Node& node, Polarity polarity) {
    const auto& parts = node.operands;
    switch (node.kind) {
      case NodeKind::comparison:
        for (std::size_t i = 0; i < node.operators.size(); ++i) comparison(node, i, polarity);
        return;
      case NodeKind::conjunction:
        for (std::size_t i = 0; i < parts.size(); ++i)
          propose(node, Sense::weakened, polarity, joined_without(node, i, " and "));
        break;
      case NodeKind::disjunction:
        for (std::size_t i = 0; i < parts.size(); ++i)
          propose(node, Sense::tightened, polarity, joined_without(node, i, " or "));
        break;
      case NodeKind::implication:
        propose(node, Sense::tightened, polarity, text_of(parts[1]));
        visit(parts[0], turned(polarity));
        return visit(parts[1], polarity);
      case NodeKind::negation:
        return visit(parts[0], turned(polarity));
      case NodeKind::conditional:
        propose(
            node, Sense::changed, polarity,
            fmt::format("if {} then {} else {}", text_of(parts[0]), text_of(parts[2]), text_of(parts[1])));
        visit(parts[0], Polarity::unknown);
        visit(parts[1], polarity);
        return visit(parts[2], polarity);
      case NodeKind::quantified:
        return quantified(node, polarity);
      default:
        return;  // not a condition
    }
    for (const Node& part : parts) visit(part, polarity);
  }

  void comparison(const Node& node, std::size_t i, Polarity polarity) {
    const Node& right = node.operands[i + 1];
    const bool bound = is_integer(right) || is_integer(node.operands[i]);
    const auto shifted = [&](std::string_view sign, int by) {
      // The bound is the side that is an integer whatever the call; an element of a tensor is the other.
      if (is_integer(right)) return compared(node, i, sign, fmt::format("({} + ({}))", text_of(right), by));
      return compared(node, i, sign, fmt::format("({} - ({}))", text_of(right), by));
    };
    const auto as_it_is = [&](std::string_view sign) { return compared(node, i, sign, text_of(right)); };
    switch (node.operators[i]) {
      case Operator::less:
        propose(node, Sense::weakened, polarity, as_it_is("<="));
        if (bound) propose(node, Sense::tightened, polarity, shifted("<", -1));
        return;
      case Operator::less_equal:
        if (bound) propose(node, Sense::weakened, polarity, shifted("<=", 1));
        return propose(node, Sense::tightened, polarity, as_it_is("<"));
      case Operator::greater:
        propose(node, Sense::weakened, polarity, as_it_is(">="));
        if (bound) propose(node, Sense::tightened, polarity, shifted(">", 1));
        return;
      case Operator::greater_equal:
        if (bound) propose(node, Sense::weakened, polarity, shifted(">=", -1));
        return propose(node, Sense::tightened, polarity, as_it_is(">"));
      case Operator::equal:
        if (!bound) return propose(node, Sense::changed, polarity, as_it_is("!="));
        propose(node, Sense::weakened, polarity, as_it_is("<="));
        propose(node, Sense::weakened, polarity, as_it_is(">="));
        propose(node, Sense::changed, polarity, shifted("==", 1));
        return propose(node, Sense::changed, polarity, shifted("==", -1));
      case Operator::not_equal:
        return propose(node, Sense::changed, polarity, as_it_is("=="));
      case Operator::in:
        return membership(node, i, polarity);
      default:
        return;
    }
  }

  /// One item fewer, or, of dtypes, the first that is not there.
  void membership(const Node& node, std::size_t i, Polarity polarity) {
    const Node& list = node.operands[i + 1];
    if (list.kind != NodeKind::list) return;
    for (std::size_t k = 0; list.operands.size() > 1 && k < list.operands.size(); ++k)
      propose(node, Sense::tightened, polarity,
              compared(node, i, "in", "[" + joined_without(list, k, ", ") + "]"));
    if (!std::holds_alternative<spec::DType>(list.operands.front().value)) return;
    const std::string all = joined_without(list, list.operands.size(), ", ");
    for (const spec::DType dtype : spec::all_dtypes)
      if (const auto name = fmt::format("({})", spec::name(dtype)); all.find(name) == std::string::npos)
        return propose(node, Sense::weakened, polarity,
                       compared(node, i, "in", fmt::format("[{}, {}]", all, name)));
  }

  void quantified(const Node& node, Polarity polarity) {
    const auto& parts = node.operands;
    const bool all = node.quantifier == Quantifier::all;
    const std::string where = parts.size() == 3 ? " where " + text_of(parts[2]) : "";
    const auto text = [&](std::string_view word, const std::string& filter) {
      return fmt::format("{} {} in {}{}: {}", word, node.name, text_of(parts[0]), filter, text_of(parts[1]));
    };
    if (node.quantifier == Quantifier::unique) return;
    propose(node, Sense::changed, polarity, text(all ? "any" : "all", where));
    if (!where.empty())
      propose(node, all ? Sense::tightened : Sense::weakened, polarity, text(all ? "all" : "any", ""));
    visit(parts[1], polarity);
    if (parts.size() == 3) visit(parts[2], all ? turned(polarity) : polarity);
  }

  Editing editing_;
};

}  // namespace

std::string joined_without(const Node& node, std::size_t left_out, std::string_view between) {
  std::string text;
  for (std::size_t i = 0; i < node.operands.size(); ++i)
    if (i != left_out) text += fmt::format("{}{}", text.empty() ? "" : between, text_of(node.operands[i]));
  return text;
}

std::vector<Edit> condition_edits(const spec::language::Expression& expression) {
  return Conditions(expression.root()).take();
}

}  // namespace scatterproof::runner::selftest
