// SPDX-License-Identifier: Apache-2.0
// Writes a recording, line by line.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base64.hpp"
#include "scatterproof/engines/protocol/wire.hpp"
#include "scatterproof/engines/recorded/recording.hpp"
#include "scatterproof/spec/core/sharing.hpp"

namespace scatterproof::engines {
namespace {

using protocol::Json;

/// Strides and offset are left out where the elements are in row-major order from the start. `shares`: the
/// argument whose storage the tensor uses; empty: the storage is written out.
Json encode(const spec::Tensor& tensor, const std::string& shares = {}) {
  Json json = {{"dtype", spec::name(tensor.dtype())}, {"shape", tensor.shape()}};
  if (tensor.strides() != spec::contiguous_strides(tensor.shape())) json["strides"] = tensor.strides();
  if (tensor.offset() != 0) json["offset"] = tensor.offset();
  if (shares.empty())
    json["data"] = to_base64(tensor.storage());
  else
    json["shares"] = shares;
  return json;
}

/// An object with one member.
Json encode(const char* name, Json value) {
  Json object = Json::object();
  object[name] = std::move(value);
  return object;
}

std::string text_of(const spec::Call& call, std::size_t at) {
  const spec::Argument& argument = call.arguments[at].second;
  const auto owner = spec::shared_with(call, at);
  if (const auto* tensor = std::get_if<spec::Tensor>(&argument))
    return protocol::text_of(
        encode("tensor", encode(*tensor, owner ? call.arguments[*owner].first : std::string())));
  std::string text;
  protocol::Parcel nothing;  // only tensors have a payload
  protocol::write(text, argument, nothing, nullptr);
  return text;
}

struct Encode {
  Json operator()(const spec::Produced& produced) const {
    Json tensors = Json::array();
    for (const spec::Tensor& tensor : produced.tensors) tensors.push_back(encode(tensor));
    return encode("produced", {{"tensors", std::move(tensors)}, {"wrote", produced.inputs_written}});
  }
  Json operator()(const spec::Refused& refused) const {
    return encode("refused", {{"classes", refused.error_classes},
                              {"message", refused.message},
                              {"wrote", refused.arguments_written}});
  }
  Json operator()(const spec::Unsupported& unsupported) const {
    return encode("unsupported", Json::object({{"reason", unsupported.reason}}));
  }
  Json operator()(const spec::Crashed& crashed) const {
    return encode("crashed", {{"signal", crashed.signal},
                              {"exit_status", crashed.exit_status},
                              {"stderr", crashed.stderr_tail},
                              {"misbehaviour", crashed.misbehaviour},
                              {"established", crashed.established},
                              {"of_no_call_alone", crashed.of_no_call_alone}});
  }
  Json operator()(const spec::TimedOut& late) const {
    return encode("timed_out", {{"seconds", late.seconds}, {"stderr", late.stderr_tail}});
  }
  Json operator()(const spec::Garbled& garbled) const {
    return encode("garbled", {{"what", garbled.what}, {"stderr", garbled.stderr_tail}});
  }
  Json operator()(const spec::Unavailable& unavailable) const {
    return encode("unavailable", Json::object({{"reason", unavailable.reason}}));
  }
};

}  // namespace

std::string header_line(const EngineInfo& engine) {
  Json header = {{"recording", recording_version}, {"engine", engine.name},   {"framework", engine.framework},
                 {"version", engine.version},      {"device", engine.device}, {"apis", engine.apis},
                 {"dtypes", engine.dtypes}};
  if (!engine.varies.empty()) header["varies"] = engine.varies;
  return protocol::text_of(header) + '\n';
}

std::string call_line(const std::string& from, const spec::Call& call, const spec::Outcome& outcome) {
  std::string line = fmt::format(R"({{"from":{},"api":{},"arguments":{{)", protocol::text_of(from),
                                 protocol::text_of(call.api));
  std::string_view comma;
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const std::string& name = call.arguments[i].first;
    if (std::ranges::find(call.omitted, name) != call.omitted.end()) continue;
    line += fmt::format("{}{}:{}", comma, protocol::text_of(name), text_of(call, i));
    comma = ",";
  }
  Json what = std::visit(Encode{}, outcome.what);
  if (std::isfinite(outcome.seconds) && outcome.seconds > 0) what["seconds"] = outcome.seconds;
  return line + R"(},"outcome":)" + protocol::text_of(what) + "}\n";
}

}  // namespace scatterproof::engines
