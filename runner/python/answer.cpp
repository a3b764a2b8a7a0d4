// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/python/answer.hpp"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <optional>
#include <stop_token>
#include <thread>

#include "allowed.hpp"
#include "call_of.hpp"
#include "check.hpp"
#include "scatterproof/engines/client/worker.hpp"
#include "scatterproof/engines/protocol/channel.hpp"
#include "scatterproof/engines/registry/python_function.hpp"
#include "scatterproof/runner/catalogue/catalogue.hpp"
#include "scatterproof/runner/fuzz/generator.hpp"
#include "scatterproof/runner/trial/gradients.hpp"
#include "scatterproof/runner/trial/trial.hpp"

namespace scatterproof::runner::python {
namespace {

using engines::protocol::Channel;
using engines::protocol::framed;
using engines::protocol::Json;
using engines::protocol::Members;
using engines::protocol::Parcel;
using engines::protocol::Payload;
using engines::protocol::text_of;
using engines::protocol::Wrong;

/// A function of the other end, without a framework: the newest release of each document is read.
const engines::EngineInfo& other_end() {
  static const engines::EngineInfo info{"python", "", "", "cpu", {}, {}};
  return info;
}

Json json_of(const spec::Errors& errors) {
  return {{"error", {{"what", errors.front().what}, {"hint", errors.front().hint}}}};
}

spec::Outcome outcome_of(const Json& result, const Payload& payload) {
  Members members(result, "the result");
  if (const Json* tensors = members.find("tensors")) {
    spec::Produced produced;
    engines::protocol::Parts parts;
    for (const Json& tensor : *tensors)
      produced.tensors.push_back(engines::protocol::decode_tensor(tensor, payload, parts));
    return {std::move(produced), 0};
  }
  return {spec::Refused{members.texts("classes"), members.text("message")}, 0};
}

Choice choice_of(Members& request) {
  const std::int64_t seed = request.integer("seed");
  return {.dtypes = request.texts("dtypes"),
          .broken = request.boolean("broken"),
          .seed = static_cast<std::uint64_t>(seed)};
}

constexpr auto no_limit = std::chrono::hours(1);  // nothing could end a call of the other end

/// The verdict on the call, or on its gradients if that is right.
spec::Result<spec::Judgement> judge_function(const spec::OpSpec& op, const spec::Call& call,
                                             engines::Engine& engine) {
  const auto plain =
      judge_call(op, call, engine.info(), engine.run_one({.call = &call, .timeout = no_limit}));
  if (!plain) return plain.errors();
  if (is_failure(plain->judgement.verdict)) return plain->judgement;
  if (const auto task = gradient_task(op, call, engine.info());
      const auto* why = std::get_if<std::string>(&task))
    return spec::Judgement{.verdict = spec::Verdict::open, .explanation = *why};
  const spec::Call* const asked = &call;
  return judge_gradients(op, engine, {&asked, 1}, no_limit)
      .front()
      .value_or(spec::Judgement{.verdict = spec::Verdict::unsupported});
}

/// Seconds of a call in a process of its own, where the time is limited: a call that hangs takes it twice.
constexpr double shortest_call = 1, longest_call = 5;

class Answering {
 public:
  Answering(Channel& channel, int descriptor, const engines::Places& places, const spec::SpecLibrary& specs)
      : channel_(channel), descriptor_(descriptor), places_(places), specs_(specs) {}

  void answer(const Channel::Message& message) {
    Members request(message.json, "a request");
    const std::string command = request.text("command");
    const auto op = find_spec(specs_, request.text("api"));
    if (!op) return send(json_of(op.errors()));
    if (command == "describe") return channel_.send(framed(engines::described_for_python(**op)));
    if (command == "judge") return send(judge(**op, request, message.payload));
    if (command == "allowed") return allowed(**op, request, message.payload);
    if (command == "calls") return calls(**op, request);
    if (command == "differentiate") return send(differentiate(**op, request, message.payload));
    if (command == "check") return send(check(**op, request));
    throw Wrong{fmt::format("unknown command '{}'", command)};
  }

 private:
  void send(const Json& answer) { channel_.send(framed(text_of(answer))); }

  static Json answer_of(const spec::Judgement& judgement) {
    return {{"verdict", name(judgement.verdict)},
            {"explanation", with_causes(judgement.explanation, judgement.causes)}};
  }

  Json judge(const spec::OpSpec& named, Members& request, const Payload& payload) const {
    const spec::OpSpec& op = spec_for(named, specs_, request.get("arguments"));
    const auto call = call_of(op, request.get("arguments"), payload);
    if (!call) return json_of(call.errors());
    const spec::Outcome outcome = outcome_of(request.get("result"), payload);
    const auto trial = judge_call(op, *call, other_end(), outcome);
    if (!trial) return json_of(trial.errors());
    return answer_of(trial->judgement);
  }

  /// The result and the gradients of a function at the other end.
  Json differentiate(const spec::OpSpec& op, Members& request, const Payload& payload) {
    const auto call = call_of(op, request.get("arguments"), payload);
    if (!call) return json_of(call.errors());
    const auto engine = engine_at_other_end();
    if (const std::string reason = engine->start(); !reason.empty())
      return json_of({spec::Error{.what = reason}});
    const auto judgement = judge_function(op, *call, *engine);
    engine->stop();
    if (!judgement) return json_of(judgement.errors());
    return answer_of(*judgement);
  }

  std::unique_ptr<engines::Engine> engine_at_other_end() const {
    engines::WorkerOptions worker;
    worker.info = other_end();
    worker.channel = descriptor_;
    worker.specs = &specs_;
    return engines::make_worker_engine(std::move(worker));
  }

