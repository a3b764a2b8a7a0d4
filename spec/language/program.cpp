// SPDX-License-Identifier: Apache-2.0
// Reads a printed formula line by line: indentation makes blocks, names are mapped to the arguments', and a
// line whose subscripts are free names (i, j, k) becomes a loop over all positions of the tensor they
// subscript.
#include "program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include "checker.hpp"
#include "expression.hpp"
#include "lower.hpp"
#include "syntax.hpp"

namespace scatterproof::spec::language {
namespace {

// Lines must not move in memory: a line's syntax points into its text.
struct Line {
  int indent = 0;
  Text text;  ///< without the indentation
  std::unique_ptr<Syntax> syntax;
};

constexpr Types boolean = static_cast<Types>(Type::boolean);
constexpr Types integer = static_cast<Types>(Type::integer);
constexpr Types tuple = static_cast<Types>(Type::tuple);
constexpr Types tensor = static_cast<Types>(Type::tensor);

using Lines = std::deque<Line>;

Lines read_lines(const Text& source, Errors& errors) {
  Lines lines;
  for (std::size_t begin = 0; begin < source.text.size();) {
    const std::size_t end = std::min(source.text.find('\n', begin), source.text.size());
    std::size_t first = begin;
    while (first < end && (source.text[first] == ' ' || source.text[first] == '\t')) ++first;
    const std::string text = source.text.substr(first, end - first);
    const bool skip = text.empty() || text[0] == '#' || text[0] == '\r';
    if (!skip) {
      Line& line = lines.emplace_back(
          Line{static_cast<int>(first - begin), {source.file, place_in(source, first), text}, nullptr});
      auto syntax = parse_syntax(line.text, Goal::program_line);
      if (!syntax)
        errors.insert(errors.end(), syntax.errors().begin(), syntax.errors().end());
      else
        line.syntax = std::move(syntax.value());
    }
    begin = end + 1;
  }
  return lines;
}

/// The name in front of an assignment's target.
std::string target_name(const Syntax& assignment) {
  const Syntax& target = *assignment.children[0];
  return std::string(target.form == SyntaxKind::postfix ? target.children[0]->text : target.text);
}

class ProgramReader {
 public:
  ProgramReader(Lines& lines, const ProgramNames& names, const Scope& scope, Errors& errors)
      : lines_(lines), names_(names), scope_(scope), errors_(errors) {}

  void read(Program& program) {
    program.result_name = result_name();
    int slot = -1;
    if (!program.result_name.empty() && scope_.find(program.result_name, &slot) == nullptr)
      slot = scope_.declare(program.result_name, tensor);
    program.result = slot;
    if (!lines_.empty()) program.body = block(lines_[0].indent);
    if (next_ < lines_.size()) error(lines_[next_], 0, "this line is indented less than the first");
    program.slots = scope_.size();
  }

 private:
  std::string ours(std::string_view theirs) const {
    for (const auto& [document, argument] : names_.renamed)
      if (document == theirs) return argument;
    return std::string(theirs);
  }

  /// What `result:` or `return` names; else the target of the last assignment.
  std::string result_name() const {
    if (!names_.result.empty()) return ours(names_.result);
    std::string last;
    for (const Line& line : lines_) {
      if (line.syntax->form == SyntaxKind::return_line) return ours(line.syntax->children[0]->text);
      if (line.syntax->form == SyntaxKind::assignment) last = target_name(*line.syntax);
    }
    return ours(last);
  }

  void error(const Line& line, std::size_t offset, std::string what, std::string hint = {}) {
    errors_.push_back(error_at(line.text, offset, std::move(what), std::move(hint)));
  }

  // --- blocks ---

  Statements block(int indent) {
    Statements statements;
    while (next_ < lines_.size() && lines_[next_].indent >= indent) {
      if (lines_[next_].indent > indent)
        error(lines_[next_], 0, "this line is indented more than the one above");
      const Line& line = lines_[next_++];
      statement(line, indent, statements);
    }
    return statements;
  }

