// SPDX-License-Identifier: Apache-2.0
// Types are sets: an argument that may be a tensor or a scalar has both. A use is an error when no type of
// the set fits.
#include "checker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "lists.hpp"

namespace scatterproof::spec::language {
namespace {

constexpr Types none = static_cast<Types>(Type::none);
constexpr Types boolean = static_cast<Types>(Type::boolean);
constexpr Types integer = static_cast<Types>(Type::integer);
constexpr Types number = static_cast<Types>(Type::number);
constexpr Types tuple = static_cast<Types>(Type::tuple);
constexpr Types tensor = static_cast<Types>(Type::tensor);
constexpr Types element = boolean | integer | number;  // of a tensor whose dtype is not known yet

Types type_of(const Value& value) {
  constexpr std::array<Type, 8> by_index = {Type::none, Type::boolean, Type::integer, Type::number,
                                            Type::word, Type::dtype,   Type::tuple,   Type::tensor};
  return static_cast<Types>(by_index[value.index()]);
}

class Checker {
 public:
  Checker(const Text& source, const Scope& scope, Errors& errors)
      : source_(source), scope_(scope), errors_(errors) {}

  std::size_t local_slots() const { return deepest_; }

  /// The node must be able to give one of `wanted`.
  void check(Node& node, Types wanted) {
    node.types = types_of(node);
    if (node.types != 0 && !overlap(node.types, wanted))
      error(node, fmt::format("this is {}, but {} is needed here", describe(node.types), describe(wanted)));
  }

 private:
  // 0 after an error below, so that one slip is reported once.
  Types types_of(Node& node) {
    switch (node.kind) {
      case NodeKind::literal:
        return type_of(node.value);
      case NodeKind::variable:
        return variable(node);
      case NodeKind::list:
        return error(node, "a list [..] is only allowed after 'in'", "write a tuple (..)");
      case NodeKind::tuple:
        return check_all(node, 0, integer), tuple;
      case NodeKind::conditional:
        return conditional(node);
      case NodeKind::quantified:
        return quantified(node);
      case NodeKind::negation:
      case NodeKind::conjunction:
      case NodeKind::disjunction:
      case NodeKind::implication:
        return check_all(node, 0, boolean), boolean;
      case NodeKind::comparison:
        return comparison(node);
      case NodeKind::arithmetic:
        return arithmetic(node);
      case NodeKind::minus:
        return check(node.operands[0], integer | number), node.operands[0].types & (integer | number);
      case NodeKind::replacement:
        return check(node.operands[0], tuple), check_all(node, 1, integer), tuple;
      case NodeKind::subscript:
        return subscript(node);
      case NodeKind::slice:
        return slice(node);
      case NodeKind::call:
        return call(node);
    }
    throw std::logic_error("no such kind of node");
  }

  Types error(const Node& node, std::string what, std::string hint = {}) {
    errors_.push_back(error_at(source_, node.begin, std::move(what), std::move(hint)));
    return 0;
  }

  void check_all(Node& node, std::size_t from, Types wanted) {
    for (std::size_t i = from; i < node.operands.size(); ++i) check(node.operands[i], wanted);
  }

  Types variable(Node& node) {
    for (std::size_t i = locals_.size(); i-- > 0;) {
      if (locals_[i].name != node.name) continue;
      node.slot = static_cast<int>(i);
      node.local = true;
      return locals_[i].types;
    }
    if (const auto* const known = scope_.find(node.name, &node.slot)) return known->types;
    if (const auto* const list = scope_.find_list(node.name))
      return error(node, fmt::format("'{}' is a list of tensors", node.name),
                   fmt::format("name an item, such as {}, or write elements(p, {})",
                               scope_.variables()[list->first].name, node.name));
    std::vector<std::string> names;
    for (const auto& one : locals_) names.push_back(one.name);
    for (const auto& one : scope_.variables()) names.push_back(one.name);
    for (const auto& one : scope_.lists()) names.push_back(one.name);
    const Signature* const function = find_signature(node.name);
    return error(
        node, fmt::format("unknown name '{}'", node.name),
        did_you_mean(node.name, names,
                     function ? fmt::format("it is a function: write {}", function->usage) : std::string()));
  }

  Types conditional(Node& node) {
    check(node.operands[0], boolean);
    check(node.operands[1], any_type);
    check(node.operands[2], any_type);
    return node.operands[1].types | node.operands[2].types;
  }

