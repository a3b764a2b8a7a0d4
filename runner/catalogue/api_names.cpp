// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/catalogue/api_names.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "scatterproof/spec/core/error.hpp"

namespace scatterproof::runner {

const spec::OpSpec* find_api(const std::string& written, const spec::SpecLibrary& specs) {
  // As the documents of the frameworks import them.
  constexpr std::array<std::pair<std::string_view, std::string_view>, 8> imports = {
      {{"np", "numpy"},
       {"jnp", "jax.numpy"},
       {"lax", "jax.lax"},
       {"tf", "tensorflow"},
       {"F", "torch.nn.functional"},
       {"mx", "mlx.core"},
       {"ms", "mindspore"},
       {"xpx", "array_api_extra"}}};
  if (const spec::OpSpec* op = specs.find(written)) return op;
  const std::size_t dot = written.find('.');
  const auto found = std::ranges::find(imports, std::string_view(written).substr(0, dot),
                                       &std::pair<std::string_view, std::string_view>::first);
  if (dot == written.npos || found == imports.end()) return nullptr;
  return specs.find(std::string(found->second) + written.substr(dot));
}

std::string hint_at_api(const std::string& api, const spec::SpecLibrary& specs) {
  const std::size_t dot = api.find('.');
  const std::string method = api.substr(0, dot) + ".Tensor" + (dot == api.npos ? "" : api.substr(dot));
  if (specs.find(method)) return fmt::format("did you mean '{}'?", method);
  constexpr std::size_t most_named = 9;
  std::vector<std::string> known, of_that_name;
  const std::string last = api.substr(api.rfind('.') + 1);  // npos + 1 is 0
  for (const spec::OpSpec& one : specs.all()) {
    known.push_back(one.api);
    if (one.api.ends_with("." + last)) of_that_name.push_back(one.api);
  }
  if (!of_that_name.empty() && of_that_name.size() <= most_named)
    return fmt::format("APIs of that name: {}", fmt::join(of_that_name, ", "));
  return spec::did_you_mean(api, known, "`scatterproof spec list` prints every API");
}

/// The spec of another form of the API's call, by what is behind the name; else `op`.
static const spec::OpSpec& sibling(const spec::OpSpec& op, const std::string& form,
                                   const spec::SpecLibrary& specs) {
  const spec::OpSpec* const other = specs.find(op.api + form);
  return other ? *other : op;
}

const spec::OpSpec& for_tuple_of_tensors(const spec::OpSpec& op, const spec::SpecLibrary& specs) {
  return sibling(op, ".tuple", specs);
}
const spec::OpSpec& for_selection(const spec::OpSpec& op, const spec::SpecLibrary& specs) {
  return sibling(op, ".selection", specs);
}
const spec::OpSpec& for_mask(const spec::OpSpec& op, const spec::SpecLibrary& specs) {
  return sibling(op, ".mask", specs);
}
const spec::OpSpec& for_number(const spec::OpSpec& op, const spec::SpecLibrary& specs) {
  return sibling(op, ".value", specs);
}
bool is_axis(const std::string& name) { return name == "axis" || name == "dim"; }
const spec::OpSpec& for_no_axis(const spec::OpSpec& op, const spec::SpecLibrary& specs) {
  return sibling(op, ".flat", specs);
}

}  // namespace scatterproof::runner
