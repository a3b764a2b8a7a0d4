// SPDX-License-Identifier: Apache-2.0
// Values in words: tensors, calls and outcomes on one line, and the names of the closed families.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cstring>

#include "scatterproof/spec/core/call.hpp"
#include "scatterproof/spec/core/literal.hpp"
#include "scatterproof/spec/core/outcome.hpp"
#include "scatterproof/spec/core/tensor.hpp"
#include "scatterproof/spec/core/verdict.hpp"

namespace scatterproof::spec {
namespace {

using NumberText = std::string (*)(const Scalar&, DType);

void print_nested(const Tensor& tensor, NumberText text, Coords& at, std::size_t d, std::int64_t& left,
                  std::string& out) {
  if (d == tensor.rank()) {
    out += left-- > 0 ? text(tensor.get(at), tensor.dtype()) : "";
    return;
  }
  out += '[';
  for (at[d] = 0; at[d] < tensor.shape()[d]; ++at[d]) {
    if (at[d] > 0) out += ", ";
    if (left <= 0) {
      out += "...";
      break;
    }
    print_nested(tensor, text, at, d + 1, left, out);
  }
  at[d] = 0;
  out += ']';
}

std::string elements(const Tensor& tensor, NumberText text, std::int64_t max_elements) {
  std::string out;
  Coords at(tensor.rank(), 0);
  std::int64_t left = std::max<std::int64_t>(max_elements, 1);
  print_nested(tensor, text, at, 0, left, out);
  return out;
}

template <class... Fs>
struct Overloaded : Fs... {
  using Fs::operator()...;
};
template <class... Fs>
Overloaded(Fs...) -> Overloaded<Fs...>;  // clang before 17 does not deduce it

template <class Enum, std::size_t N>
std::optional<Enum> find_name(const std::array<std::string_view, N>& names, std::string_view text) {
  for (std::size_t i = 0; i < N; ++i)
    if (names[i] == text) return static_cast<Enum>(i);
  return std::nullopt;
}

constexpr std::array<std::string_view, 12> verdict_names = {
    "pass",  "weak",    "mismatch",    "wrong_error", "missing_error", "unexpected_error",
    "crash", "timeout", "unsupported", "open",        "infra",         "disputed"};
constexpr std::array<std::string_view, 5> comparison_mode_names = {"none", "exact", "member", "lattice",
                                                                   "bound"};

}  // namespace

std::string_view name(Verdict verdict) { return verdict_names[static_cast<std::size_t>(verdict)]; }
std::optional<Verdict> parse_verdict(std::string_view text) {
  return find_name<Verdict>(verdict_names, text);
}
std::string_view name(ComparisonMode mode) { return comparison_mode_names[static_cast<std::size_t>(mode)]; }
std::optional<ComparisonMode> parse_comparison_mode(std::string_view text) {
  return find_name<ComparisonMode>(comparison_mode_names, text);
}

std::string to_string(const Shape& tuple) { return fmt::format("[{}]", fmt::join(tuple, ", ")); }

std::string to_string(const Tensor& tensor, std::int64_t max_elements) {
  return elements(tensor, static_cast<NumberText>(to_string), max_elements);
}

std::string to_string(const Argument& argument) {
  return std::visit(
      Overloaded{[](None) { return std::string("none"); },
                 [](const Tensor& t) {
                   return fmt::format("{}[{}] {}", name(t.dtype()), fmt::join(t.shape(), ","),
                                      elements(t, static_cast<NumberText>(literal), 16));
                 },
                 [](const Scalar& s) { return literal(s); }, [](const std::string& word) { return word; },
                 [](const Shape& list) { return to_string(list); }},
      argument);
}

bool is_absent_item(const Call& call, const std::string& name, const Argument& value) {
  const std::size_t bar = name.rfind('_');
  if (!std::holds_alternative<None>(value) || bar == name.npos || bar + 1 == name.size()) return false;
  const bool is_numbered = name.find_first_not_of("0123456789", bar + 1) == name.npos;
  return is_numbered && call.find(name.substr(0, bar) + "_0");
}

std::string to_string(const Call& call) {
  std::string out;
  for (const auto& [key, value] : call.arguments)
    if (!is_absent_item(call, key, value))
      out += fmt::format("{}{}={}", out.empty() ? "" : ", ", key, to_string(value));
  return call.api + "(" + out + ")";
}

bool identical(const Argument& a, const Argument& b) {
  if (a.index() != b.index()) return false;
  return std::visit(
      [&b]<class T>(const T& value) {
        const T& other = std::get<T>(b);
        if constexpr (std::is_same_v<T, Tensor> || std::is_same_v<T, Scalar>)
          return identical(value, other);
        else
          return value == other;
      },
      a);
}

namespace {

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

std::string with_tail(std::string text, const std::string& tail) {
  return tail.empty() ? text : text + "\nits stderr ended: " + tail;
}

std::string describe(const Produced& produced) {
  std::string out = "produced";
  for (const Tensor& t : produced.tensors)
    out += fmt::format(" {}[{}] {}", name(t.dtype()), fmt::join(t.shape(), ","), to_string(t));
  if (!produced.inputs_written.empty())
    out += fmt::format(", and wrote its input {}", fmt::join(produced.inputs_written, ", "));
  return out;
}
std::string describe(const Refused& refused) {
  return fmt::format("refused: {}: {}", refused.error_classes.empty() ? "?" : refused.error_classes.front(),
                     first_line(refused.message));
}
std::string describe(const Unsupported& unsupported) { return "unsupported: " + unsupported.reason; }
std::string describe(const Crashed& crashed) {
  std::string how = "crashed: ";
  if (!crashed.misbehaviour.empty())
    how += crashed.misbehaviour;
  else if (crashed.signal)
    how += fmt::format("signal {} ({})", crashed.signal, strsignal(crashed.signal));
  else
    how += fmt::format("exit status {}", crashed.exit_status);
  if (!crashed.established.empty()) how += ", " + crashed.established;
  return with_tail(std::move(how), crashed.stderr_tail);
}
std::string describe(const TimedOut& late) {
  return with_tail(fmt::format("no answer within {:.3g} s", late.seconds), late.stderr_tail);
}
std::string describe(const Garbled& garbled) {
  return with_tail("garbled reply: " + garbled.what, garbled.stderr_tail);
}
std::string describe(const Unavailable& unavailable) { return "unavailable: " + unavailable.reason; }

}  // namespace

std::string to_string(const Outcome& outcome) {
  return std::visit([](const auto& what) { return describe(what); }, outcome.what);
}

}  // namespace scatterproof::spec