  void allowed(const spec::OpSpec& named, Members& request, const Payload& payload) {
    const spec::OpSpec& op = spec_for(named, specs_, request.get("arguments"));
    const auto call = call_of(op, request.get("arguments"), payload);
    if (!call) return send(json_of(call.errors()));
    const auto expectation = expect(op, *call, other_end());
    if (!expectation) return send(json_of(expectation.errors()));
    std::string line;
    Parcel tensors;
    write_allowed(*expectation, line, tensors);
    send(std::move(line), std::move(tensors));
  }

  /// Appends the number of bytes to an object.
  void send(std::string line, Parcel payload) {
    line.pop_back();
    line += fmt::format(R"(,"bytes":{}}})", payload.size());
    channel_.send(framed(std::move(line), std::move(payload)));
  }

  /// The calls of some numbers; a number may have none.
  void calls(const spec::OpSpec& op, Members& request) {
    const Choice choice = choice_of(request);
    const auto first = static_cast<std::uint64_t>(request.integer("first"));
    const auto count = static_cast<std::uint64_t>(request.integer("count"));
    fuzz::Generator& generator = generator_of(op, choice, text_of(request.get("dtypes")));
    std::string line = R"({"calls":[)";
    Parcel payload;
    for (std::uint64_t number = first; number < first + count; ++number) {
      const auto made = generator.make(number);
      if (!made) continue;
      line += line.back() == '[' ? "" : ",";
      line += fmt::format(R"({{"number":{},"breaks":{},"arguments":{{)", number,
                          made->broken ? text_of(made->broken->id) : "null");
      engines::protocol::StorageStarts starts;
      for (const auto& [name, value] : made->call.arguments) {
        line += line.back() == '{' ? "" : ",";
        engines::protocol::write_word(line, spec::keyword_of(op, name));
        line += ':';
        engines::protocol::write(line, value, payload, &starts);
      }
      line += "}}";
    }
    send(line + "]}", std::move(payload));
  }

  /// The generator that was used last, if it is the one: it has solved forms.
  fuzz::Generator& generator_of(const spec::OpSpec& op, const Choice& choice, const std::string& dtypes) {
    const std::string key = fmt::format("{} {} {} {}", op.api, choice.seed, choice.broken, dtypes);
    if (key != generates_) {
      generator_.emplace(op, choice.seed, wishes_of(choice, op));
      generates_ = key;
    }
    return *generator_;
  }

  /// The function in a process of its own, if it has a module, or the other end.
  spec::Result<std::unique_ptr<engines::Engine>> engine_of(const spec::OpSpec& op, const CheckRequest& asked,
                                                           const std::string& module) {
    if (!module.empty())
      return engines::make_function_engine(
          {module, asked.function.name, op.api, asked.arrays, asked.choice.dtypes}, specs_, places_);
    return engine_at_other_end();
  }

  Json check(const spec::OpSpec& op, Members& request) {
    CheckRequest asked{
        .choice = choice_of(request),
        .cases = static_cast<std::uint64_t>(request.integer("cases")),
        .seconds = request.get("seconds").get<double>(),
        .gradients = request.boolean("gradients"),
        .arrays = request.text("arrays"),
        .function = {request.text("function"), request.boolean("by_keyword"), request.texts("takes")}};
    const std::string module = request.text_if_any("module");
    if (module.empty())
      asked.timeout = no_limit;
    else if (asked.seconds > 0)
      asked.timeout = std::chrono::milliseconds(
          static_cast<std::int64_t>(1000 * std::clamp(asked.seconds, shortest_call, longest_call)));
    auto engine = engine_of(op, asked, module);
    if (!engine) return json_of(engine.errors());
    const auto result = python::check(asked, op, specs_, std::move(engine).value(), places_);
    if (!result) return json_of(result.errors());
    Json answer{{"judged", result->judged},
                {"open", result->open},
                {"unsupported", result->unsupported},
                {"gradients", result->gradients},
                {"without_gradients", result->without_gradients}};
    if (!result->verdict.empty())
      answer["failure"] = {{"verdict", result->verdict},
                           {"explanation", result->explanation},
                           {"code", result->code},
                           {"number", result->number},
                           {"minimal", result->minimal},
                           {"by_chance", result->by_chance},
                           {"made_again", result->made_again}};
    return answer;
  }

  Channel& channel_;
  int descriptor_;
  const engines::Places& places_;
  const spec::SpecLibrary& specs_;
  std::string generates_;
  std::optional<fuzz::Generator> generator_;
};

/// Ends this process if the other end goes, also while a check does not look at the channel.
void end_with_caller(int descriptor, const std::stop_token& stop) {
  constexpr int wait = 200;  // milliseconds
  pollfd watched{.fd = descriptor, .events = POLLRDHUP, .revents = 0};
  while (!stop.stop_requested())
    if (poll(&watched, 1, wait) > 0 && (watched.revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0)
      std::_Exit(0);
}

}  // namespace

int answer(int descriptor, const engines::Places& places) try {
  const std::jthread watching(
      [descriptor](const std::stop_token& stop) { end_with_caller(descriptor, stop); });
  Channel channel(descriptor);
  const auto specs = load_specs("", places);
  if (!specs) {
    fmt::print(stderr, "{}", to_string(specs.errors()));
    return 4;
  }
  Answering answering(channel, descriptor, places, *specs);
  while (const auto message = channel.receive()) answering.answer(*message);
  return 0;
} catch (const Wrong& wrong) {
  fmt::print(stderr, "error: {}\n", wrong.what);
  return 3;
}

}  // namespace scatterproof::runner::python
