// SPDX-License-Identifier: Apache-2.0
// The text becomes a case file of one case, so that arguments and defaults are checked in one place.
#include "scatterproof/runner/catalogue/call_notation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <regex>
#include <utility>
#include <vector>

#include "call_parser.hpp"
#include "scatterproof/runner/catalogue/api_names.hpp"
#include "scatterproof/spec/cases/case.hpp"
#include "scatterproof/spec/opspec/literal.hpp"

namespace scatterproof::runner {
namespace {

using notation::Named;
using notation::NotACall;
using notation::WrittenValue;

/// `1+2j` as `[1, 2]`.
std::string complex_pair(std::string word) {
  word.pop_back();
  const std::size_t split = word.find_last_of("+-");
  const bool exponent = split != word.npos && split > 0 && (word[split - 1] == 'e' || word[split - 1] == 'p');
  if (split == word.npos || split == 0 || exponent) return fmt::format("[0, {}]", word);
  return fmt::format("[{}, {}]", word.substr(0, split), word.substr(word[split] == '+' ? split + 1 : split));
}

std::string yaml_of(const WrittenValue& value, bool complex);

std::string yaml_of_tensor(const WrittenValue& tensor) {
  const bool complex = tensor.dtype.starts_with('c');
  // The nesting gives the shape, but for a tensor without elements or dimensions.
  const WrittenValue& values = tensor.values[0];
  const bool scalar = values.kind == WrittenValue::Kind::word;
  if (std::ranges::find(tensor.shape, "0") != tensor.shape.end())
    return fmt::format("dtype: {}, shape: [{}]", tensor.dtype, fmt::join(tensor.shape, ", "));
  if (scalar) {
    const std::string one = yaml_of(values, complex);
    return fmt::format("dtype: {}, shape: [], values: {}", tensor.dtype, complex ? one : "[" + one + "]");
  }
  return fmt::format("dtype: {}, values: {}", tensor.dtype, yaml_of(values, complex));
}

std::string yaml_of(const WrittenValue& value, bool complex) {
  switch (value.kind) {
    case WrittenValue::Kind::word:
      if (notation::is_complex(value.text)) return complex_pair(value.text);
      if (complex) return fmt::format("[{}, 0]", value.text);
      if (value.text == "none" || value.text == "None") return "null";
      if (value.text == "True") return "true";
      if (value.text == "False") return "false";
      return notation::is_number(value.text) || notation::is_truth(value.text) ? value.text
                                                                               : "'" + value.text + "'";
    case WrittenValue::Kind::tensor:
      return "{" + yaml_of_tensor(value) + "}";
    default:
      break;
  }
  std::string list = "[";
  for (const WrittenValue& item : value.items) list += (list == "[" ? "" : ", ") + yaml_of(item, complex);
  return list + "]";
}

bool is_bare_number(const WrittenValue& value) {
  return value.kind == WrittenValue::Kind::word &&
         (notation::is_number(value.text) || notation::is_truth(value.text));
}

class CaseText {
 public:
  explicit CaseText(const spec::OpSpec& op) : op_(op) {}

  void add(std::size_t place, const Named& given) {
    const std::string name = given.name.empty() ? name_at(place) : name_here(given);
    const bool is_list = std::ranges::any_of(
        op_.arguments, [&](const spec::ArgumentDecl& one) { return !one.list.empty() && one.list == name; });
    if (!is_list) return set(given.at, name, given.value);
    for (std::size_t i = 0; i < given.value.items.size(); ++i)
      set(given.at, fmt::format("{}_{}", name, i), given.value.items[i]);
  }

  void note(const std::string& name, const std::string& note) {
    const auto found = std::ranges::find(arguments_, name, &std::pair<std::string, std::string>::first);
    if (found == arguments_.end()) return;
    if (note == "left out")
      arguments_.erase(found);
    else if (note.starts_with("strides "))
      add_to(found->second, "strides: " + note.substr(8, note.find(']') - 7) +
                                ", offset: " + note.substr(note.rfind(' ') + 1));
    else if (note.starts_with("in the memory of "))
      memory_ = name;
    else
      add_to(found->second, "layout: " + note);
  }

  /// An argument that shares memory with another, which this notation does not say exactly; may be empty.
  const std::string& shares_memory() const { return memory_; }

  std::string text() const {
    std::string text = fmt::format("api: {}\ncall:\n", op_.api);
    for (const auto& [name, value] : arguments_) text += fmt::format("  {}: {}\n", name, value);
    return arguments_.empty() ? text + "  {}\n" : text;
  }

