// SPDX-License-Identifier: Apache-2.0
// The messages of the worker protocol (docs/worker-protocol.md). Everything a reply says is checked before it
// is used.
#include "message.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace scatterproof::engines::worker {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t alignment = 16;            // where a tensor's storage may start within the payload
constexpr std::size_t longest_text = 64u << 10;  // of an error message or reason; longer ones are cut
constexpr std::size_t most_tensors = 16;
constexpr std::size_t most_names = 4096;

std::size_t aligned(std::size_t size) { return (size + alignment - 1) / alignment * alignment; }

/// A double without loss: as C prints it in hexadecimal, or nan, inf, -inf.
std::string exact(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%a", value);
  return text.data();
}

Json encode(const spec::Tensor& tensor, std::string& payload) {
  const auto& storage = tensor.storage();
  payload.resize(aligned(payload.size()));
  const std::size_t start = payload.size();
  payload.append(reinterpret_cast<const char*>(storage.data()), storage.size());
  return {{"dtype", spec::name(tensor.dtype())}, {"shape", tensor.shape()}, {"strides", tensor.strides()},
          {"offset", tensor.offset()},           {"start", start},          {"length", storage.size()}};
}

Json encode(const spec::Scalar& value) {
  switch (value.kind()) {
    case spec::Scalar::Kind::boolean:
      return Json::object({{"boolean", value.integer() != 0}});
    case spec::Scalar::Kind::integer:
      return Json::object({{"integer", value.integer()}});
    case spec::Scalar::Kind::real:
      return Json::object({{"number", Json::object({{"real", exact(value.real())}})}});
    case spec::Scalar::Kind::complex:
      return Json::object({{"number", {{"real", exact(value.real())}, {"imag", exact(value.imag())}}}});
  }
  return nullptr;
}

struct EncodeArgument {
  std::string& payload;
  Json operator()(const spec::None&) const { return nullptr; }
  Json operator()(const spec::Tensor& tensor) const {
    return Json::object({{"tensor", encode(tensor, payload)}});
  }
  Json operator()(const spec::Scalar& value) const { return encode(value); }
  Json operator()(const std::string& word) const { return Json::object({{"word", word}}); }
  Json operator()(const spec::Shape& integers) const { return Json::object({{"integers", integers}}); }
};

/// Thrown and caught in this file only: reading a reply has a hundred ways to go wrong and one way to say so.
struct Wrong {
  std::string what;
};

/// The members of an object, each asked for once; one that nobody asked for is a fault.
class Members {
 public:
  Members(const Json& object, std::string_view where) : object_(object), where_(where) {
    if (!object.is_object()) throw Wrong{fmt::format("{} is not an object", where)};
  }

  const Json* find(const char* name) {
    const auto found = object_.find(name);
    if (found == object_.end()) return nullptr;
    ++known_;
    return &*found;
  }
  const Json& get(const char* name) {
    if (const Json* member = find(name)) return *member;
    throw Wrong{fmt::format("{} has no '{}'", where_, name)};
  }
  std::int64_t integer(const char* name) { return to_integer(get(name), name); }
  std::string text(const char* name) { return to_text(get(name), name); }

  void nothing_else() const {
    if (known_ != object_.size())
      throw Wrong{fmt::format("{} has members the protocol does not know", where_)};
  }

  std::int64_t to_integer(const Json& value, std::string_view name) const {
    const bool fits =
        value.is_number_unsigned() ? value.get<std::uint64_t>() <= INT64_MAX : value.is_number_integer();
    if (!fits) throw Wrong{fmt::format("'{}' of {} is not an integer of 64 bits", name, where_)};
    return value.get<std::int64_t>();
  }
  std::string to_text(const Json& value, std::string_view name) const {
    if (!value.is_string()) throw Wrong{fmt::format("'{}' of {} is not a text", name, where_)};
    std::string text = value.get<std::string>();
    if (text.size() > longest_text) text.resize(longest_text);
    return text;
  }
  const Json& list(const char* name, std::size_t most) {
    const Json& value = get(name);
    if (!value.is_array()) throw Wrong{fmt::format("'{}' of {} is not a list", name, where_)};
    if (value.size() > most) throw Wrong{fmt::format("'{}' of {} has {} items", name, where_, value.size())};
    return value;
  }
  std::vector<std::string> texts(const char* name) {
    std::vector<std::string> result;
    for (const auto& item : list(name, most_names)) result.push_back(to_text(item, name));
    return result;
  }
  spec::Shape integers(const char* name) {
    spec::Shape result;
    for (const auto& item : list(name, spec::max_rank)) result.push_back(to_integer(item, name));
    return result;
  }