  bool is_taken(std::string_view name) const {
    const auto is_it = [&](const auto& one) { return one.name == name; };
    return scope_.find(name) != nullptr || scope_.find_list(name) != nullptr ||
           std::any_of(locals_.begin(), locals_.end(), is_it);
  }

  void name_taken(const Node& node, std::string_view name) {
    error(node, fmt::format("the name '{}' is already taken", name), "choose another name for the variable");
  }

  Types quantified(Node& node) {
    if (is_taken(node.name)) name_taken(node, node.name);
    const Node& over = node.operands[0];
    if (over.kind == NodeKind::variable && scope_.find_list(over.name) != nullptr)
      return over_items(node, *scope_.find_list(over.name));
    if (!node.number.empty())
      return error(
          node,
          fmt::format("'{}' would be the number of an item, and this is no list of tensors", node.number),
          "only a list of tensors has items with numbers");
    Node& domain = node.operands[0];
    const bool tuples = node.quantifier == Quantifier::each;
    const bool over_positions = domain.is_call(Function::positions) && !tuples;
    if (over_positions)
      domain.types = call_operands(domain);
    else
      check(domain, tuple);
    node.slot = static_cast<int>(locals_.size());
    locals_.push_back({node.name, over_positions ? tuple : domain.types == 0 ? 0 : integer});
    deepest_ = std::max(deepest_, locals_.size());
    check(node.operands[1], tuples                                  ? integer
                            : node.quantifier == Quantifier::unique ? integer | tuple
                                                                    : boolean);
    if (node.operands.size() == 3) check(node.operands[2], boolean);
    locals_.pop_back();
    return tuples ? tuple : boolean;
  }

  /// Written out: `all` as a conjunction, `any` as a disjunction, `each` as tuples that are joined.
  Types over_items(Node& node, const Scope::List& list) {
    if (node.quantifier == Quantifier::unique)
      return error(node, "'unique' is not over a list of tensors", "use all, any or each");
    if (!node.number.empty() && (is_taken(node.number) || node.number == node.name))
      name_taken(node, node.number);
    for (const std::string& name : {node.name, node.number})
      for (std::size_t i = 1; i < node.operands.size() && !name.empty(); ++i)
        if (const Node* inner = binding_of(name, node.operands[i])) name_taken(*inner, name);
    std::vector<Node> items;
    const std::size_t before = errors_.size();
    for (std::size_t i = 0; i < list.count && errors_.size() == before; ++i)
      check(items.emplace_back(of_item(node, scope_, list, i)),
            node.quantifier == Quantifier::each ? tuple : boolean);
    if (errors_.size() != before) return 0;
    const Types types = node.quantifier == Quantifier::each ? tuple : boolean;
    node = put_together(node, std::move(items));
    return types;
  }

  Types comparison(Node& node) {
    for (std::size_t i = 0; i < node.operands.size(); ++i) {
      Node& operand = node.operands[i];
      const bool listed = operand.kind == NodeKind::list && i > 0 && is_membership(node.operators[i - 1]);
      if (listed)
        check_list(operand);
      else
        check(operand, any_type);
      if (i > 0 && operand.types != 0 && node.operands[i - 1].types != 0)
        check_pair(node, node.operands[i - 1], node.operators[i - 1], operand);
    }
    return boolean;
  }

  static bool is_membership(Operator op) { return op == Operator::in || op == Operator::not_in; }

  void check_list(Node& list) {
    for (Node& item : list.operands) {
      check(item, any_type);
      list.types |= item.types;
    }
  }

  void check_pair(const Node& node, const Node& left, Operator op, const Node& right) {
    if (is_membership(op)) {
      const bool listed = right.kind == NodeKind::list;
      if (!listed && !overlap(right.types, tuple))
        error(right, fmt::format("this is {}, but 'in' asks for a tuple or a list", describe(right.types)));
      else if (!overlap(left.types, listed ? right.types : integer))
        error(left, fmt::format("this is {}, which is never in that {}", describe(left.types),
                                listed ? "list" : "tuple"));
      return;
    }
    const bool ordered = op != Operator::equal && op != Operator::not_equal;
    const Types comparable = ordered ? integer | number : any_type & ~tensor;
    if (left.types == tensor && right.types == tensor)
      error(node, "tensors cannot be compared as a whole", "all p in positions(shape(x)): x[p] == y[p]");
    else if (ordered && (!overlap(left.types, comparable) || !overlap(right.types, comparable)))
      error(overlap(left.types, comparable) ? right : left,
            fmt::format("this is {}, which '{}' cannot order",
                        describe(overlap(left.types, comparable) ? right.types : left.types), symbol(op)));
    else if (!overlap(left.types & comparable, right.types & comparable) &&
             !overlap(right.types & comparable, left.types & comparable))
      error(node, fmt::format("{} is never {}", describe(left.types), describe(right.types)));
  }

