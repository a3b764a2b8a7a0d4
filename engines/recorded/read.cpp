// SPDX-License-Identifier: Apache-2.0
// Reads a recording. It may be anything: each member is checked, and what is wrong names its line.
#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "base64.hpp"
#include "scatterproof/engines/protocol/wire.hpp"
#include "scatterproof/engines/recorded/recording.hpp"

namespace scatterproof::engines {
namespace {

using protocol::Json;
using protocol::Members;
using protocol::Wrong;

constexpr std::size_t most_tensors = 16;
constexpr std::size_t most_errors = 10;
constexpr const char* what_writes_one = "scatterproof run --record FILE --engine ENGINE writes a recording";

/// The tensor's own storage, or that of the argument with which it shares one.
protocol::Payload decode_storage(Members& members, const spec::Call& owners) {
  if (const Json* shares = members.find("shares")) {
    const std::string name = members.to_text(*shares, "shares");
    const spec::Argument* owner = owners.find(name);
    const auto* tensor = owner != nullptr ? std::get_if<spec::Tensor>(owner) : nullptr;
    if (tensor == nullptr)
      throw Wrong{fmt::format("a tensor shares the storage of '{}', which is not a tensor with data", name)};
    return tensor->shared_storage();
  }
  const Json& data = members.get("data");
  auto bytes = data.is_string() ? from_base64(data.get_ref<const std::string&>()) : std::nullopt;
  if (!bytes) throw Wrong{"'data' of a tensor is not base64"};
  return std::make_shared<spec::Tensor::Storage>(*std::move(bytes));
}

/// Where strides and offset are left out, the elements lie in row-major order from the start.
spec::Tensor decode_tensor(const Json& json, const spec::Call& owners = {}) {
  Members members(json, "a tensor");
  Json wire = {{"dtype", members.get("dtype")}};
  const spec::Shape shape = members.integers("shape", spec::max_rank);
  if (!spec::checked_numel(shape))
    throw Wrong{fmt::format("a tensor has the invalid shape {}", spec::to_string(shape))};
  const Json* strides = members.find("strides");
  const Json* offset = members.find("offset");
  const protocol::Payload storage = decode_storage(members, owners);
  members.nothing_else();
  wire["shape"] = shape;
  wire["strides"] = strides != nullptr ? *strides : Json(spec::contiguous_strides(shape));
  wire["offset"] = offset != nullptr ? *offset : Json(0);
  wire["start"] = 0;
  wire["length"] = storage->size();
  protocol::Parts parts;  // the storage is all of the payload
  return protocol::decode_tensor(wire, storage, parts);
}

bool is_tensor(const Json& json) { return json.is_object() && json.size() == 1 && json.contains("tensor"); }

bool is_view(const Json& json) { return is_tensor(json) && json["tensor"].contains("shares"); }

spec::Argument decode_argument(const Json& json) {
  if (is_view(json)) return spec::None{};  // until the storages of all others are there
  if (is_tensor(json)) return decode_tensor(json["tensor"]);
  protocol::Parts none;
  return protocol::decode_argument(json, protocol::make_payload(0), none);
}

spec::Produced decode_produced(Members members) {
  spec::Produced produced;
  for (const Json& tensor : members.list("tensors", most_tensors))
    produced.tensors.push_back(decode_tensor(tensor));
  produced.inputs_written = members.texts("wrote");
  members.nothing_else();
  return produced;
}

spec::Refused decode_refused(Members members) {
  spec::Refused refused{members.texts("classes"), members.text("message")};
  refused.arguments_written = members.texts_if_any("wrote");
  if (refused.error_classes.empty()) throw Wrong{"the refusal names no class"};
  members.nothing_else();
  return refused;
}

spec::Crashed decode_crashed(Members members) {
  spec::Crashed crashed{.signal = static_cast<int>(members.integer("signal")),
                        .exit_status = static_cast<int>(members.integer("exit_status")),
                        .stderr_tail = members.text_if_any("stderr"),
                        .misbehaviour = members.text_if_any("misbehaviour"),
                        .established = members.text_if_any("established"),
                        .of_no_call_alone = members.flag("of_no_call_alone")};
  members.nothing_else();
  return crashed;
}

double decode_seconds(const Json* seconds) {
  if (seconds == nullptr) return 0;
  if (!seconds->is_number() || !(seconds->get<double>() >= 0 && seconds->get<double>() < 1e9))
    throw Wrong{"'seconds' is not a valid time"};
  return seconds->get<double>();
}

spec::TimedOut decode_timed_out(Members members) {
  spec::TimedOut late{decode_seconds(&members.get("seconds")), members.text_if_any("stderr")};
  members.nothing_else();
  return late;
}

spec::Garbled decode_garbled(Members members) {
  spec::Garbled garbled{members.text("what"), members.text_if_any("stderr")};
  members.nothing_else();
  return garbled;
}

std::string decode_reason(Members members) {
  std::string reason = members.text("reason");
  members.nothing_else();
  return reason;
}

spec::Outcome decode_outcome(const Json& json) {
  Members members(json, "the outcome");
  spec::Outcome outcome;
  outcome.seconds = decode_seconds(members.find("seconds"));
  int given = 0;
  const auto take = [&](const char* name, auto decode) {
    if (const Json* member = members.find(name)) ++given, outcome.what = decode(Members(*member, name));
  };
  take("produced", decode_produced);
  take("refused", decode_refused);
  take("unsupported", [](Members said) { return spec::Unsupported{decode_reason(std::move(said))}; });
  take("crashed", decode_crashed);
  take("timed_out", decode_timed_out);
  take("garbled", decode_garbled);
  take("unavailable", [](Members said) { return spec::Unavailable{decode_reason(std::move(said))}; });
  members.nothing_else();
  if (given != 1) throw Wrong{"the outcome must be exactly one of those that there are"};
  return outcome;
}

RecordedCall decode_call(const Json& json) {
  Members members(json, "the line");
  RecordedCall recorded;
  recorded.from = members.text_if_any("from");
  recorded.call.api = members.text("api");
  const Json& arguments = members.get("arguments");
  if (!arguments.is_object()) throw Wrong{"'arguments' of the line is not an object"};
  for (const auto& [name, value] : arguments.items())
    recorded.call.arguments.emplace_back(name, decode_argument(value));
  const spec::Call owners = recorded.call;
  for (auto& [name, value] : recorded.call.arguments)
    if (const Json& said = arguments[name]; is_view(said)) value = decode_tensor(said["tensor"], owners);
  recorded.outcome = decode_outcome(members.get("outcome"));
  members.nothing_else();
  return recorded;
}

EngineInfo decode_header(const Json& json) {
  if (!json.is_object() || !json.contains("recording"))
    throw Wrong{"this is not the first line of a recording"};
  Members members(json, "the first line");
  if (const auto version = members.integer("recording"); version != recording_version)
    throw Wrong{fmt::format("the recording has version {}; this program reads version {}", version,
                            recording_version)};
  EngineInfo engine{.name = members.text("engine"),
                    .framework = members.text("framework"),
                    .version = members.text("version"),
                    .device = members.text("device"),
                    .apis = members.texts("apis"),
                    .dtypes = members.texts("dtypes"),
                    .varies = members.text_if_any("varies")};
  members.nothing_else();
  return engine;
}

/// Takes the lines of one file in order.
class Lines {
 public:
  explicit Lines(std::string path) : path_(std::move(path)) {}

