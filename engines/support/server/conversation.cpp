// SPDX-License-Identifier: Apache-2.0
#include "conversation.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <variant>

#include "own_calls.hpp"

namespace scatterproof::engines::protocol {
namespace {

constexpr std::size_t most_calls = 64;

constexpr std::int64_t most_threads = 4096;

struct NumberedCall {
  std::int64_t seq;
  spec::Call call;
  int threads = 0;  ///< 0: the message names none
  std::optional<spec::GradientQuestion> gradient = {};

  CallRequest request() const {
    return {.call = &call, .threads = threads, .gradient = gradient ? &*gradient : nullptr};
  }
};

int decode_threads(std::int64_t threads) {
  if (threads < 1 || threads > most_threads)
    throw Wrong{fmt::format("invalid number of threads {}", threads)};
  return static_cast<int>(threads);
}

spec::GradientQuestion decode_gradient(const Json& json, const Payload& payload) {
  Members members(json, "'gradient' of a call");
  Parts alone;
  spec::GradientQuestion question{.of = members.texts("of"), .cotangent = {}};
  const Json* cotangent = members.find("cotangent");
  question.second_order = cotangent && members.find("tangents");
  if (cotangent) question.cotangent = decode_tensor(*cotangent, payload, alone);
  if (!cotangent || question.second_order)
    for (const Json& tangent : members.list("tangents", question.of.size()))
      question.tangents.push_back(decode_tensor(tangent, payload, alone));
  members.nothing_else();
  return question;
}

NumberedCall decode_call(const Json& json, const Payload& payload) {
  Members members(json, "a call");
  NumberedCall result{.seq = members.integer("seq"), .call = {members.text("api"), {}}};
  if (const Json* threads = members.find("threads"))
    result.threads = decode_threads(members.to_integer(*threads, "threads"));
  const Json& arguments = members.get("arguments");
  if (const Json* gradient = members.find("gradient")) result.gradient = decode_gradient(*gradient, payload);
  members.nothing_else();
  if (!arguments.is_object()) throw Wrong{"'arguments' of a call is not an object"};
  Parts parts;
  for (const auto& [name, value] : arguments.items())
    result.call.arguments.emplace_back(name, decode_argument(value, payload, parts));
  return result;
}

/// The member `gradients` of an answer, if there are any.
void write(std::string& line, const std::vector<spec::GradientAnswer>& gradients, Parcel& payload) {
  if (gradients.empty()) return;
  line += R"(,"gradients":[)";
  for (const spec::GradientAnswer& gradient : gradients) {
    line += line.back() == '[' ? "" : ",";
    if (const auto* tensor = std::get_if<spec::Tensor>(&gradient)) {
      line += R"({"tensor":)";
      protocol::write(line, *tensor, payload);
      line += '}';
    } else if (const auto* refused = std::get_if<spec::Refused>(&gradient)) {
      line += R"({"error":)" + text_of({{"classes", refused->error_classes}, {"message", refused->message}}) +
              '}';
    } else {
      line += "null";
    }
  }
  line += ']';
}

Json error(std::vector<std::string> classes, const std::string& message) {
  return {{"classes", std::move(classes)}, {"message", message}};
}

}  // namespace

bool Conversation::answer(const Channel::Message& message) {
  Members members(message.json, "a message");
  const auto seq = members.integer("seq");
  const std::string command = members.text("command");
  if (command == "start") {
    start(seq, members.integer("protocol"));
  } else if (command == "run") {
    run(seq, members.list("calls", most_calls), message.payload);
  } else if (command == "prepare") {
    const int threads = decode_threads(members.integer("threads"));
    prepare(seq, members.list("calls", 1), message.payload, {threads, members.boolean("in_place")});
  } else if (command == "repeat") {
    repeat(seq, members.integer("times"));
  } else if (command == "forget") {
    forget();
    reply(seq, "ok", Json::object());
  } else if (command == "stop") {
    reply(seq, "ok", Json::object());
    return false;
  } else {
    throw Wrong{fmt::format("unknown command '{}'", command)};
  }
  return true;
}

void Conversation::start(std::int64_t seq, std::int64_t version) {
  if (version != protocol_version)
    return reply(seq, "error",
                 error({"value"}, fmt::format("this worker speaks version {} of the protocol, not {}",
                                              protocol_version, version)));
  if (const std::string reason = engine_.start(); !reason.empty())
    return reply(seq, "error", error({"unavailable"}, reason));
  const EngineInfo& info = engine_.info();
  Json about{{"protocol", protocol_version},
             {"name", info.name},
             {"version", info.version},
             {"device", info.device},
             {"apis", info.apis},
             {"dtypes", info.dtypes},
             {"times", true},
             {"shares", true}};
  if (!info.framework.empty()) about["framework"] = info.framework;
  if (!info.varies.empty()) about["varies"] = info.varies;
  if (info.threads) about["threads"] = true;
  if (info.gradients) about["gradients"] = true;
  if (info.tangents) about["tangents"] = true;
  if (info.second_order) about["second_order"] = true;
  if (!info.kernels.empty()) about["kernels"] = Json::parse(info.kernels);
  reply(seq, "ok", std::move(about));
}

void Conversation::run(std::int64_t seq, const Json& calls, const Payload& payload) {
  for (const auto& json : calls) {
    const NumberedCall next = decode_call(json, payload);
    reply(next.seq, execute(next.request()));
  }
  reply(seq, "ok", {{"answered", calls.size()}});
}

void Conversation::prepare(std::int64_t seq, const Json& calls, const Payload& payload,
                           const TimingOptions& options) {
  forget();
  if (calls.size() != 1) throw Wrong{"prepare needs exactly one call"};
  NumberedCall next = decode_call(calls.front(), payload);
  prepared_ = std::make_unique<spec::Call>(std::move(next.call));
  TimingOptions asked = options;
  asked.gradient = next.gradient ? &*next.gradient : nullptr;
  PreparedCall ready =
      is_own_call(*prepared_) ? prepare_own_call(*prepared_) : engine_.prepare(*prepared_, asked);
  timed_ = std::move(ready.timed);
  reply(next.seq, ready.outcome);
  reply(seq, "ok", {{"answered", 1}});
}

void Conversation::repeat(std::int64_t seq, std::int64_t times) {
  if (!timed_ || times < 1) throw Wrong{"repeat without a prepared call"};
  const auto result = timed_->repeat(times);
  if (const auto* seconds = std::get_if<double>(&result)) return reply(seq, "ok", {{"seconds", *seconds}});
  const auto& outcome = std::get<spec::Outcome>(result);
  if (std::holds_alternative<spec::Produced>(outcome.what))
    misbehaved(seq, "a repeated call gave a result instead of a time");
  reply(seq, outcome);
}

void Conversation::forget() {
  timed_.reset();
  prepared_.reset();
}

spec::Outcome Conversation::execute(const CallRequest& request) {
  if (is_own_call(*request.call)) return run_own_call(request);
  if (const Support support = engine_.supports(*request.call); !support.yes)
    return {spec::Unsupported{support.reason}, 0};
  return engine_.run_one(request);
}

void Conversation::reply(std::int64_t seq, const spec::Outcome& outcome) {
  if (const auto* produced = std::get_if<spec::Produced>(&outcome.what)) {
    Parcel payload;
    std::string line = fmt::format(R"({{"seq":{},"ok":{{"tensors":[)", seq);
    for (const auto& tensor : produced->tensors) {
      line += line.back() == '[' ? "" : ",";
      write(line, tensor, payload);
    }
    line += fmt::format(R"(],"wrote":{},"seconds":{})", text_of(produced->inputs_written),
                        text_of(std::max(outcome.seconds, 0.0)));
    write(line, produced->gradients, payload);
    if (payload.size() > static_cast<std::size_t>(largest_payload))
      return reply(seq, "unsupported",
                   {{"reason", "results of more than a GiB do not go through the worker protocol"}});
    line += '}';
    line += payload.empty() ? "}" : fmt::format(R"(,"bytes":{}}})", payload.size());
    return channel_.send(framed(std::move(line), std::move(payload)));
  }
  if (const auto* refused = std::get_if<spec::Refused>(&outcome.what))
    return reply(seq, "error",
                 {{"classes", refused->error_classes},
                  {"message", refused->message},
                  {"wrote", refused->arguments_written}});
  if (const auto* unsupported = std::get_if<spec::Unsupported>(&outcome.what))
    return reply(seq, "unsupported", {{"reason", unsupported->reason}});
  const auto* garbled = std::get_if<spec::Garbled>(&outcome.what);
  misbehaved(seq, garbled != nullptr ? garbled->what : to_string(outcome));
}

void Conversation::misbehaved(std::int64_t seq, const std::string& what) {
  reply(seq, "misbehaved", {{"what", what}});
  throw Misbehaved{};
}

void Conversation::reply(std::int64_t seq, const char* member, Json content) {
  channel_.send(framed(text_of({{"seq", seq}, {member, std::move(content)}})));
}

}  // namespace scatterproof::engines::protocol
