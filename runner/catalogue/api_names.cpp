// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/catalogue/api_names.hpp"

#include <fmt/format.h>

#include <vector>

#include "scatterproof/spec/core/error.hpp"

namespace scatterproof::runner {

std::string hint_at_api(const std::string& api, const spec::SpecLibrary& specs) {
  const std::size_t dot = api.find('.');
  const std::string method = api.substr(0, dot) + ".Tensor" + (dot == api.npos ? "" : api.substr(dot));
  if (specs.find(method)) return fmt::format("did you mean '{}'?", method);
  std::vector<std::string> known;
  for (const spec::OpSpec& one : specs.all()) known.push_back(one.api);
  return spec::did_you_mean(api, known, "`scatterproof spec list` prints every API");
}

const spec::OpSpec& for_tuple_of_tensors(const spec::OpSpec& op, const spec::SpecLibrary& specs) {
  const spec::OpSpec* const other = specs.find(op.api + ".tuple");
  return other ? *other : op;
}

}  // namespace scatterproof::runner