  /// `whole`: the line ends in a newline. False: the rest of the file is not worth reading.
  bool take(const std::string& line, bool whole) {
    ++number_;
    try {
      const Json json = Json::parse(line, nullptr, false);
      if (json.is_discarded() && !whole && number_ > 1) return recording_.cut_off = true;
      if (json.is_discarded()) throw Wrong{"the line is not JSON"};
      if (number_ == 1)
        recording_.engine = decode_header(json);
      else
        recording_.calls.push_back(decode_call(json));
    } catch (const Wrong& wrong) {
      errors_.push_back({.file = path_, .at = {number_, 1}, .what = wrong.what, .hint = what_writes_one});
    }
    return number_ > 1 ? errors_.size() < most_errors : errors_.empty();
  }

  spec::Result<Recording> result() && {
    if (number_ == 0)
      errors_.push_back({.file = path_, .what = "the recording is empty", .hint = what_writes_one});
    if (!errors_.empty()) return std::move(errors_);
    return std::move(recording_);
  }

 private:
  std::string path_;
  int number_ = 0;
  Recording recording_;
  spec::Errors errors_;
};

}  // namespace

spec::Result<Recording> read_recording(const std::string& path) {
  std::error_code ignored;
  std::ifstream file(path, std::ios::binary);
  if (!file || std::filesystem::is_directory(path, ignored))
    return spec::Error{
        .file = path,
        .what = fmt::format("cannot read the recording: {}", file ? "it is a folder" : std::strerror(errno)),
        .hint = what_writes_one};
  Lines lines(path);
  for (std::string line; std::getline(file, line);)
    if (!lines.take(line, !file.eof())) break;
  return std::move(lines).result();
}

}  // namespace scatterproof::engines
