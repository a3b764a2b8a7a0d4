// SPDX-License-Identifier: Apache-2.0
// The text becomes a case file of one case, so that arguments and defaults are checked in one place.
#include "scatterproof/runner/catalogue/call_notation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "scatterproof/spec/cases/case.hpp"

namespace scatterproof::runner {
namespace {

struct Value {
  enum class Kind { word, list, tensor } kind = Kind::word;
  std::string text = {};                ///< of a word: a number, a choice, none
  std::vector<Value> items = {};        ///< of a list
  std::string dtype = {};               ///< of a tensor
  std::vector<Value> values = {};       ///< of a tensor: one, a word or a list
  std::vector<std::string> shape = {};  ///< of a tensor, where it is written
};

struct Named {
  std::string name;  ///< empty: by place
  Value value;
};

struct Malformed {
  std::size_t at;
  std::string what;
  std::string hint = {};
};

/// `torch.int64`, `np.float32`, `"bool"`, `jnp.bfloat16`, `f32`: the dtype's name here; empty: unknown.
std::string dtype_of(std::string_view name) {
  static const std::map<std::string_view, std::string_view> python = {
      {"bool_", "bool"},  {"uint8", "u8"},      {"int8", "i8"},    {"int16", "i16"},
      {"short", "i16"},   {"int32", "i32"},     {"int", "i32"},    {"int64", "i64"},
      {"long", "i64"},    {"float16", "f16"},   {"half", "f16"},   {"bfloat16", "bf16"},
      {"float32", "f32"}, {"float", "f32"},     {"single", "f32"}, {"float64", "f64"},
      {"double", "f64"},  {"complex64", "c64"}, {"cfloat", "c64"}, {"complex128", "c128"},
      {"cdouble", "c128"}};
  if (const auto dot = name.rfind('.'); dot != name.npos) name.remove_prefix(dot + 1);
  const auto found = python.find(name);
  const std::string_view own = found == python.end() ? name : found->second;
  return spec::parse_dtype(own) ? std::string(own) : "";
}

bool is_constructor(std::string_view name) {
  constexpr std::array<std::string_view, 7> names = {"tensor", "array",     "asarray",  "constant",
                                                     "Tensor", "to_tensor", "as_tensor"};
  if (const auto dot = name.rfind('.'); dot != name.npos) name.remove_prefix(dot + 1);
  return std::ranges::find(names, name) != names.end();
}

bool is_number(const std::string& word) {
  const std::size_t sign = word.starts_with('-') || word.starts_with('+');
  const std::string_view rest = std::string_view(word).substr(sign);
  return rest == "nan" || rest == "inf" || (!rest.empty() && (std::isdigit(rest[0]) || rest[0] == '.'));
}

bool is_complex(const std::string& word) { return is_number(word) && word.ends_with('j'); }

bool is_float(const std::string& word) {
  return is_number(word) && word.find_first_of(".en") != word.npos && !word.starts_with("0x");
}

/// The first word for which a test holds, at any depth.
bool any_word(const Value& value, bool (*test)(const std::string&)) {
  if (value.kind == Value::Kind::word) return test(value.text);
  return std::ranges::any_of(value.items, [&](const Value& item) { return any_word(item, test); });
}

bool is_truth(const std::string& word) {
  return word == "true" || word == "false" || word == "True" || word == "False";
}

/// What a framework makes of values without a dtype. `maker`: `np.array`, `torch.tensor`; may be empty.
std::string usual_dtype(const Value& values, std::string_view maker) {
  const bool numpy = maker.starts_with("np.") || maker.starts_with("numpy.");
  const bool narrow = maker.starts_with("jnp.") || maker.starts_with("jax.") || maker.starts_with("tf.");
  if (any_word(values, is_complex)) return numpy ? "c128" : "c64";
  if (any_word(values, is_float)) return numpy ? "f64" : "f32";
  if (any_word(values, is_truth)) return "bool";
  return narrow ? "i32" : "i64";
}

class Parser {
 public:
  explicit Parser(const std::string& text) : text_(text) {}

