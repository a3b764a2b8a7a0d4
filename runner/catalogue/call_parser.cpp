// SPDX-License-Identifier: Apache-2.0
#include "call_parser.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <map>
#include <regex>
#include <span>

#include "scatterproof/spec/core/dtype.hpp"

namespace scatterproof::runner::notation {
namespace {

bool is_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.'; }

std::string_view last_part(std::string_view name) {
  if (const auto dot = name.rfind('.'); dot != name.npos) name.remove_prefix(dot + 1);
  return name;
}

/// `torch.int64`, `np.float32`, `"bool"`, `jnp.bfloat16`, `f32`: the dtype's name here; empty: unknown.
std::string dtype_of(std::string_view name) {
  static const std::map<std::string_view, std::string_view> python = {
      {"bool_", "bool"},  {"uint8", "u8"},      {"int8", "i8"},    {"int16", "i16"},
      {"short", "i16"},   {"int32", "i32"},     {"int", "i32"},    {"int64", "i64"},
      {"long", "i64"},    {"float16", "f16"},   {"half", "f16"},   {"bfloat16", "bf16"},
      {"float32", "f32"}, {"float", "f32"},     {"single", "f32"}, {"float64", "f64"},
      {"double", "f64"},  {"complex64", "c64"}, {"cfloat", "c64"}, {"complex128", "c128"},
      {"cdouble", "c128"}};
  name = last_part(name);
  const auto found = python.find(name);
  const std::string_view own = found == python.end() ? name : found->second;
  return spec::parse_dtype(own) ? std::string(own) : "";
}

bool is_constructor(std::string_view name) {
  constexpr std::array<std::string_view, 7> names = {"tensor", "array",     "asarray",  "constant",
                                                     "Tensor", "to_tensor", "as_tensor"};
  return std::ranges::find(names, last_part(name)) != names.end();
}

bool is_filler(std::string_view name) {
  constexpr std::array<std::string_view, 3> names = {"zeros", "ones", "full"};
  return std::ranges::find(names, last_part(name)) != names.end();
}

WrittenValue filled_with(const WrittenValue& one, std::span<const std::int64_t> sizes) {
  if (sizes.empty()) return one;
  WrittenValue made{.kind = WrittenValue::Kind::list};
  made.items.assign(static_cast<std::size_t>(sizes.front()), filled_with(one, sizes.subspan(1)));
  return made;
}

/// Whether a number begins with `nan` or `inf` and goes on: `nan(0x.4)`, `inf-1j`.
bool starts_with_word(std::string_view text) {
  return text.size() > 3 && (text.starts_with("nan") || text.starts_with("inf")) &&
         std::string_view("(+-j").find(text[3]) != std::string_view::npos;
}

bool is_float(const std::string& word) {
  return is_number(word) && word.find_first_of(".en") != word.npos && !word.starts_with("0x");
}

/// Whether a test holds for some word, at any depth.
bool any_word(const WrittenValue& value, bool (*test)(const std::string&)) {
  if (value.kind == WrittenValue::Kind::word) return test(value.text);
  return std::ranges::any_of(value.items, [&](const WrittenValue& item) { return any_word(item, test); });
}

/// The sizes of lists in lists, by the first item of each.
std::vector<std::string> nesting(const WrittenValue& value) {
  std::vector<std::string> sizes;
  for (const WrittenValue* list = &value; list->kind == WrittenValue::Kind::list; list = &list->items[0]) {
    sizes.push_back(fmt::format("{}", list->items.size()));
    if (list->items.empty()) break;
  }
  return sizes;
}

}  // namespace

bool is_number(const std::string& word) {
  const std::size_t sign = word.starts_with('-') || word.starts_with('+');
  const std::string_view rest = std::string_view(word).substr(sign);
  return rest == "nan" || rest == "inf" || starts_with_word(rest) ||
         (!rest.empty() && (std::isdigit(rest[0]) || rest[0] == '.'));
}

bool is_complex(const std::string& word) { return is_number(word) && word.ends_with('j'); }

bool is_truth(const std::string& word) {
  return word == "true" || word == "false" || word == "True" || word == "False";
}

std::string usual_dtype(const WrittenValue& values, std::string_view maker) {
  const bool numpy = maker.starts_with("np.") || maker.starts_with("numpy.");
  const bool narrow = maker.starts_with("jnp.") || maker.starts_with("jax.") || maker.starts_with("tf.");
  if (any_word(values, is_complex)) return numpy ? "c128" : "c64";
  if (any_word(values, is_float)) return numpy ? "f64" : "f32";
  if (any_word(values, is_truth)) return "bool";
  return narrow ? "i32" : "i64";
}

std::string Parser::name() {
  skip();
  const std::size_t begin = at_;
  while (at_ < text_.size() && is_name(text_[at_])) ++at_;
  if (at_ == begin) fail("expected a name");
  return text_.substr(begin, at_ - begin);
}

std::vector<Named> Parser::arguments() {
  std::vector<Named> all;
  expect('(');
  while (!take(')')) {
    if (!all.empty()) expect(',');
    if (take(')')) break;
    all.push_back(argument());
  }
  return all;
}

std::vector<std::pair<std::string, std::string>> Parser::notes() {
  std::vector<std::pair<std::string, std::string>> all;
  if (!take('(')) return all;
  do {
    std::string key = name();
    expect(':');
    skip();
    const std::size_t begin = at_;
    for (int depth = 0; at_ < text_.size() && (depth > 0 || (text_[at_] != ',' && text_[at_] != ')')); ++at_)
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

void Parser::end() {
  skip();
  if (at_ < text_.size()) fail("expected the end of the call");
}

[[noreturn]] void Parser::fail(std::string what, std::string hint) const {
  throw NotACall{at_, std::move(what), std::move(hint)};
}
void Parser::skip() {
  while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
}
bool Parser::take(char c) {
  skip();
  if (at_ == text_.size() || text_[at_] != c) return false;
  ++at_;
  return true;
}
void Parser::expect(char c) {
  if (!take(c)) fail(fmt::format("expected '{}'", c));
}

Named Parser::argument() {
  skip();
  const std::size_t begin = at_;
  std::size_t end = begin;
  while (end < text_.size() && is_name(text_[end])) ++end;
  std::size_t next = end;
  while (next < text_.size() && text_[next] == ' ') ++next;
  if (end > begin && next < text_.size() && text_[next] == '=') {
    at_ = next + 1;
    std::string name = text_.substr(begin, end - begin);
    if (name == "key") return {begin, name, key()};
    return {begin, std::move(name), value()};
  }
  return {begin, "", value()};
}

/// A selection, which has commas of its own, as it is printed: `key=0, $, index_0=..`.
WrittenValue Parser::key() {
  skip();
  if (at_ == text_.size() || text_[at_] == '\'' || text_[at_] == '"') return value();
  static const std::regex end_of_key(R"(\s*(,\s*\w+\s*=|\)\s*(\(|$)))");
  std::smatch end;
  const std::string rest = text_.substr(at_);
  if (!std::regex_search(rest, end, end_of_key) || end.position() == 0) return value();
  at_ += static_cast<std::size_t>(end.position());
  return {.text = end.prefix()};
}

WrittenValue Parser::value() {
  skip();
  if (at_ == text_.size()) fail("expected a value");
  if (text_.compare(at_, 3, "...") == 0)
    fail("the call is cut off here", "write every element: `...` stands for some that were not printed");
  if (take('[')) return list(']');
  if (take('(')) {
    WrittenValue tuple = list(')');
    tuple.parenthesized = true;
    return tuple;
  }
  if (text_[at_] == '\'' || text_[at_] == '"') return quoted();
  const std::string_view rest = std::string_view(text_).substr(at_);
  if (rest[0] == '-' || rest[0] == '+' || std::isdigit(static_cast<unsigned char>(rest[0])) ||
      starts_with_word(rest))
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

WrittenValue Parser::list(char end) {
  WrittenValue made{.kind = WrittenValue::Kind::list};
  while (!take(end)) {
    if (!made.items.empty()) expect(',');
    if (take(end)) break;
    made.items.push_back(value());
  }
  return made;
}

WrittenValue Parser::quoted() {
  const char quote = text_[at_++];
  const std::size_t end = text_.find(quote, at_);
  if (end == text_.npos) fail("a quoted word without an end");
  WrittenValue made{.text = text_.substr(at_, end - at_)};
  at_ = end + 1;
  return made;
}

/// Also `1+2j`, `0x1.8p3`, `-inf` and `nan(0x.4)`.
std::string Parser::number() {
  const std::size_t begin = at_;
  while (at_ < text_.size() && (is_name(text_[at_]) || text_[at_] == '-' || text_[at_] == '+')) {
    const std::size_t last = text_.compare(at_, 4, "nan(") == 0 ? text_.find(')', at_) : at_;
    at_ = last == text_.npos ? text_.size() : last + 1;
  }
  return text_.substr(begin, at_ - begin);
}

/// Behind `f32[`.
WrittenValue Parser::printed(const std::string& dtype) {
  WrittenValue made{.kind = WrittenValue::Kind::tensor, .dtype = dtype};
  for (const WrittenValue& size : list(']').items) made.shape.push_back(size.text);
  made.values.push_back(value());
  const std::vector<std::string> nested = nesting(made.values[0]);
  if (nested != made.shape && std::ranges::find(made.shape, "0") == made.shape.end())
    fail(fmt::format("{}[{}] is written before values of sizes [{}]", dtype, fmt::join(made.shape, ","),
                     fmt::join(nested, ",")),
         "write a list for each dimension, as in f32[2,2] [[1.0, 2.0], [3.0, 4.0]]");
  return made;
}

/// A size, or a list of sizes.
std::vector<std::int64_t> Parser::sizes_of(const WrittenValue& value) const {
  constexpr std::int64_t most = 4096;  // elements
  const bool is_list = value.kind == WrittenValue::Kind::list;
  std::vector<std::int64_t> sizes;
  std::int64_t elements = 1;
  for (const WrittenValue& one : is_list ? value.items : std::vector{value}) {
    std::int64_t size = -1;
    std::from_chars(one.text.data(), one.text.data() + one.text.size(), size);
    if (size < 0 || (size > 0 && elements > most / size))
      fail(fmt::format("expected sizes of at most {} elements", most));
    elements *= size;
    sizes.push_back(size);
  }
  return sizes;
}

/// `torch.zeros(2, 3)`, `np.ones((2, 3), dtype=np.int64)`, `torch.full((2,), 7)`.
WrittenValue Parser::filled(const std::string& maker) {
  WrittenValue sizes{.kind = WrittenValue::Kind::list}, one{.text = "0.0"};
  WrittenValue made{.kind = WrittenValue::Kind::tensor};
  if (last_part(maker) == "ones") one.text = "1.0";
  for (const Named& given : arguments()) {
    const bool is_sizes = given.value.kind == WrittenValue::Kind::list;
    if (given.name == "dtype" || (given.name.empty() && !is_sizes && !dtype_of(given.value.text).empty()))
      made.dtype = dtype_of(given.value.text);
    else if (is_sizes)
      sizes = given.value;
    else if (last_part(maker) == "full")
      one = given.value;
    else if (given.name.empty())
      sizes.items.push_back(given.value);
  }
  if (made.dtype.empty()) made.dtype = usual_dtype(one, maker);
  if (made.dtype == "bool") one.text = one.text == "0.0" ? "false" : "true";
  if (spec::is_integer(*spec::parse_dtype(made.dtype)) && one.text.ends_with(".0"))
    one.text.resize(one.text.size() - 2);
  for (const WrittenValue& size : sizes.items) made.shape.push_back(size.text);
  made.values.push_back(filled_with(one, sizes_of(sizes)));
  return made;
}

WrittenValue Parser::constructed(const std::string& maker) {
  if (is_filler(maker)) return filled(maker);
  if (!is_constructor(maker))
    fail(fmt::format("'{}' makes no tensor that is known here", maker),
         "write a tensor as a list, as np.array(..) or as f32[2] [1.0, 2.0]");
  std::vector<Named> given = arguments();
  if (given.empty() || !given[0].name.empty()) fail("expected the values of a tensor");
  WrittenValue made{.kind = WrittenValue::Kind::tensor, .values = {given[0].value}};
  for (std::size_t i = 1; i < given.size(); ++i) {
    const Named& one = given[i];
    if (one.name != "dtype" && !(i == 1 && one.name.empty())) continue;  // device, requires_grad
    made.dtype = dtype_of(one.value.text);
    if (made.dtype.empty()) fail(fmt::format("unknown dtype '{}'", one.value.text));
  }
  if (made.dtype.empty()) made.dtype = usual_dtype(given[0].value, maker);
  return made;
}

}  // namespace scatterproof::runner::notation
