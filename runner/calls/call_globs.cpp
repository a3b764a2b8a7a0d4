// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/calls/call_globs.hpp"

#include <algorithm>
#include <cctype>

#include "scatterproof/spec/core/sharing.hpp"

namespace scatterproof::runner {
namespace {

bool is_word(const std::string& text) {
  return !text.empty() &&
         std::ranges::all_of(text, [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '-'; });
}

/// The globs while they are collected.
class Globs {
 public:
  explicit Globs(const spec::Call& call) : call_(call) {
    std::vector<std::size_t> printed;
    for (std::size_t i = 0; i < call.arguments.size(); ++i)
      if (!is_absent_item(call, call.arguments[i].first, call.arguments[i].second)) printed.push_back(i);
    for (const std::size_t i : printed) add_argument(i, i == printed.front(), i == printed.back());
  }
  std::vector<std::string> take() { return std::move(globs_); }

 private:
  void add_argument(std::size_t i, bool is_first, bool is_last) {
    const auto& [name, argument] = call_.arguments[i];
    const std::string begins = (is_first ? "*(" : "* ") + name + '=';  // of every call: no formatting
    const char* const ends = is_last ? ")*" : ",*";
    bool is_noted = std::ranges::find(call_.omitted, name) != call_.omitted.end();
    if (const auto* tensor = std::get_if<spec::Tensor>(&argument)) {
      const std::string dtype = std::string(spec::name(tensor->dtype())) + "[*";
      globs_.push_back(begins + dtype);
      if (!is_integer(tensor->dtype())) add_once("*=" + dtype);  // an index is of integers too
      const bool is_shared = spec::shared_with(call_, i).has_value();
      if (is_shared) add_once("*: in the memory of *");
      is_noted = is_noted || is_shared || !has_contiguous_layout(*tensor);
    } else if (is_simple(argument)) {
      globs_.push_back(begins + spec::to_string(argument) + ends);
    } else if (is_negative(argument)) {
      globs_.push_back(begins + "-*");
    }
    if (is_noted && !ends_another(name)) globs_.push_back('*' + name + ": *");
  }

  void add_once(std::string glob) {
    if (std::ranges::find(globs_, glob) == globs_.end()) globs_.push_back(std::move(glob));
  }

  /// None, a word, a truth value or 0.
  static bool is_simple(const spec::Argument& argument) {
    if (const auto* word = std::get_if<std::string>(&argument)) return is_word(*word);
    const auto* number = std::get_if<spec::Scalar>(&argument);
    return std::holds_alternative<spec::None>(argument) ||
           (number && (number->kind() == spec::Scalar::Kind::boolean ||
                       (number->is_integral() && number->integer() == 0)));
  }

  static bool is_negative(const spec::Argument& argument) {
    return std::holds_alternative<spec::Scalar>(argument) && spec::to_string(argument).starts_with('-');
  }

  /// `x: ` is also in `index: `.
  bool ends_another(const std::string& name) const {
    return std::ranges::any_of(call_.arguments, [&](const auto& other) {
      return other.first.size() > name.size() && other.first.ends_with(name);
    });
  }

  const spec::Call& call_;
  std::vector<std::string> globs_;
};

}  // namespace

std::vector<std::string> simple_globs(const spec::Call& call) { return Globs(call).take(); }

}  // namespace scatterproof::runner
