// SPDX-License-Identifier: Apache-2.0
// Prints trees; parsing the text gives the same tree again.
#include "scatterproof/spec/language/print.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stdexcept>

namespace scatterproof::spec::language {
namespace {

// How tightly a node binds: a part that binds less tightly than its place asks for goes into parentheses.
enum Level {
  open_ended,
  implied,
  either,
  both,
  negated,
  compared,
  joined,
  summed,
  multiplied,
  signed_,
  replaced,
  atom
};

Level level(const Node& node) {
  switch (node.kind) {
    case NodeKind::conditional:
    case NodeKind::quantified:
      return open_ended;
    case NodeKind::implication:
      return implied;
    case NodeKind::disjunction:
      return either;
    case NodeKind::conjunction:
      return both;
    case NodeKind::negation:
      return negated;
    case NodeKind::comparison:
      return compared;
    case NodeKind::arithmetic:
      switch (node.operators[0]) {
        case Operator::join:
          return joined;
        case Operator::add:
        case Operator::subtract:
          return summed;
        default:
          return multiplied;
      }
    case NodeKind::minus:
      return signed_;
    case NodeKind::replacement:
      return replaced;
    default:
      return atom;
  }
}

Level above(Level l) { return static_cast<Level>(l + 1); }

class Printer {
 public:
  explicit Printer(const Replace& replace) : replace_(replace) {}

  std::string at(const Node& written_out, Level wanted) {
    if (replace_)
      if (auto text = replace_(written_out)) return *std::move(text);
    const Node& node = replace_ ? written_out : as_written(written_out);
    std::string text = plain(node, wanted == open_ended);
    return level(node) < wanted ? "(" + text + ")" : text;
  }

 private:
  /// `to_the_end`: nothing follows that an open-ended last part could swallow.
  std::string plain(const Node& node, bool to_the_end) {
    const auto& o = node.operands;
    switch (node.kind) {
      case NodeKind::literal:
        return to_string(node.value);
      case NodeKind::variable:
        return node.name;
      case NodeKind::list:
        return fmt::format("[{}]", items(node, 0));
      case NodeKind::tuple:
        return fmt::format("({}{})", items(node, 0), o.size() == 1 ? "," : "");
      case NodeKind::conditional:
        return fmt::format("if {} then {} else {}", at(o[0], open_ended), at(o[1], open_ended),
                           at(o[2], open_ended));
      case NodeKind::quantified:
        return quantified(node);
      case NodeKind::negation:
        return "not " + at(o[0], negated);
      case NodeKind::conjunction:
        return words(node, " and ", negated, to_the_end);
      case NodeKind::disjunction:
        return words(node, " or ", both, to_the_end);
      case NodeKind::implication:
        return fmt::format("{} implies {}", at(o[0], either), at(o[1], open_ended));
      case NodeKind::comparison:
        return chain(node, joined);
      case NodeKind::arithmetic:
        return chain(node, above(level(node)));
      case NodeKind::minus:
        return "-" + at(o[0], signed_);
      case NodeKind::replacement:
        return replacement(node);
      case NodeKind::subscript:
        return fmt::format("{}[{}]", at(o[0], atom), items(node, 1));
      case NodeKind::slice:
        return fmt::format("{}[{}:{}]", at(o[0], atom), bound(o[1]), bound(o[2]));
      case NodeKind::call:
        return fmt::format("{}({})", signature(node.function).name, items(node, 0));
    }
    throw std::logic_error("no such kind of node");
  }

  std::string items(const Node& node, std::size_t from) {
    std::vector<std::string> texts;
    for (std::size_t i = from; i < node.operands.size(); ++i)
      texts.push_back(at(node.operands[i], open_ended));
    return fmt::format("{}", fmt::join(texts, ", "));
  }

  std::string bound(const Node& node) {
    return node.kind == NodeKind::literal && std::holds_alternative<None>(node.value) ? ""
                                                                                      : at(node, open_ended);
  }

  std::string words(const Node& node, std::string_view between, Level wanted, bool to_the_end) {
    std::string text;
    for (const Node& operand : node.operands) {
      const bool last = &operand == &node.operands.back();
      const bool free = last && to_the_end && level(operand) == open_ended;
      text += at(operand, free ? open_ended : wanted);
      if (!last) text += between;
    }
    return text;
  }

  std::string chain(const Node& node, Level wanted) {
    std::string text = at(node.operands[0], wanted);
    for (std::size_t i = 0; i < node.operators.size(); ++i)
      text += fmt::format(" {} {}", symbol(node.operators[i]), at(node.operands[i + 1], wanted));
    return text;
  }

  std::string quantified(const Node& node) {
    constexpr std::string_view names[] = {"all", "any", "unique", "each"};
    const auto& o = node.operands;
    return fmt::format("{} {}{} in {}{}: {}", names[static_cast<std::size_t>(node.quantifier)], node.name,
                       node.number.empty() ? "" : ", " + node.number, at(o[0], joined),
                       o.size() == 3 ? " where " + at(o[2], open_ended) : "", at(o[1], open_ended));
  }

  std::string replacement(const Node& node) {
    std::string text = at(node.operands[0], atom);
    for (std::size_t i = 1; i < node.operands.size(); i += 2)
      text += fmt::format(" with {} = {}", sum_without_with(node.operands[i]),
                          sum_without_with(node.operands[i + 1]));
    return text;
  }

  // After `with`, a sum needs no parentheses, but another `with` inside it does.
  std::string sum_without_with(const Node& node) {
    return at(node, node.kind == NodeKind::replacement ? atom : summed);
  }

  const Replace& replace_;
};

}  // namespace

std::string print(const Node& node) { return print(node, nullptr); }

std::string print(const Node& node, const Replace& replace) { return Printer(replace).at(node, open_ended); }

}  // namespace scatterproof::spec::language