 private:
  const Json& object_;
  std::string where_;
  std::size_t known_ = 0;
};

spec::Tensor decode_tensor(const Json& json, std::string_view payload) {
  Members members(json, "a tensor");
  const std::string dtype_name = members.text("dtype");
  const auto dtype = spec::parse_dtype(dtype_name);
  auto shape = members.integers("shape");
  auto strides = members.integers("strides");
  const auto offset = members.integer("offset");
  const auto start = members.integer("start");
  const auto length = members.integer("length");
  members.nothing_else();
  if (!dtype) throw Wrong{fmt::format("a tensor has the unknown dtype '{}'", dtype_name)};
  const auto elements = spec::checked_numel(shape);
  if (!elements || *elements > spec::max_numel)
    throw Wrong{fmt::format("a tensor has the shape {}", spec::to_string(shape))};
  const auto size = static_cast<std::int64_t>(payload.size());
  if (start < 0 || length < 0 || start > size || length > size - start)
    throw Wrong{fmt::format("a tensor's storage ({} bytes from {}) lies outside the payload of {} bytes",
                            length, start, size)};
  const auto* bytes = reinterpret_cast<const std::byte*>(payload.data()) + start;
  auto storage = std::make_shared<spec::Tensor::Storage>(bytes, bytes + length);
  auto tensor = spec::Tensor::view(*dtype, shape, strides, offset, std::move(storage));
  if (!tensor)
    throw Wrong{fmt::format("a tensor of shape {}, strides {} and offset {} does not fit its {} bytes",
                            spec::to_string(shape), spec::to_string(strides), offset, length)};
  return *std::move(tensor);
}

spec::Outcome decode_produced(const Json& ok, const spec::Call& call, std::string_view payload) {
  Members members(ok, "the answer");
  spec::Produced produced;
  for (const auto& tensor : members.list("tensors", most_tensors))
    produced.tensors.push_back(decode_tensor(tensor, payload));
  produced.inputs_written = members.texts("wrote");
  for (const auto& name : produced.inputs_written) {
    const auto* argument = call.find(name);
    if (argument == nullptr || !std::holds_alternative<spec::Tensor>(*argument))
      throw Wrong{fmt::format("the answer says that '{}' was written, which is no tensor argument", name)};
  }
  const Json& seconds = members.get("seconds");
  members.nothing_else();
  if (!seconds.is_number() || !(seconds.get<double>() >= 0 && seconds.get<double>() < 1e9))
    throw Wrong{"'seconds' of the answer is not a time"};
  return {std::move(produced), seconds.get<double>()};
}

spec::Outcome decode_refused(const Json& error) {
  Members members(error, "the error");
  spec::Refused refused{members.texts("classes"), members.text("message")};
  members.nothing_else();
  if (refused.error_classes.empty()) throw Wrong{"the error names no class"};
  return {std::move(refused), 0};
}

}  // namespace

struct Reply::Body {
  Json json;
  /// The reply's own members beside seq and bytes: exactly one of them, by name.
  const Json& only(const char* name) const {
    const auto found = json.find(name);
    if (found == json.end()) throw Wrong{fmt::format("the reply has no '{}'", name)};
    if (json.size() != 2u + (json.contains("bytes") ? 1u : 0u))
      throw Wrong{"the reply has members the protocol does not know"};
    return *found;
  }
};

std::string start_message(std::int64_t seq) {
  return Json{{"command", "start"}, {"seq", seq}, {"protocol", protocol_version}}.dump() + "\n";
}

std::string stop_message(std::int64_t seq) { return Json{{"command", "stop"}, {"seq", seq}}.dump() + "\n"; }