  std::string name() {
    skip();
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_name(text_[at_])) ++at_;
    if (at_ == begin) fail("expected a name");
    return text_.substr(begin, at_ - begin);
  }

  std::vector<Named> arguments() {
    std::vector<Named> all;
    expect('(');
    while (!take(')')) {
      if (!all.empty()) expect(',');
      if (take(')')) break;
      all.push_back(argument());
    }
    return all;
  }

  /// `(input: transposed, dim: left out)`: by argument, in the printed order.
  std::vector<std::pair<std::string, std::string>> notes() {
    std::vector<std::pair<std::string, std::string>> all;
    if (!take('(')) return all;
    do {
      std::string key = name();
      expect(':');
      skip();
      const std::size_t begin = at_;
      for (int depth = 0; at_ < text_.size() && (depth > 0 || (text_[at_] != ',' && text_[at_] != ')'));
           ++at_)
        depth += text_[at_] == '[' ? 1 : text_[at_] == ']' ? -1 : 0;
      std::string note = text_.substr(begin, at_ - begin);
      if (note.starts_with("strides ") && take(',')) {  // `strides [2, 1], offset 3` is one note
        skip();
        const std::size_t more = at_;
        while (at_ < text_.size() && text_[at_] != ',' && text_[at_] != ')') ++at_;
        note += ", " + text_.substr(more, at_ - more);
      }
      all.emplace_back(std::move(key), std::move(note));
    } while (take(','));
    expect(')');
    return all;
  }

  void end() {
    skip();
    if (at_ < text_.size()) fail("expected the end of the call");
  }
  std::size_t at() const { return at_; }

 private:
  static bool is_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.'; }

  [[noreturn]] void fail(std::string what, std::string hint = {}) const {
    throw Malformed{at_, std::move(what), std::move(hint)};
  }
  void skip() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  bool take(char c) {
    skip();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!take(c)) fail(fmt::format("expected '{}'", c));
  }

  Named argument() {
    skip();
    const std::size_t begin = at_;
    std::size_t end = begin;
    while (end < text_.size() && is_name(text_[end])) ++end;
    std::size_t next = end;
    while (next < text_.size() && text_[next] == ' ') ++next;
    if (end > begin && next < text_.size() && text_[next] == '=') {
      at_ = next + 1;
      return {text_.substr(begin, end - begin), value()};
    }
    return {"", value()};
  }

  Value value() {
    skip();
    if (at_ == text_.size()) fail("expected a value");
    if (text_.compare(at_, 3, "...") == 0)
      fail("the call is cut off here", "write every element: `...` stands for some that were not printed");
    if (take('[')) return list(']');
    if (take('(')) return list(')');
    if (text_[at_] == '\'' || text_[at_] == '"') return quoted();
    if (text_[at_] == '-' || text_[at_] == '+' || std::isdigit(static_cast<unsigned char>(text_[at_])))
      return {.text = number()};
    const std::string word = name();
    if (const std::string dtype = spec::parse_dtype(word) ? word : ""; !dtype.empty() && take('['))
      return printed(dtype);
    if (take('(')) {
      --at_;
      return constructed(word);
    }
    return {.text = word};
  }

  Value list(char end) {
    Value made{.kind = Value::Kind::list};
    while (!take(end)) {
      if (!made.items.empty()) expect(',');
      if (take(end)) break;
      made.items.push_back(value());
    }
    return made;
  }

  Value quoted() {
    const char quote = text_[at_++];
    const std::size_t end = text_.find(quote, at_);
    if (end == text_.npos) fail("a quoted word without an end");
    Value made{.text = text_.substr(at_, end - at_)};
    at_ = end + 1;
    return made;
  }