 private:
  std::string name_at(std::size_t place) const {
    std::vector<std::string> names;  // a list of tensors has one place
    for (const spec::ArgumentDecl& one : op_.arguments)
      if (const std::string& name = one.list.empty() ? one.name : one.list;
          names.empty() || names.back() != name)
        names.push_back(name);
    if (place >= names.size())
      throw NotACall{0, fmt::format("{} has {} arguments", op_.api, names.size()),
                     fmt::format("`scatterproof spec show {}` prints them", op_.api)};
    return names[place];
  }

  std::string name_here(const Named& given) const {
    const std::string& name = given.name;
    if (const spec::ArgumentDecl* meant = spec::argument_meant(op_, name)) return meant->name;
    std::vector<std::string> known;
    for (const spec::ArgumentDecl& one : op_.arguments) {
      known.push_back(one.name);
      if (!one.list.empty()) known.push_back(one.list);
    }
    if (std::ranges::find(known, name) != known.end()) return name;
    throw NotACall{given.at, fmt::format("unknown argument of {} '{}'", op_.api, name),
                   spec::did_you_mean(name, known, fmt::format("its arguments: {}", fmt::join(known, ", ")))};
  }

  void set(std::size_t at, const std::string& name, WrittenValue value) {
    const spec::ArgumentDecl* declared = op_.argument(name);
    const bool takes_tensor = declared && (declared->kind == spec::ArgumentKind::tensor ||
                                           declared->kind == spec::ArgumentKind::tensor_or_scalar);
    if (declared && declared->kind == spec::ArgumentKind::tensor && is_bare_number(value))
      throw NotACall{at, fmt::format("'{}' of {} is a tensor, not a number", name, op_.api),
                     fmt::format("of no dimensions it is written {0}[] {1}, of one {0}[1] [{1}]",
                                 notation::usual_dtype(value, maker()), value.text)};
    if (takes_tensor && value.kind == WrittenValue::Kind::list) {
      const std::string dtype = notation::usual_dtype(value, maker());
      value = {.kind = WrittenValue::Kind::tensor, .dtype = dtype, .values = {value}};
    }
    arguments_.emplace_back(name, yaml_of(value, false));
  }

  /// Whose usual dtypes values without one have.
  std::string_view maker() const {
    return op_.framework == "numpy" ? "np." : op_.framework == "jax" ? "jnp." : "";
  }

  static void add_to(std::string& tensor, const std::string& key) {
    if (tensor.ends_with('}')) tensor.insert(tensor.size() - 1, ", " + key);
  }

  const spec::OpSpec& op_;
  std::vector<std::pair<std::string, std::string>> arguments_;
  std::string memory_;
};

spec::Error error_in(const std::string& text, const NotACall& wrong) {
  return {.file = "the call",
          .at = {1, static_cast<int>(std::min(wrong.at, text.size())) + 1},
          .what = wrong.what,
          .hint = wrong.hint,
          .source_line = text};
}

/// A tuple of lists or tensors; in a list, only tensors: lists in a list are the values of one tensor.
bool is_tuple_of_tensors(const Named& one) {
  using Kind = WrittenValue::Kind;
  const auto& items = one.value.items;
  return one.value.kind == Kind::list && !items.empty() &&
         std::ranges::all_of(items, [&](const WrittenValue& item) {
           return item.kind == Kind::tensor || (one.value.parenthesized && item.kind == Kind::list);
         });
}

/// The argument that is the index of an API with one; null: it is not given, or there is none.
const Named* index_given(const spec::OpSpec& op, const std::vector<Named>& given) {
  const auto index =
      std::ranges::find_if(op.arguments, [&](const spec::ArgumentDecl& one) { return op.is_index(one); });
  if (index == op.arguments.end()) return nullptr;
  const auto place = static_cast<std::size_t>(index - op.arguments.begin());
  for (std::size_t i = 0; i < given.size(); ++i)
    if (given[i].name.empty() ? i == place : given[i].name == index->name) return &given[i];
  return nullptr;
}

bool holds_truths(const WrittenValue& value) {
  if (value.kind == WrittenValue::Kind::tensor) return value.dtype == "bool";
  if (value.kind == WrittenValue::Kind::word) return notation::is_truth(value.text);
  return !value.items.empty() && std::ranges::all_of(value.items, holds_truths);
}

/// `(i, 0, j)` as the index, for a spec that takes the text `$, 0, $` and a list of what `$` stands for.
void select(const spec::OpSpec& op, std::vector<Named>& given, const Named& index) {
  std::vector<std::string> key;
  WrittenValue arrays{.kind = WrittenValue::Kind::list, .parenthesized = true};
  for (const WrittenValue& item : index.value.items) {
    const bool is_array = item.kind != WrittenValue::Kind::word;
    key.push_back(is_array ? "$" : item.text);
    if (is_array) arrays.items.push_back(item);
  }
  const std::size_t at = index.at;
  std::vector<Named> selected;
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (given[i].at == at) continue;
    selected.push_back(given[i]);
    if (given[i].name.empty() && i < op.arguments.size()) selected.back().name = op.arguments[i].name;
  }
  selected.push_back({.at = at, .name = "key", .value = {.text = fmt::format("{}", fmt::join(key, ", "))}});
  if (!arrays.items.empty()) selected.push_back({.at = at, .name = "indices", .value = std::move(arrays)});
  given = std::move(selected);
}

/// A tuple of more than one item as the index is not a list: each item stands for an axis.
const spec::OpSpec& for_tuple(const spec::OpSpec& op, std::vector<Named>& given,
                              const spec::SpecLibrary& specs) {
  if (std::ranges::any_of(given, is_tuple_of_tensors))
    if (const spec::OpSpec& tuple = for_tuple_of_tensors(op, specs); &tuple != &op) return tuple;
  const spec::OpSpec& selection = for_selection(op, specs);
  const Named* const index = index_given(op, given);
  if (&selection == &op || !index || !index->value.parenthesized || index->value.items.size() < 2) return op;
  select(op, given, Named(*index));
  return selection;
}

/// Whether a number is given where the API takes a tensor, or as `value`.
bool gives_a_number(const spec::OpSpec& op, const std::vector<Named>& given) {
  for (std::size_t i = 0; i < given.size(); ++i) {
    const bool by_place = given[i].name.empty() && i < op.arguments.size() &&
                          op.arguments[i].kind == spec::ArgumentKind::tensor;
    if ((by_place || given[i].name == "value") && is_bare_number(given[i].value)) return true;
  }
  return false;
}

/// Takes an axis that is None out of the call. Whether none is left, and the API has no default for it.
bool leaves_axis_out(const spec::OpSpec& op, std::vector<Named>& given) {
  const auto axis = std::ranges::find_if(op.arguments, is_axis, &spec::ArgumentDecl::name);
  if (axis == op.arguments.end()) return false;
  const auto place = static_cast<std::size_t>(axis - op.arguments.begin());
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (given[i].name.empty() ? i != place : given[i].name != axis->name) continue;
    const bool is_none = given[i].value.text == "None" || given[i].value.text == "null";
    if (is_none) given.erase(given.begin() + static_cast<std::ptrdiff_t>(i));
    return is_none;
  }
  return !axis->fallback;
}