std::string run_message(std::int64_t seq, std::span<const Job> jobs) {
  std::string payload;
  Json calls = Json::array();
  std::int64_t number = seq;
  for (const auto& job : jobs) {
    Json arguments = Json::object();
    for (const auto& [name, value] : job.call->arguments)
      arguments[name] = std::visit(EncodeArgument{payload}, value);
    calls.push_back({{"seq", ++number}, {"api", job.call->api}, {"arguments", std::move(arguments)}});
  }
  const Json message{
      {"command", "run"}, {"seq", seq}, {"calls", std::move(calls)}, {"bytes", payload.size()}};
  return message.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n" + payload;
}

std::size_t payload_size(const spec::Call& call) {
  std::size_t size = 0;
  for (const auto& [name, value] : call.arguments)
    if (const auto* tensor = std::get_if<spec::Tensor>(&value)) size += aligned(tensor->storage().size());
  return size;
}

Reply::Reply() : body_(std::make_unique<Body>()) {}
Reply::Reply(Reply&&) noexcept = default;
Reply& Reply::operator=(Reply&&) noexcept = default;
Reply::~Reply() = default;

std::variant<Reply, Fault> Reply::parse(std::string_view line) try {
  Reply reply;
  reply.body_->json = Json::parse(line);
  Members members(reply.body_->json, "the reply");
  reply.seq_ = members.integer("seq");
  if (const Json* bytes = members.find("bytes")) {
    const auto count = members.to_integer(*bytes, "bytes");
    if (count < 0 || count > largest_payload) throw Wrong{fmt::format("the reply announces {} bytes", count)};
    reply.bytes_ = static_cast<std::size_t>(count);
  }
  return reply;
} catch (const Wrong& wrong) {
  return Fault{wrong.what};
} catch (const Json::exception&) {
  return Fault{"the reply is not JSON"};
}

std::variant<EngineInfo, Fault> Reply::greeting() const try {
  if (body_->json.contains("error")) {
    const auto refused = decode_refused(body_->only("error"));
    return Fault{"the worker refused to start: " + std::get<spec::Refused>(refused.what).message};
  }
  Members members(body_->only("ok"), "the answer to start");
  if (const auto version = members.integer("protocol"); version != protocol_version)
    return Fault{
        fmt::format("the worker speaks version {} of the protocol, not {}", version, protocol_version)};
  EngineInfo info{members.text("name"),    "",
                  members.text("version"), members.text("device"),
                  members.texts("apis"),   members.texts("dtypes")};
  const Json* framework = members.find("framework");
  info.framework = framework != nullptr ? members.to_text(*framework, "framework") : std::string{};
  members.nothing_else();
  for (const auto& dtype : info.dtypes)
    if (!spec::parse_dtype(dtype))
      throw Wrong{fmt::format("the worker declares the unknown dtype '{}'", dtype)};
  return info;
} catch (const Wrong& wrong) {
  return Fault{wrong.what};
}

std::variant<spec::Outcome, Fault> Reply::outcome(const spec::Call& call, std::string_view payload) const
    try {
  if (body_->json.contains("ok")) return decode_produced(body_->only("ok"), call, payload);
  if (bytes_ != 0) throw Wrong{"the reply has bytes and no tensors"};
  if (body_->json.contains("error")) return decode_refused(body_->only("error"));
  Members members(body_->only("unsupported"), "the reason");
  spec::Unsupported unsupported{members.text("reason")};
  members.nothing_else();
  return spec::Outcome{std::move(unsupported), 0};
} catch (const Wrong& wrong) {
  return Fault{wrong.what};
}

std::optional<Fault> Reply::end_of_run(std::size_t calls) const try {
  Members members(body_->only("ok"), "the end of the run");
  const auto answered = members.integer("answered");
  members.nothing_else();
  if (bytes_ != 0) throw Wrong{"the end of the run has bytes"};
  if (answered != static_cast<std::int64_t>(calls))
    throw Wrong{fmt::format("the run of {} calls ended after {} answers", calls, answered)};
  return {};
} catch (const Wrong& wrong) {
  return Fault{wrong.what};
}

std::optional<Fault> Reply::farewell() const try {
  const Members members(body_->only("ok"), "the answer to stop");
  members.nothing_else();
  if (bytes_ != 0) throw Wrong{"the answer to stop has bytes"};
  return {};
} catch (const Wrong& wrong) {
  return Fault{wrong.what};
}

}  // namespace scatterproof::engines::worker
