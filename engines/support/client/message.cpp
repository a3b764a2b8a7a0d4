// SPDX-License-Identifier: Apache-2.0
// The messages of the worker protocol (docs/formats/worker-protocol.md). Every part of a reply is checked
// before use.
#include "message.hpp"

#include <fmt/format.h>

#include "strict_json.hpp"

namespace scatterproof::engines::protocol {
namespace {

constexpr std::size_t most_tensors = 16;

double decode_seconds(Members& answer) {
  const Json& seconds = answer.get("seconds");
  if (!seconds.is_number() || !(seconds.get<double>() >= 0 && seconds.get<double>() < 1e9))
    throw Wrong{"'seconds' of the answer is not a valid time"};
  return seconds.get<double>();
}

void check_written(const std::vector<std::string>& names, const spec::Call& call) {
  for (const auto& name : names) {
    const auto* argument = call.find(name);
    if (argument == nullptr || !std::holds_alternative<spec::Tensor>(*argument))
      throw Wrong{fmt::format("the answer says that '{}' was written, which is not a tensor argument", name)};
  }
}

spec::Refused decode_refused(const Json& error) {
  Members members(error, "the error");
  spec::Refused refused{members.texts("classes"), members.text("message")};
  refused.arguments_written = members.texts_if_any("wrote");
  members.flag("ends");  // Reply::ends
  members.nothing_else();
  if (refused.error_classes.empty()) throw Wrong{"the error names no class"};
  return refused;
}

spec::GradientAnswer decode_gradient(const Json& json, const Payload& payload) {
  if (json.is_null()) return spec::NotConnected{};
  Members members(json, "a gradient");
  if (const Json* error = members.find("error")) {
    members.nothing_else();
    return decode_refused(*error);
  }
  const Json& tensor = members.get("tensor");
  members.nothing_else();
  Parts alone;
  return decode_tensor(tensor, payload, alone);
}

std::vector<spec::GradientAnswer> decode_gradients(Members& answer, std::size_t count,
                                                   const Payload& payload) {
  std::vector<spec::GradientAnswer> gradients;
  if (count == 0) return gradients;
  for (const auto& one : answer.list("gradients", count)) gradients.push_back(decode_gradient(one, payload));
  if (gradients.size() != count)
    throw Wrong{fmt::format("the answer has {} gradients, {} were asked for", gradients.size(), count)};
  return gradients;
}

spec::Outcome decode_produced(const Json& ok, const spec::Call& call, std::size_t gradients,
                              const Payload& payload) {
  Members members(ok, "the answer");
  spec::Produced produced;
  for (const auto& tensor : members.list("tensors", most_tensors)) {
    Parts alone;
    produced.tensors.push_back(decode_tensor(tensor, payload, alone));
  }
  produced.inputs_written = members.texts("wrote");
  check_written(produced.inputs_written, call);
  produced.gradients = decode_gradients(members, gradients, payload);
  const double seconds = decode_seconds(members);
  members.nothing_else();
  return {std::move(produced), seconds};
}

spec::Outcome decode_misbehaved(const Json& misbehaved) {
  Members members(misbehaved, "the misbehaviour");
  spec::Crashed crashed;
  crashed.misbehaviour = members.text("what");
  members.nothing_else();
  if (crashed.misbehaviour.empty()) throw Wrong{"the misbehaviour has no words"};
  return {std::move(crashed), 0};
}

void declare(std::string kernels, Greeting& greeting) {
  auto read = read_kernels(kernels);
  if (!read) throw Wrong{"the worker declares kernels that cannot be read: " + to_string(read.errors())};
  greeting.info.kernels = std::move(kernels);
  greeting.kernels = *std::move(read);
}

void write(std::string& line, const spec::GradientQuestion& question, Parcel& payload) {
  line += R"(,"gradient":{"of":)" + text_of(question.of);
  if (!question.tangents.empty()) {
    line += R"(,"tangents":[)";
    for (const spec::Tensor& tangent : question.tangents) {
      line += line.back() == '[' ? "" : ",";
      write(line, tangent, payload);
    }
    line += ']';
  }
  if (!question.forward()) {
    line += R"(,"cotangent":)";
    write(line, question.cotangent, payload);
  }
  line += '}';
}

void write(std::string& line, std::int64_t seq, const CallRequest& request, const Taken& taken,
           Parcel& payload) {
  const spec::Call& call = *request.call;
  fmt::format_to(std::back_inserter(line), R"({{"seq":{},"api":)", seq);
  write_word(line, call.api);
  line += ',';
  if (taken.threads && request.threads > 0) line += fmt::format(R"("threads":{},)", request.threads);
  line += R"("arguments":{)";
  std::string_view comma;
  StorageStarts starts;
  for (const auto& [name, value] : call.arguments) {
    line += comma;
    write_word(line, name);
    line += ':';
    write(line, value, payload, taken.shares ? &starts : nullptr);
    comma = ",";
  }
  line += '}';
  if (taken.omits && !call.omitted.empty()) line += R"(,"omitted":)" + text_of(call.omitted);
  if (const auto* question = request.gradient; question && (question->second_order ? taken.second_order
                                                            : question->forward()  ? taken.tangents
                                                                                   : taken.gradients))
    write(line, *question, payload);
  line += '}';
}

/// A message with calls, numbered from its own seq on; `head` is everything before them.
Parcel with_calls(std::string head, std::int64_t seq, std::span<const CallRequest> requests,
                  const Taken& taken) {
  std::string line = std::move(head);
  Parcel payload;
  for (const auto& request : requests) {
    line += line.back() == '[' ? "" : ",";
    write(line, ++seq, request, taken, payload);
  }
  line += fmt::format(R"(],"bytes":{}}})", payload.size());
  return framed(std::move(line), std::move(payload));
}

/// What a signature costs; 0: the answer does not say.
double seconds_if_any(Members& members, const char* name) {
  const Json* seconds = members.find(name);
  if (!seconds) return 0;
  if (!seconds->is_number() || !(seconds->get<double>() > 0 && seconds->get<double>() < 1e9))
    throw Wrong{fmt::format("'{}' of the answer is not a valid time", name)};
  return seconds->get<double>();
}

}  // namespace

struct Reply::Body {
  Json json;
  /// The reply's one member other than seq and bytes; it must have this name.
  const Json& only(const char* name) const {
    const auto found = json.find(name);
    if (found == json.end()) throw Wrong{fmt::format("the reply has no '{}'", name)};
    if (json.size() != 2u + (json.contains("bytes") ? 1u : 0u)) throw Wrong{"the reply has unknown members"};
    return *found;
  }
};

Parcel start_message(std::int64_t seq) {
  return framed(text_of({{"command", "start"}, {"seq", seq}, {"protocol", protocol_version}}));
}

Parcel stop_message(std::int64_t seq) { return framed(text_of({{"command", "stop"}, {"seq", seq}})); }

Parcel run_message(std::int64_t seq, std::span<const CallRequest> requests, const Taken& taken) {
  return with_calls(fmt::format(R"({{"command":"run","seq":{},"calls":[)", seq), seq, requests, taken);
}

Parcel prepare_message(std::int64_t seq, const spec::Call& call, const TimingOptions& options) {
  const CallRequest request{.call = &call, .gradient = options.gradient};
  return with_calls(fmt::format(R"({{"command":"prepare","seq":{},"threads":{},"in_place":{},"calls":[)", seq,
                                options.threads, options.in_place),
                    seq, {&request, 1}, {.gradients = true});
}

Parcel repeat_message(std::int64_t seq, std::int64_t times) {
  return framed(text_of({{"command", "repeat"}, {"seq", seq}, {"times", times}}));
}

Parcel forget_message(std::int64_t seq) { return framed(text_of({{"command", "forget"}, {"seq", seq}})); }

Parcel loop_message(std::int64_t seq, std::span<const CallRequest> requests, std::int64_t rounds,
                    const Taken& taken) {
  return with_calls(fmt::format(R"({{"command":"loop","seq":{},"rounds":{},"calls":[)", seq, rounds), seq,
                    requests, taken);
}

Parcel document_message(std::int64_t seq, const std::string& name) {
  return framed(text_of({{"command", "document"}, {"seq", seq}, {"name", name}}));
}

Reply::Reply() : body_(std::make_unique<Body>()) {}
Reply::Reply(Reply&&) noexcept = default;
Reply& Reply::operator=(Reply&&) noexcept = default;
Reply::~Reply() = default;

std::variant<Reply, Fault> Reply::parse(std::string_view line) try {
  Reply reply;
  reply.body_->json = parse_strictly(line);
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
}

std::variant<Greeting, Fault> Reply::greeting() const try {
  if (body_->json.contains("error")) {
    return Fault{decode_refused(body_->only("error")).message};
  }
  Members members(body_->only("ok"), "the answer to start");
  if (const auto version = members.integer("protocol"); version != protocol_version)
    return Fault{
        fmt::format("the worker speaks version {} of the protocol, not {}", version, protocol_version)};
  Greeting greeting{.info = {.name = members.text("name"),
                             .framework = members.text_if_any("framework"),
                             .version = members.text("version"),
                             .device = members.text("device"),
                             .apis = members.texts("apis"),
                             .dtypes = members.texts("dtypes"),
                             .varies = members.text_if_any("varies"),
                             .threads = members.flag("threads"),
                             .gradients = members.flag("gradients"),
                             .tangents = members.flag("tangents"),
                             .second_order = members.flag("second_order")},
                    .times = members.flag("times"),
                    .omits = members.flag("omits"),
                    .shares = members.flag("shares"),
                    .documents = members.flag("documents"),
                    .loops = members.flag("loops")};
  greeting.info.signature_seconds = seconds_if_any(members, "signature_seconds");
  greeting.info.gradient_signature_seconds = seconds_if_any(members, "gradient_signature_seconds");
  if (const Json* kernels = members.find("kernels")) declare(text_of(*kernels), greeting);
  members.nothing_else();
  for (const auto& dtype : greeting.info.dtypes)
    if (!spec::parse_dtype(dtype))
      throw Wrong{fmt::format("the worker declares the unknown dtype '{}'", dtype)};
  return greeting;
} catch (const Wrong& wrong) {
  return Fault{wrong.what};
}

std::variant<spec::Outcome, Fault> Reply::outcome(const spec::Call& call, std::size_t gradients,
                                                  const Payload& payload) const try {
  if (body_->json.contains("ok")) return decode_produced(body_->only("ok"), call, gradients, payload);
  spec::Outcome failed = decode_failed();
  if (const auto* refused = std::get_if<spec::Refused>(&failed.what))
    check_written(refused->arguments_written, call);
  return failed;
} catch (const Wrong& wrong) {
  return Fault{wrong.what};
}

bool Reply::ends() const {
  const auto error = body_->json.find("error");
  return error != body_->json.end() && error->is_object() && error->value("ends", Json(false)) == Json(true);
}

std::variant<double, spec::Outcome, Fault> Reply::repeated() const try {
  if (!body_->json.contains("ok")) return decode_failed();
  if (bytes_ != 0) throw Wrong{"an answer of seconds has bytes"};
  Members members(body_->only("ok"), "the seconds");
  const double seconds = decode_seconds(members);
  members.nothing_else();
  return seconds;
} catch (const Wrong& wrong) {
  return Fault{wrong.what};
}

std::variant<DocumentText, Fault> Reply::document() const try {
  if (bytes_ != 0) throw Wrong{"the answer to document has bytes"};
  const bool has_text = body_->json.contains("ok");
  Members members(body_->only(has_text ? "ok" : "unsupported"), "the answer to document");
  DocumentText document;
  if (has_text)
    document.text = members.text("text");
  else
    document.missing = members.text("reason");
  members.nothing_else();
  if (!has_text && document.missing.empty()) throw Wrong{"the answer to document gives no reason"};
  return document;
} catch (const Wrong& wrong) {
  return Fault{wrong.what};
}

/// Refused, misbehaved or unsupported.
spec::Outcome Reply::decode_failed() const {
  if (bytes_ != 0) throw Wrong{"the reply has bytes and no tensors"};
  if (body_->json.contains("error")) return {decode_refused(body_->only("error")), 0};
  if (body_->json.contains("misbehaved")) return decode_misbehaved(body_->only("misbehaved"));
  Members members(body_->only("unsupported"), "the reason");
  spec::Unsupported unsupported{members.text("reason")};
  members.nothing_else();
  return {std::move(unsupported), 0};
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

std::optional<Fault> Reply::done(std::string_view what) const try {
  const Members members(body_->only("ok"), fmt::format("the answer to {}", what));
  members.nothing_else();
  if (bytes_ != 0) throw Wrong{fmt::format("the answer to {} has bytes", what)};
  return {};
} catch (const Wrong& wrong) {
  return Fault{wrong.what};
}

}  // namespace scatterproof::engines::protocol
