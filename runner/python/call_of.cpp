// SPDX-License-Identifier: Apache-2.0
#include "call_of.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "scatterproof/runner/catalogue/api_names.hpp"
#include "scatterproof/runner/catalogue/completed_call.hpp"
#include "scatterproof/runner/snippet/snippet.hpp"

namespace scatterproof::runner::python {
namespace {

using engines::protocol::Json;
using engines::protocol::Payload;

/// The spec's name of an argument by what it is called in Python, or in a printed call; empty: there is none.
std::string name_by_keyword(const spec::OpSpec& op, const std::string& keyword) {
  for (const spec::ArgumentDecl& declared : op.arguments)
    if (spec::keyword_of(op, declared.name) == keyword) return declared.name;
  return op.argument(keyword) ? keyword : "";
}

spec::Error unknown(const spec::OpSpec& op, const std::string& keyword) {
  std::vector<std::string> known;
  for (const spec::ArgumentDecl& declared : op.arguments)
    known.push_back(spec::keyword_of(op, declared.name));
  return {.what = fmt::format("{} has no argument '{}'", op.api, keyword),
          .hint = spec::did_you_mean(keyword, known, fmt::format("it has {}", fmt::join(known, ", ")))};
}

}  // namespace

spec::Result<const spec::OpSpec*> find_spec(const spec::SpecLibrary& specs, const std::string& api) {
  if (const spec::OpSpec* op = find_api(api, specs)) return op;
  return spec::Error{.what = fmt::format("there is no spec of '{}'", api), .hint = hint_at_api(api, specs)};
}

const spec::OpSpec& spec_for(const spec::OpSpec& op, const spec::SpecLibrary& specs, const Json& arguments) {
  const auto comes_as_items = [&](const spec::ArgumentDecl& one) {
    return arguments.is_object() && arguments.contains(one.name + "_0");
  };
  if (std::ranges::any_of(op.arguments, comes_as_items)) return for_tuple_of_tensors(op, specs);
  const auto is_missing = [&](const spec::ArgumentDecl& one) {
    return is_axis(one.name) && !one.fallback && arguments.is_object() &&
           arguments.value(spec::keyword_of(op, one.name), Json()).is_null();
  };
  return std::ranges::any_of(op.arguments, is_missing) ? for_no_axis(op, specs) : op;
}

spec::Result<spec::Call> call_of(const spec::OpSpec& op, const Json& arguments, const Payload& payload) {
  if (!arguments.is_object()) throw engines::protocol::Wrong{"'arguments' is not an object"};
  engines::protocol::Parts parts;
  spec::Call given{.api = op.api, .arguments = {}};
  for (const auto& [keyword, value] : arguments.items()) {
    const std::string name = name_by_keyword(op, keyword);
    if (name.empty() && value.is_null() && is_axis(keyword)) continue;  // the API's form without one
    if (name.empty()) return unknown(op, keyword);
    given.arguments.emplace_back(name, value.is_null()
                                           ? spec::Argument(spec::None{})
                                           : engines::protocol::decode_argument(value, payload, parts));
  }
  return completed_call(op, given);
}

}  // namespace scatterproof::runner::python