  Types arithmetic(Node& node) {
    Types result = 0;
    for (std::size_t i = 0; i < node.operands.size(); ++i) {
      const Operator op = node.operators[i == 0 ? 0 : i - 1];
      const bool whole = op == Operator::floor_divide || op == Operator::modulo;
      check(node.operands[i], op == Operator::join ? tuple : whole ? integer : integer | number);
      result |= node.operands[i].types & (integer | number);
      if (op == Operator::divide) result = number;
    }
    return node.operators[0] == Operator::join ? tuple : result;
  }

  Types subscript(Node& node) {
    Node& base = node.operands[0];
    check(base, any_type);
    check_all(node, 1,
              integer | tuple | tensor);  // one without dimensions is its element; numpy selects rows
    if (base.types == 0) return 0;
    if (!overlap(base.types, tensor | tuple))
      return error(node, fmt::format("this is {}, which has no subscripts", describe(base.types)));
    if (base.types == tuple && node.operands.size() > 2)
      return error(node.operands[2], "a tuple takes one subscript");
    Types result = 0;
    if (base.types & tensor) result |= tensor | element;
    if (base.types & tuple) result |= integer;
    return result;
  }

  Types slice(Node& node) {
    check(node.operands[0], tuple);
    for (Node* bound : {&node.operands[1], &node.operands[2]})
      check(*bound, bound->kind == NodeKind::literal ? integer | none : integer);
    return tuple;
  }

  Types call(Node& node) {
    if (node.is_call(Function::positions))
      return error(node, "positions(..) is only the domain of all, any, unique or for");
    return call_operands(node);
  }

  Types call_operands(Node& node) {
    const Signature& known = signature(node.function);
    if ((known.rest & (tensor | none)) == (tensor | none)) put_items(node, scope_);  // some may be absent
    if (node.is_call(Function::broadcastable)) {
      put_shapes(node, scope_);
      if (node.operands.size() == 1)
        return error(node, "one shape is broadcastable with no other", fmt::format("write {}", known.usage));
    }
    const bool any_first = known.least == 1 && known.most == many && node.operands.size() > 1;
    for (std::size_t i = 0; i < node.operands.size(); ++i)
      check(node.operands[i], i == 0 && !any_first ? known.first : known.rest);
    if (node.is_call(Function::size) && node.operands[1].kind == NodeKind::literal)
      check_dimension(node.operands[1]);
    if (node.is_call(Function::wrap) && node.operands[0].types != 0)
      return node.operands[0].types & (integer | tuple);
    if (node.is_call(Function::abs) && node.operands[0].types != 0)
      return node.operands[0].types & (integer | number);
    return known.result;
  }

  void check_dimension(const Node& d) {
    const auto* const value = std::get_if<std::int64_t>(&d.value);
    constexpr auto limit = static_cast<std::int64_t>(max_rank);
    if (value != nullptr && (*value < -limit || *value >= limit))
      error(d, fmt::format("dimension {} is out of range", *value), "a tensor has at most 8 dimensions");
  }

  const Text& source_;
  const Scope& scope_;
  Errors& errors_;
  std::vector<Scope::Variable> locals_;
  std::size_t deepest_ = 0;
};

}  // namespace

bool overlap(Types given, Types wanted) {
  if (wanted & number) wanted |= integer;
  return (given & wanted) != 0;
}

std::string describe(Types types) {
  constexpr std::array<std::string_view, 8> words = {"none",   "a boolean", "an integer", "a number",
                                                     "a word", "a dtype",   "a tuple",    "a tensor"};
  if ((types & any_type) == any_type) return "any value";
  std::vector<std::string_view> named;
  for (std::size_t i = 0; i < words.size(); ++i)
    if (types & (1u << i)) named.push_back(words[i]);
  if (named.size() < 2) return named.empty() ? "nothing" : std::string(named[0]);
  const auto last = named.back();
  named.pop_back();
  return fmt::format("{} or {}", fmt::join(named, ", "), last);
}

void check(Node& root, const Text& source, const Scope& scope, Types expected, Errors& errors) {
  Checker checker(source, scope, errors);
  checker.check(root, expected);
  root.local_slots = checker.local_slots();
}

}  // namespace scatterproof::spec::language