  /// Also `1+2j`, `0x1.8p3` and `-inf`.
  std::string number() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (is_name(text_[at_]) || text_[at_] == '-' || text_[at_] == '+')) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  /// Behind `f32[`.
  Value printed(const std::string& dtype) {
    Value made{.kind = Value::Kind::tensor, .dtype = dtype};
    for (const Value& size : list(']').items) made.shape.push_back(size.text);
    made.values.push_back(value());
    return made;
  }

  Value constructed(const std::string& maker) {
    if (!is_constructor(maker))
      fail(fmt::format("'{}' makes no tensor that is known here", maker),
           "write a tensor as a list, as np.array(..) or as f32[2] [1.0, 2.0]");
    std::vector<Named> given = arguments();
    if (given.empty() || !given[0].name.empty()) fail("expected the values of a tensor");
    Value made{.kind = Value::Kind::tensor, .values = {given[0].value}};
    for (std::size_t i = 1; i < given.size(); ++i) {
      const Named& one = given[i];
      if (one.name != "dtype" && !(i == 1 && one.name.empty())) continue;  // device, requires_grad
      made.dtype = dtype_of(one.value.text);
      if (made.dtype.empty()) fail(fmt::format("unknown dtype '{}'", one.value.text));
    }
    if (made.dtype.empty()) made.dtype = usual_dtype(given[0].value, maker);
    return made;
  }

  const std::string& text_;
  std::size_t at_ = 0;
};

// ---- the case file

/// `1+2j` as `[1, 2]`.
std::string complex_pair(std::string word) {
  word.pop_back();
  const std::size_t split = word.find_last_of("+-");
  const bool exponent = split != word.npos && split > 0 && (word[split - 1] == 'e' || word[split - 1] == 'p');
  if (split == word.npos || split == 0 || exponent) return fmt::format("[0, {}]", word);
  return fmt::format("[{}, {}]", word.substr(0, split), word.substr(word[split] == '+' ? split + 1 : split));
}

std::string yaml_of(const Value& value, bool complex);

std::string yaml_of_tensor(const Value& tensor) {
  const bool complex = tensor.dtype.starts_with('c');
  // The nesting gives the shape, but for a tensor without elements or dimensions.
  const Value& values = tensor.values[0];
  const bool scalar = values.kind == Value::Kind::word;
  if (std::ranges::find(tensor.shape, "0") != tensor.shape.end())
    return fmt::format("dtype: {}, shape: [{}]", tensor.dtype, fmt::join(tensor.shape, ", "));
  if (scalar) {
    const std::string one = yaml_of(values, complex);
    return fmt::format("dtype: {}, shape: [], values: {}", tensor.dtype, complex ? one : "[" + one + "]");
  }
  return fmt::format("dtype: {}, values: {}", tensor.dtype, yaml_of(values, complex));
}

std::string yaml_of(const Value& value, bool complex) {
  switch (value.kind) {
    case Value::Kind::word:
      if (is_complex(value.text)) return complex_pair(value.text);
      if (complex) return fmt::format("[{}, 0]", value.text);
      if (value.text == "none" || value.text == "None") return "null";
      if (value.text == "True") return "true";
      if (value.text == "False") return "false";
      return is_number(value.text) || is_truth(value.text) ? value.text : "'" + value.text + "'";
    case Value::Kind::tensor:
      return "{" + yaml_of_tensor(value) + "}";
    default:
      break;
  }
  std::string list = "[";
  for (const Value& item : value.items) list += (list == "[" ? "" : ", ") + yaml_of(item, complex);
  return list + "]";
}

class CaseText {
 public:
  explicit CaseText(const spec::OpSpec& op) : op_(op) {}

  void add(std::size_t place, const Named& given) {
    const std::string name = given.name.empty() ? name_at(place) : name_here(given.name);
    const bool is_list = std::ranges::any_of(
        op_.arguments, [&](const spec::ArgumentDecl& one) { return !one.list.empty() && one.list == name; });
    if (!is_list) return set(name, given.value);
    for (std::size_t i = 0; i < given.value.items.size(); ++i)
      set(fmt::format("{}_{}", name, i), given.value.items[i]);
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
    std::string text =
        fmt::format("api: {}\ncases:\n  - id: call\n    why: as it was given\n    call:\n", op_.api);
    for (const auto& [name, value] : arguments_) text += fmt::format("      {}: {}\n", name, value);
    return arguments_.empty() ? text + "      {}\n" : text;
  }

