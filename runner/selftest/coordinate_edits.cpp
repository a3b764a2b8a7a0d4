// SPDX-License-Identifier: Apache-2.0
// Positions and values with one coordinate changed.
#include <algorithm>
#include <variant>

#include "editing.hpp"

namespace scatterproof::runner::selftest {
namespace {

using spec::language::Function;
using spec::language::NodeKind;
using spec::language::Operator;
using spec::language::Type;

bool is_integer_literal(const Node& node) {
  return node.kind == NodeKind::literal && std::holds_alternative<std::int64_t>(node.value);
}

bool can_be(const Node& node, Type type) { return (node.types & static_cast<unsigned>(type)) != 0; }

class Coordinates {
 public:
  Coordinates(const Node& root, const std::vector<std::string>& tensors) : editing_(root), tensors_(tensors) {
    visit(root);
  }
  std::vector<Edit> take() && { return std::move(editing_).take(); }

 private:
  void propose(const Node& node, const std::string& text) { editing_.propose(node, Sense::changed, text); }

  void visit(const Node& node) {
    const auto& parts = node.operands;
    if (is_integer_literal(node)) by_one(node);
    switch (node.kind) {
      case NodeKind::variable:
        tensor(node);
        break;
      case NodeKind::replacement:
        replacement(node);
        break;
      case NodeKind::arithmetic:
        arithmetic(node);
        break;
      case NodeKind::slice:
        for (const std::size_t bound : {1u, 2u})
          if (!is_integer_literal(parts[bound]) && can_be(parts[bound], Type::integer)) by_one(parts[bound]);
        break;
      case NodeKind::conditional:
        propose(node, fmt::format("if {} then {} else {}", text_of(parts[0]), text_of(parts[2]),
                                  text_of(parts[1])));
        break;
      case NodeKind::tuple:
        for (const Node& part : parts)
          if (!is_integer_literal(part)) propose(part, text_of(part) + " + 1");
        break;
      case NodeKind::comparison:
        return;  // a condition: condition_edits
      case NodeKind::call:
        call(node);
        break;
      default:
        break;
    }
    for (const Node& part : parts) visit(part);
  }

  void by_one(const Node& node) {
    propose(node, text_of(node) + " + 1");
    propose(node, text_of(node) + " - 1");
  }

  /// Another tensor in its place.
  void tensor(const Node& node) {
    if (std::find(tensors_.begin(), tensors_.end(), node.name) == tensors_.end()) return;
    for (const std::string& other : tensors_)
      if (other != node.name) propose(node, other);
  }

  /// `p with d = x`: at the next axis, and one on.
  void replacement(const Node& node) {
    const std::string base = text_of(node.operands[0]);
    for (std::size_t i = 1; i + 1 < node.operands.size(); i += 2) {
      propose(node.operands[i], fmt::format("(({} + 1) % len({}))", text_of(node.operands[i]), base));
      propose(node.operands[i + 1], text_of(node.operands[i + 1]) + " + 1");
    }
    propose(node, base);
  }

  void arithmetic(const Node& node) {
    if (node.operators[0] == Operator::join) {
      if (node.operands.size() == 2)
        propose(node, fmt::format("{} ++ {}", text_of(node.operands[1]), text_of(node.operands[0])));
      return;
    }
    if (node.operators.size() == 1 && node.operators[0] == Operator::add)
      propose(node, fmt::format("{} - {}", text_of(node.operands[0]), text_of(node.operands[1])));
    if (node.operators.size() == 1 && node.operators[0] == Operator::subtract)
      propose(node, fmt::format("{} + {}", text_of(node.operands[0]), text_of(node.operands[1])));
  }

  void call(const Node& node) {
    const auto& parts = node.operands;
    if (node.is_call(Function::wrap) || node.is_call(Function::stretch)) propose(node, text_of(parts[0]));
    if (node.is_call(Function::unravel))
      propose(parts[0], fmt::format("(({} + 1) % product({}))", text_of(parts[0]), text_of(parts[1])));
    if (node.is_call(Function::ravel)) propose(node, fmt::format("({} + 1)", text_of(node)));
    if (node.is_call(Function::trues)) propose(node, fmt::format("({} + 1)", text_of(node)));
    if (node.is_call(Function::elements)) {
      std::string turned = text_of(parts[0]);
      for (std::size_t i = parts.size() - 1; i > 0; --i) turned += ", " + text_of(parts[i]);
      propose(node, fmt::format("elements({})", turned));
    }
    if (node.is_call(Function::size))
      propose(parts[1], fmt::format("(({} + 1) % rank({}))", text_of(parts[1]), text_of(parts[0])));
    if (node.is_call(Function::max))
      propose(node, fmt::format("min({})", joined_without(node, parts.size(), ", ")));
    if (node.is_call(Function::min))
      propose(node, fmt::format("max({})", joined_without(node, parts.size(), ", ")));
  }

  Editing editing_;
  const std::vector<std::string>& tensors_;
};

/// The words an expression can give: not those it only compares with.
void visit_words(const Node& node, Editing& editing, const std::vector<std::string>& words) {
  if (node.kind == NodeKind::conditional) {
    visit_words(node.operands[1], editing, words);
    visit_words(node.operands[2], editing, words);
  }
  if (node.kind != NodeKind::literal) return;
  for (const std::string& word : words)
    if (std::get<std::string>(node.value) != word) editing.propose(node, Sense::changed, '"' + word + '"');
}

}  // namespace

std::vector<Edit> coordinate_edits(const spec::language::Expression& expression,
                                   const std::vector<std::string>& tensors) {
  return Coordinates(expression.root(), tensors).take();
}

std::vector<Edit> word_edits(const spec::language::Expression& expression,
                             const std::vector<std::string>& words) {
  Editing editing(expression.root());
  visit_words(expression.root(), editing, words);
  return std::move(editing).take();
}

}  // namespace scatterproof::runner::selftest