  /// The lines below a header, indented more than it.
  Statements body(const Line& header, int indent) {
    if (next_ < lines_.size() && lines_[next_].indent > indent) return block(lines_[next_].indent);
    error(header, 0, "an indented line must follow");
    return {};
  }

  void statement(const Line& line, int indent, Statements& into) {
    errors_before_ = errors_.size();
    switch (line.syntax->form) {
      case SyntaxKind::loop_line:
        into.push_back({loop(line, indent)});
        break;
      case SyntaxKind::if_line:
        into.push_back({branch(line, indent)});
        break;
      case SyntaxKind::elif_line:
      case SyntaxKind::else_line:
        error(line, 0, "there is no 'if' above");
        (void)body(line, indent);
        break;
      case SyntaxKind::function_line:
        function(line, indent, into);
        break;
      case SyntaxKind::return_line:
        into.push_back({Return{}});
        break;
      case SyntaxKind::import_line:
        break;
      default:
        assignment(line, into);
    }
  }

  void function(const Line& line, int indent, Statements& into) {
    const auto& names = line.syntax->children;
    for (std::size_t i = 1; i < names.size(); ++i)
      if (scope_.find(ours(names[i]->text)) == nullptr)
        error(line, names[i]->begin, fmt::format("the API has no argument '{}'", ours(names[i]->text)),
              "map the document's name under 'names'");
    Statements inner = body(line, indent);
    std::move(inner.begin(), inner.end(), std::back_inserter(into));
  }

  ForLoop loop(const Line& line, int indent) {
    const auto& parts = line.syntax->children;
    ForLoop loop;
    Node domain = node(line, *parts.back(), Notation::numpy);
    loop.over_positions = domain.is_call(Function::positions);
    if (loop.over_positions) domain = Node(std::move(domain.operands[0]));
    loop.domain = checked(line, std::move(domain), loop.over_positions ? tuple | integer : tuple);
    loop.apart = parts.size() > 2;
    for (std::size_t i = 0; i + 1 < parts.size(); ++i) loop.slots.push_back(loop_variable(line, *parts[i]));
    ++loops_;
    loop.body = body(line, indent);
    --loops_;
    return loop;
  }

  int loop_variable(const Line& line, const Syntax& name) {
    int slot = -1;
    if (scope_.find(name.text, &slot) == nullptr) return own(std::string(name.text), integer | tuple);
    if (!is_own(slot)) error(line, name.begin, fmt::format("'{}' is already an argument", name.text));
    return slot;
  }

  Branch branch(const Line& line, int indent) {
    Branch branch;
    branch.condition = condition(line, *line.syntax->children[0]);
    branch.then = body(line, indent);
    if (next_ >= lines_.size() || lines_[next_].indent != indent) return branch;
    const Line& other = lines_[next_];
    if (other.syntax->form == SyntaxKind::else_line) {
      ++next_;
      branch.otherwise = body(other, indent);
    } else if (other.syntax->form == SyntaxKind::elif_line) {
      ++next_;
      branch.otherwise.push_back({this->branch(other, indent)});
    }
    return branch;
  }

  // --- expressions ---

  Node node(const Line& line, const Syntax& syntax, Notation notation) {
    Node result = lower(syntax, line.text, notation, errors_);
    rename(result);
    return result;
  }

  void rename(Node& node) {
    if (node.kind == NodeKind::variable) node.name = ours(node.name);
    for (Node& operand : node.operands) rename(operand);
  }

  /// Null after an error on this line: a line that could not be read has no types to check.
  ExpressionPtr checked(const Line& line, Node root, Types expected) {
    if (errors_.size() > errors_before_) return nullptr;
    return finish(std::move(root), line.text.text, line.text, scope_, expected, errors_);
  }

  ExpressionPtr condition(const Line& line, const Syntax& syntax) {
    return checked(line, node(line, syntax, Notation::numpy), boolean);
  }

