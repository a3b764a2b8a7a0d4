// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/engines/registry/python_function.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "options.hpp"
#include "scatterproof/engines/protocol/wire.hpp"

namespace scatterproof::engines {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view by_function = "py:";
constexpr std::array arrays_known{"numpy", "torch", "jax"};

/// As the worker protocol writes it. Precondition: it is not a tensor.
Json wire_form(const spec::Argument& value) {
  std::string text;
  protocol::Parcel unused;
  protocol::write(text, value, unused, nullptr);
  return Json::parse(text);
}

spec::Error malformed(const std::string& name, std::string_view why) {
  return {.what = fmt::format("unknown engine '{}': {}", name, why),
          .hint =
              "write py:MODULE:FUNCTION=API, such as py:kernels:add=torch.scatter_add or, with torch's "
              "tensors, py:./kernels.py:add=torch.scatter_add,torch"};
}

}  // namespace

bool is_function(std::string_view name) { return name.starts_with(by_function); }

spec::Result<PythonFunction> registry::function_of(const std::string& name) {
  std::string text = name.substr(by_function.size());
  PythonFunction function;
  const auto equals = text.rfind('=');
  if (equals == text.npos) return malformed(name, "it names no API");
  function.api = text.substr(equals + 1);
  text.erase(equals);
  if (const auto comma = function.api.find(','); comma != function.api.npos) {
    function.arrays = function.api.substr(comma + 1);
    function.api.erase(comma);
    if (std::ranges::find(arrays_known, function.arrays) == arrays_known.end())
      return malformed(name, fmt::format("'{}' is not numpy, torch or jax", function.arrays));
  }
  const auto colon = text.rfind(':');
  if (colon == text.npos || colon == 0 || colon + 1 == text.size())
    return malformed(name, "it names no module and function");
  function.module = text.substr(0, colon);
  function.name = text.substr(colon + 1);
  return function;
}

std::string described_for_python(const spec::OpSpec& op) {
  Json keywords = Json::object(), indices = Json::array(), lists = Json::array(), defaults = Json::object();
  for (const spec::ArgumentDecl& declared : op.arguments) {
    keywords[declared.name] = spec::keyword_of(op, declared.name);
    if (op.is_index(declared)) indices.push_back(declared.name);
    if (declared.fallback || declared.optional)
      defaults[declared.name] = wire_form(declared.fallback.value_or(spec::None{}));
    if (!declared.list.empty() && (lists.empty() || lists.back() != declared.list))
      lists.push_back(declared.list);
  }
  return Json{{"keywords", keywords},
              {"indices", indices},
              {"lists", lists},
              {"defaults", defaults},
              {"overwrites", op.meaning.in_place}}
      .dump();
}

spec::Result<WorkerOptions> registry::function_options(const PythonFunction& function, WorkerOptions options,
                                                       const spec::SpecLibrary& specs, const Places& places) {
  const spec::OpSpec* op = specs.find(function.api);
  if (!op) {
    std::vector<std::string> apis;
    for (const spec::OpSpec& one : specs.all()) apis.push_back(one.api);
    return spec::Error{
        .what = fmt::format("{}: there is no spec of '{}'", options.info.name, function.api),
        .hint = spec::did_you_mean(function.api, apis, "`scatterproof spec list` prints every API")};
  }
  options.command = {"/usr/bin/env",
                     places.python.empty() ? "python3" : places.python,
                     "-m",
                     "scatterproof.function",
                     function.module,
                     function.name,
                     function.api,
                     function.arrays,
                     Json(function.dtypes).dump(),
                     described_for_python(*op)};
  return options;
}

spec::Result<std::unique_ptr<Engine>> make_function_engine(const PythonFunction& function,
                                                           const spec::SpecLibrary& specs,
                                                           const Places& places) {
  WorkerOptions options = registry::users_worker(
      fmt::format("py:{}:{}={}", function.module, function.name, function.api), places);
  auto complete = registry::function_options(function, std::move(options), specs, places);
  if (!complete) return complete.errors();
  complete.value().specs = &specs;
  return make_worker_engine(std::move(complete).value());
}

}  // namespace scatterproof::engines