 private:
  std::string name_at(std::size_t place) const {
    std::vector<std::string> names;  // a list of tensors has one place
    for (const spec::ArgumentDecl& one : op_.arguments)
      if (const std::string& name = one.list.empty() ? one.name : one.list;
          names.empty() || names.back() != name)
        names.push_back(name);
    if (place >= names.size())
      throw Malformed{0, fmt::format("{} has {} arguments", op_.api, names.size()),
                      fmt::format("`scatterproof spec show {}` prints them", op_.api)};
    return names[place];
  }

  /// A method's page and its function's page call the first argument `self` and `input`.
  std::string name_here(const std::string& name) const {
    const bool other = (name == "input" || name == "self") && !op_.argument(name);
    return other ? op_.arguments.front().name : name;
  }

  void set(const std::string& name, Value value) {
    const spec::ArgumentDecl* declared = op_.argument(name);
    const bool takes_tensor = declared && (declared->kind == spec::ArgumentKind::tensor ||
                                           declared->kind == spec::ArgumentKind::tensor_or_scalar);
    if (takes_tensor && value.kind == Value::Kind::list) {
      const std::string dtype = usual_dtype(value, op_.framework == "numpy" ? "np."
                                                   : op_.framework == "jax" ? "jnp."
                                                                            : "");
      value = {.kind = Value::Kind::tensor, .dtype = dtype, .values = {value}};
    }
    arguments_.emplace_back(name, yaml_of(value, false));
  }

  static void add_to(std::string& tensor, const std::string& key) {
    if (tensor.ends_with('}')) tensor.insert(tensor.size() - 1, ", " + key);
  }

  const spec::OpSpec& op_;
  std::vector<std::pair<std::string, std::string>> arguments_;
  std::string memory_;
};

spec::Error error_in(const std::string& text, const Malformed& wrong) {
  return {.file = "the call",
          .at = {1, static_cast<int>(std::min(wrong.at, text.size())) + 1},
          .what = wrong.what,
          .hint = wrong.hint,
          .source_line = text};
}

spec::Call parsed(const std::string& text, const spec::SpecLibrary& specs, spec::Errors& errors) {
  Parser parser(text);
  const std::string api = parser.name();
  const spec::OpSpec* op = specs.find(api);
  if (!op) {
    std::vector<std::string> known;
    for (const spec::OpSpec& one : specs.all()) known.push_back(one.api);
    throw Malformed{0, fmt::format("unknown API '{}'", api),
                    spec::did_you_mean(api, known, "`scatterproof spec list` prints every API")};
  }
  CaseText made(*op);
  const std::vector<Named> given = parser.arguments();
  for (std::size_t i = 0; i < given.size(); ++i) made.add(i, given[i]);
  for (const auto& [name, note] : parser.notes()) made.note(name, note);
  parser.end();
  if (!made.shares_memory().empty())
    throw Malformed{0, fmt::format("'{}' shares memory with another argument", made.shares_memory()),
                    "only a case file can say how (docs/formats/case-format.md: view_of)"};
  auto cases = spec::load_cases_text("the call", made.text(), specs);
  if (cases && cases->size() == 1 && cases->front().unsupported.empty())
    return std::move(cases.value().front().call);
  if (cases) throw Malformed{0, cases->front().unsupported};
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

spec::Result<spec::Call> read_call_text(const std::string& text, const spec::SpecLibrary& specs) try {
  spec::Errors errors;
  spec::Call call = parsed(text, specs, errors);
  if (!errors.empty()) return errors;
  return call;
} catch (const Malformed& wrong) {
  return error_in(text, wrong);
}

}  // namespace scatterproof::runner
