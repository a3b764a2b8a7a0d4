// SPDX-License-Identifier: Apache-2.0
// Writes a case as the text of a case file; reading that text gives the same case.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdlib>

#include "scatterproof/spec/cases/case.hpp"
#include "scatterproof/spec/core/literal.hpp"
#include "scatterproof/spec/core/sharing.hpp"
#include "scatterproof/spec/yaml/quoted.hpp"

namespace scatterproof::spec {
namespace {

using yaml::quoted;

std::string number(const Scalar& value, DType dtype) {
  if (!is_complex(dtype)) return literal(value, dtype);
  const DType part = dtype == DType::c64 ? DType::f32 : DType::f64;
  return fmt::format("[{}, {}]", literal(Scalar::of_real(value.real()), part),
                     literal(Scalar::of_real(value.imag()), part));
}

std::string nested(const Tensor& tensor, Coords& at, std::size_t depth) {
  if (depth == tensor.rank()) return number(tensor.get(at), tensor.dtype());
  std::string text = "[";
  for (at[depth] = 0; at[depth] < tensor.shape()[depth]; ++at[depth])
    text += (at[depth] ? ", " : "") + nested(tensor, at, depth + 1);
  return text + "]";
}

std::string nested(const Tensor& tensor) {
  Coords at(tensor.rank(), 0);
  return nested(tensor, at, 0);
}

std::string layout_text(const Tensor& tensor) {
  const auto layout = layout_of(tensor);
  if (!layout || with_layout(tensor, *layout).storage().size() != tensor.storage().size())
    return fmt::format(", strides: {}, offset: {}, storage: {}", to_string(tensor.strides()), tensor.offset(),
                       tensor.storage().size() / size_of(tensor.dtype()));
  return layout == Layout::contiguous ? "" : fmt::format(", layout: {}", name(*layout));
}

/// `fill: 0.5` or `arange: -3` where a tensor's elements are one number, or count up by one; empty: neither.
std::string short_values(const Tensor& tensor) {
  constexpr double exact = 9007199254740992;  // 2^53: up to there, doubles count by one
  Coords at(tensor.rank(), 0);
  const Scalar first = tensor.get(at);
  const std::string fill = number(first, tensor.dtype());
  bool same = true;
  bool counts = tensor.dtype() != DType::boolean && !is_complex(tensor.dtype()) &&
                std::abs(first.real()) < exact && std::trunc(first.real()) == first.real() &&
                !(first.real() == 0 && std::signbit(first.real()));
  for (std::int64_t i = 0; same || counts; ++i) {
    const Scalar value = tensor.get(at);
    same = same && number(value, tensor.dtype()) == fill;
    counts = counts && value.real() == first.real() + static_cast<double>(i) && value.real() < exact;
    if (!next(at, tensor.shape())) break;
  }
  if (same) return "fill: " + fill;
  return counts ? fmt::format("arange: {}", static_cast<std::int64_t>(first.real())) : "";
}

std::string literal(const Tensor& tensor) {
  constexpr std::int64_t few = 16;  // elements, which are plainer written out
  if (const std::string values = tensor.numel() > few ? short_values(tensor) : ""; !values.empty())
    return fmt::format("{{dtype: {}, shape: {}, {}{}}}", name(tensor.dtype()), to_string(tensor.shape()),
                       values, layout_text(tensor));
  const bool shaped = tensor.numel() == 0 || tensor.rank() == 0;
  const std::string shape = shaped ? fmt::format(", shape: {}", to_string(tensor.shape())) : "";
  const std::string values = tensor.numel() == 0 ? "" : ", values: " + nested(tensor);
  return fmt::format("{{dtype: {}{}{}{}}}", name(tensor.dtype()), shape, values, layout_text(tensor));
}

/// Whether reading its literal gives a tensor its whole storage, so that others can be views of it.
bool is_whole(const Tensor& tensor) {
  const auto layout = layout_of(tensor);
  return layout && with_layout(tensor, *layout).storage().size() == tensor.storage().size();
}

/// The argument that this one is a view of in the call's file: the first argument that owns the same storage
/// and can be written with its values. Empty: this argument has values of its own.
std::optional<std::size_t> viewed(const Call& call, std::size_t at) {
  const auto* tensor = std::get_if<Tensor>(&call.arguments[at].second);
  if (!tensor) return {};
  for (std::size_t i = 0; i < call.arguments.size(); ++i)
    if (const auto* other = std::get_if<Tensor>(&call.arguments[i].second);
        other && share_storage(*tensor, *other) && is_whole(*other))
      return i == at ? std::nullopt : std::optional(i);
  return {};
}

/// The values are a comment: they follow.
std::string view_text(const Tensor& tensor, const std::string& name, const Tensor& of) {
  if (same_view(tensor, of)) return fmt::format("{{view_of: {}}}", name);
  const std::string strides = tensor.strides() == contiguous_strides(tensor.shape())
                                  ? ""
                                  : fmt::format(", strides: {}", to_string(tensor.strides()));
  return fmt::format("{{view_of: {}, shape: {}{}, offset: {}}}  # {}", name, to_string(tensor.shape()),
                     strides, tensor.offset(), nested(tensor));
}

std::string argument_text(const Argument& argument) {
  if (const auto* tensor = std::get_if<Tensor>(&argument)) return literal(*tensor);
  if (const auto* word = std::get_if<std::string>(&argument)) return quoted(*word);
  if (const auto* list = std::get_if<Shape>(&argument)) return to_string(*list);
  if (const auto* value = std::get_if<Scalar>(&argument)) {
    if (value->kind() == Scalar::Kind::complex) return number(*value, DType::c128);
    return literal(*value);
  }
  return "null";
}

std::string accepted_text(const std::vector<Tensor>& accepted) {
  std::vector<std::string> results;
  for (const Tensor& values : accepted) results.push_back(fmt::format("{{values: {}}}", nested(values)));
  return results.size() == 1 ? results.front() : fmt::format("{{any_of: [{}]}}", fmt::join(results, ", "));
}

std::string expectation_text(const CaseExpectation& expect) {
  using Kind = CaseExpectation::Kind;
  switch (expect.kind) {
    case Kind::spec:
      return {};
    case Kind::undefined:
      return "    expect: undefined\n";
    case Kind::open:
      return "    expect: open\n";
    case Kind::values:
      return fmt::format("    expect: {}\n", accepted_text(expect.values));
    case Kind::error:
      break;
  }
  std::vector<std::string> classes;
  for (const std::string& one : expect.classes) classes.push_back(quoted(one));
  return classes.empty() ? "    expect: {error: any}\n"
                         : fmt::format("    expect: {{error: [{}]}}\n", fmt::join(classes, ", "));
}

std::string gradient_text(const CaseGradient& gradient) {
  std::vector<std::string> accepted;
  for (const CaseGradient::Gradients& one : gradient.any_of) {
    std::vector<std::string> parts;
    for (const auto& [name, values] : one) parts.push_back(fmt::format("{}: {}", name, nested(values)));
    accepted.push_back(fmt::format("{{{}}}", fmt::join(parts, ", ")));
  }
  std::string text = fmt::format("    gradient:\n      cotangent: {}\n", nested(gradient.cotangent));
  if (accepted.size() == 1) text += fmt::format("      expect: {}\n", accepted.front());
  if (accepted.size() > 1) text += fmt::format("      expect: {{any_of: [{}]}}\n", fmt::join(accepted, ", "));
  return text;
}

std::string source_text(const Source& from) {
  std::string text = "{document: " + quoted(from.document);
  if (!from.section.empty()) text += ", section: " + quoted(from.section);
  std::vector<std::string> clauses;
  for (const Anchor& anchor : from.clauses) clauses.push_back(fmt::format("\"{}\"", to_string(anchor)));
  if (!clauses.empty()) text += fmt::format(", clause: [{}]", fmt::join(clauses, ", "));
  text += "}";
  if (from.also.empty()) return text;
  for (const Source& one : from.also) text += ", " + source_text(one);
  return "[" + text + "]";
}

/// `id:`, or `rule:` with its side and name, whichever gave the case its id.
std::string id_text(const Case& one) {
  const std::string below = one.id.substr(std::min(one.id.size(), one.call.api.size() + 1));
  if (one.rule.empty()) return fmt::format("  - id: {}\n", quoted(below));
  const std::string side = one.breaks ? "breaks" : "obeys";
  std::string text = fmt::format("  - rule: {}\n    side: {}\n", quoted(one.rule), side);
  const std::string prefix = fmt::format("rule/{}/{}/", one.rule, side);
  if (below.starts_with(prefix)) text += fmt::format("    name: {}\n", quoted(below.substr(prefix.size())));
  return text;
}

std::string item_text(const Case& one) {
  std::string text = fmt::format("{}    why: {}\n", id_text(one), quoted(one.why));
  if (!one.from.document.empty()) text += fmt::format("    from: {}\n", source_text(one.from));
  text += "    call:\n";
  for (std::size_t i = 0; i < one.call.arguments.size(); ++i) {
    const auto& [name, argument] = one.call.arguments[i];
    if (std::ranges::find(one.call.omitted, name) != one.call.omitted.end()) continue;
    const auto of = viewed(one.call, i);
    text += fmt::format("      {}: {}\n", name,
                        of ? view_text(std::get<Tensor>(argument), one.call.arguments[*of].first,
                                       std::get<Tensor>(one.call.arguments[*of].second))
                           : argument_text(argument));
  }
  text += expectation_text(one.expect);
  if (one.gradient) text += gradient_text(*one.gradient);
  std::vector<std::string> tags;
  for (const std::string& tag : one.tags) tags.push_back(quoted(tag));
  if (!tags.empty()) text += fmt::format("    tags: [{}]\n", fmt::join(tags, ", "));
  return text;
}

}  // namespace

std::string to_yaml(std::span<const Case> cases) {
  std::string text = fmt::format("api: {}\ncases:\n", quoted(cases.front().call.api));
  for (const Case& one : cases) text += item_text(one);
  return text;
}

std::string to_yaml(const Case& one) { return to_yaml(std::span(&one, 1)); }

}  // namespace scatterproof::spec