spec::Call parsed(const std::string& text, const spec::SpecLibrary& specs, spec::Errors& errors) {
  notation::Parser parser(text);
  const std::string api = parser.name();
  const spec::OpSpec* op = find_api(api, specs);
  if (!op) throw NotACall{0, fmt::format("unknown API '{}'", api), hint_at_api(api, specs)};
  std::vector<Named> given = parser.arguments();
  op = &for_tuple(*op, given, specs);
  if (const Named* index = index_given(*op, given); index && holds_truths(index->value))
    op = &for_mask(*op, specs);
  if (gives_a_number(*op, given)) op = &for_number(*op, specs);
  if (const spec::OpSpec& flat = for_no_axis(*op, specs); &flat != op && leaves_axis_out(*op, given))
    op = &flat;
  CaseText made(*op);
  for (std::size_t i = 0; i < given.size(); ++i) made.add(i, given[i]);
  for (const auto& [name, note] : parser.notes()) made.note(name, note);
  parser.end();
  if (!made.shares_memory().empty())
    throw NotACall{0, fmt::format("'{}' shares memory with another argument", made.shares_memory()),
                   "only a case file can say how (docs/formats/case-format.md: view_of)"};
  auto cases = spec::load_cases_text("the call", made.text(), specs);
  if (cases && cases->size() == 1 && cases->front().unsupported.empty())
    return std::move(cases.value().front().call);
  if (cases) throw NotACall{0, cases->front().unsupported};
  errors = cases.errors();
  std::vector<std::string> names;
  for (const spec::ArgumentDecl& one : op->arguments) names.push_back(one.name);
  for (spec::Error& error : errors) {
    error.at = {};  // the places are those of the text made here
    error.source_line = {};
    if (error.hint.empty()) error.hint = fmt::format("its arguments: {}", fmt::join(names, ", "));
  }
  return {};
}

}  // namespace

bool is_call_text(const std::string& word) { return word.find('(') != word.npos; }

std::string on_one_line(const std::string& text) {
  static const std::regex line_break(R"(\s*\n\s*)");
  return std::regex_replace(text, line_break, " ");
}

spec::Result<spec::Call> read_call_text(const std::string& text, const spec::SpecLibrary& specs) try {
  spec::Errors errors;
  spec::Call call = parsed(text, specs, errors);
  if (!errors.empty()) return errors;
  return call;
} catch (const NotACall& wrong) {
  return error_in(text, wrong);
}

}  // namespace scatterproof::runner