  int own(std::string name, Types types) {
    own_.push_back(scope_.declare(std::move(name), types));
    return own_.back();
  }
  bool is_own(int slot) const { return std::find(own_.begin(), own_.end(), slot) != own_.end(); }

  // --- assignments ---

  void assignment(const Line& line, Statements& into) {
    const Syntax& syntax = *line.syntax;
    const Syntax &target = *syntax.children[0], &value = *syntax.children[2];
    Statements statements;
    const std::vector<std::string> free =
        loops_ == 0 ? free_names(line, target, value) : std::vector<std::string>{};
    if (!free.empty())
      statements.push_back({over_all(line, target, value, free)});
    else
      statements.push_back({assign(line, target, value, Notation::numpy)});
    if (syntax.children.size() < 4) {
      std::move(statements.begin(), statements.end(), std::back_inserter(into));
      return;
    }
    Branch branch;
    branch.condition = condition(line, *syntax.children[3]->children[0]);
    branch.then = std::move(statements);
    into.push_back({std::move(branch)});
  }

  Assignment assign(const Line& line, const Syntax& target, const Syntax& value, Notation notation) {
    Assignment result;
    result.numpy = notation == Notation::numpy;
    const std::string_view sign = line.syntax->children[1]->text;
    if (sign != "=") result.op = sign == "+=" ? Operator::add : Operator::multiply;
    const Syntax* const sizes_or_tensor = array_call(value, result.source);
    Node right = node(line, sizes_or_tensor ? *sizes_or_tensor : value, notation);
    if (result.source == Assignment::Source::zeros && right.kind == NodeKind::list)
      right.kind = NodeKind::tuple;  // sizes are printed either way
    result.value = checked(line, std::move(right),
                           result.source == Assignment::Source::copy    ? tensor
                           : result.source == Assignment::Source::zeros ? tuple | integer
                                                                        : any_type);
    Node left = node(line, target, notation);
    if (left.kind == NodeKind::variable) {
      result.slot = assigned_name(line, left, result);
    } else if (left.kind == NodeKind::subscript && left.operands[0].kind == NodeKind::variable) {
      result.target = checked(line, std::move(left), any_type);
      if (result.target) result.slot = result.target->root().operands[0].slot;
    } else {
      error(line, 0, "only a name or its elements can be assigned to");
    }
    return result;
  }

  int assigned_name(const Line& line, const Node& left, const Assignment& assignment) {
    const bool makes_tensor = assignment.source != Assignment::Source::value;
    const Types types = makes_tensor ? tensor : assignment.value ? assignment.value->types() : any_type;
    if (assignment.op) error(line, 0, "'+=' and '*=' only apply to elements");
    if (types == tensor && !makes_tensor)
      error(line, 0, "a second name for a tensor is not supported", "write np.copy(x)");
    int slot = -1;
    return scope_.find(left.name, &slot) != nullptr ? slot : own(left.name, types);
  }

  /// The operand of np.copy(x) or np.zeros(s); documents also print their framework's name for np.
  static const Syntax* array_call(const Syntax& value, Assignment::Source& source) {
    if (value.form != SyntaxKind::postfix || value.children.size() != 3) return nullptr;
    const Syntax &module = *value.children[0], &attribute = *value.children[1],
                 &arguments = *value.children[2];
    if (!is_array_module(module.text)) return nullptr;
    if (attribute.form != SyntaxKind::attribute || arguments.form != SyntaxKind::arguments) return nullptr;
    const std::string_view name = attribute.children[0]->text;
    const bool one = std::count_if(arguments.children.begin(), arguments.children.end(),
                                   [](const auto& child) { return child->form != SyntaxKind::sign; }) == 1;
    if (!one || (name != "copy" && name != "zeros")) return nullptr;
    source = name == "copy" ? Assignment::Source::copy : Assignment::Source::zeros;
    return arguments.children[0].get();
  }

  // --- subscript formulas ---

  /// Unknown names that are a subscript by themselves, in the order of the line.
  std::vector<std::string> free_names(const Line& line, const Syntax& target, const Syntax& value) {
    Errors ignored;  // reported when the line is read again
    std::vector<std::string> names;
    for (const Syntax* side : {&target, &value}) {
      Assignment::Source source;
      const Syntax* const inner = array_call(*side, source);
      Node root = lower(inner ? *inner : *side, line.text, Notation::subscripts, ignored);
      rename(root);
      collect_free(root, names);
    }
    return names;
  }

  void collect_free(const Node& node, std::vector<std::string>& names) const {
    for (std::size_t i = 0; i < node.operands.size(); ++i) {
      const Node& operand = node.operands[i];
      const bool subscript = node.kind == NodeKind::subscript && i > 0 && operand.kind == NodeKind::variable;
      int slot = -1;
      const bool known = subscript && scope_.find(operand.name, &slot) != nullptr && !is_free(slot);
      if (subscript && !known && std::find(names.begin(), names.end(), operand.name) == names.end())
        names.push_back(operand.name);
      collect_free(operand, names);
    }
  }
  bool is_free(int slot) const { return std::find(free_.begin(), free_.end(), slot) != free_.end(); }

  /// The first part of the line that is a name subscripted with exactly the free names.
  static const Node* ranging(const Node& node, const std::vector<std::string>& free) {
    if (node.kind == NodeKind::subscript && node.operands[0].kind == NodeKind::variable &&
        node.operands.size() == free.size() + 1) {
      const bool alone = std::all_of(free.begin(), free.end(), [&](const std::string& name) {
        return std::count_if(node.operands.begin() + 1, node.operands.end(), [&](const Node& n) {
                 return n.kind == NodeKind::variable && n.name == name;
               }) == 1;
      });
      if (alone) return &node;
    }
    for (const Node& operand : node.operands)
      if (const Node* found = ranging(operand, free)) return found;
    return nullptr;
  }

  ForLoop over_all(const Line& line, const Syntax& target, const Syntax& value,
                   const std::vector<std::string>& free) {
    for (const std::string& name : free)
      if (scope_.find(name) == nullptr) free_.push_back(scope_.declare(name, integer));
    const Node left = node(line, target, Notation::subscripts),
               right = node(line, value, Notation::subscripts);
    const Node* found = ranging(left, free);
    if (found == nullptr) found = ranging(right, free);
    ForLoop loop;
    loop.over_positions = loop.apart = true;
    if (found == nullptr) {
      error(line, 0,
            fmt::format("no tensor of this line is subscripted with {} alone, so their range is not known",
                        fmt::join(free, ", ")));
      return loop;
    }
    Node shape;
    shape.kind = NodeKind::call;
    shape.function = Function::shape;
    shape.begin = found->begin;
    shape.operands.push_back(found->operands[0]);
    loop.domain = checked(line, std::move(shape), tuple);
    for (std::size_t i = 1; i < found->operands.size(); ++i) {
      loop.slots.push_back(-1);
      (void)scope_.find(found->operands[i].name, &loop.slots.back());
    }
    loop.body.push_back({assign(line, target, value, Notation::subscripts)});
    return loop;
  }

  Lines& lines_;
  const ProgramNames& names_;
  Scope scope_;
  Errors& errors_;
  std::size_t next_ = 0;
  std::size_t errors_before_ = 0;  // the line that is being read
  int loops_ = 0;
  std::vector<int> own_;   // slots of the program's own names
  std::vector<int> free_;  // slots of i, j, k
};

}  // namespace

Result<std::shared_ptr<const Program>> parse_program(const Text& text, const ProgramNames& names,
                                                     const Scope& scope) {
  Errors errors;
  Lines lines = read_lines(text, errors);
  if (!errors.empty()) return errors;
  auto program = std::make_shared<Program>();
  ProgramReader(lines, names, scope, errors).read(*program);
  if (errors.empty() && program->result < 0)
    errors.push_back(error_at(text, 0, "the formula assigns nothing"));
  if (!errors.empty()) return errors;
  return std::shared_ptr<const Program>(std::move(program));
}

}  // namespace scatterproof::spec::language
