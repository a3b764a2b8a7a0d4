// SPDX-License-Identifier: Apache-2.0
// Tries a worker with the calls that every worker answers (docs/formats/worker-protocol.md, "Calls every
// worker answers").
#include "scatterproof/engines/client/check.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limits>
#include <optional>

#include "scatterproof/spec/core/shell_word.hpp"
#include "session.hpp"

namespace scatterproof::engines {
namespace {

using namespace protocol;
using spec::Call;
using spec::DType;
using spec::Outcome;
using spec::Scalar;
using spec::Shape;
using spec::Tensor;

constexpr std::chrono::seconds patience{10};
constexpr std::size_t batch = 64;

Call echo(spec::Argument value) { return {"scatterproof.echo", {{"value", std::move(value)}}}; }

/// A tensor whose elements differ, and fit every dtype.
Tensor sample(DType dtype, const Shape& shape) {
  std::vector<Scalar> values;
  for (std::int64_t i = 0; i < spec::numel(shape); ++i) values.push_back(Scalar::of_int((i * 7 + 1) % 100));
  return {dtype, shape, values};
}

/// The command that starts the worker, ready to paste into a shell.
std::string shell_line(const WorkerOptions& options) {
  std::string line;
  for (const auto& [name, value] : options.environment) line += name + "=" + spec::shell_word(value) + " ";
  for (const auto& word : options.command) line += spec::shell_word(word) + " ";
  line.pop_back();
  return line;
}

class Check {
 public:
  explicit Check(WorkerOptions options) : options_(std::move(options)) {}

  std::vector<ProtocolCheck> run() {
    if (!start()) return std::move(findings_);
    declaration();
    for (const auto& dtype : session_->greeting().info.dtypes) tensors(*spec::parse_dtype(dtype));
    numbers();
    whole_batch();
    refusal();
    unknown_call();
    printing();
    timing();
    bare_loop();
    gradients();
    documents();
    farewell();
    return std::move(findings_);
  }

 private:
  void note(bool ok, std::string what, std::string hint) {
    findings_.push_back({ok, std::move(what), ok ? std::string{} : std::move(hint)});
  }

  bool start() {
    auto started = Session::start(options_);
    if (auto* reason = std::get_if<std::string>(&started)) {
      note(false, *reason,
           fmt::format("answer the first message, {{\"command\": \"start\"}}, on descriptor "
                       "$SCATTERPROOF_WORKER_FD; to see what the program prints, run it by hand: {}",
                       shell_line(options_)));
      return false;
    }
    session_ = std::get<std::unique_ptr<Session>>(std::move(started));
    note(true, "answers start", "");
    return true;
  }

  void declaration() {
    const auto& info = session_->greeting().info;
    const auto& kernels = session_->greeting().kernels;
    note(!info.apis.empty() || !kernels.empty(),
         info.apis.empty() && !kernels.empty() ? fmt::format("declares kernels: {}", kernels.size())
                                               : fmt::format("declares {} APIs", info.apis.size()),
         "list in 'apis' the names of the specs it takes, as `scatterproof spec list` prints them");
    note(!info.dtypes.empty(), fmt::format("declares {} dtypes", info.dtypes.size()),
         "list in 'dtypes' the dtypes it takes: bool u8 i8 i16 i32 i64 f16 bf16 f32 f64 c64 c128");
    note(!info.name.empty() && !info.version.empty() && !info.device.empty(),
         fmt::format("declares itself as {} {} on {}", info.name, info.version, info.device),
         "give 'name', 'version' and 'device' in the answer to start; every record shows them");
  }

  /// The outcomes of a batch, or a finding that says what went wrong. A broken worker is replaced for the
  /// next check.
  std::optional<std::vector<Outcome>> ask(const std::vector<Call>& calls, const std::string& what) {
    std::vector<CallRequest> requests;
    for (const auto& call : calls) requests.push_back({&call, patience});
    return ask(requests, what);
  }

  std::optional<std::vector<Outcome>> ask(std::span<const CallRequest> requests, const std::string& what) {
    if (!session_) {
      auto started = Session::start(options_);
      if (!std::holds_alternative<std::unique_ptr<Session>>(started)) {
        note(false, what + ": the worker did not start again",
             "it must be able to start any number of times");
        return {};
      }
      session_ = std::get<std::unique_ptr<Session>>(std::move(started));
    }
    Answers answers = session_->run(requests);
    if (!answers.breach) return std::move(answers.outcomes);
    session_.reset();
    const auto& outcome = answers.breach->outcome;
    note(false, fmt::format("{}: {}", what, to_string(outcome)), breach_hint(outcome));
    return {};
  }

  static std::string breach_hint(const Outcome& outcome) {
    if (std::holds_alternative<spec::Crashed>(outcome.what))
      return "a call must not end the worker: answer {\"error\": ...} for what fails, and go on";
    if (std::holds_alternative<spec::TimedOut>(outcome.what))
      return "answer every call, in the order of the message, each as soon as it is done, and flush; then "
             "the run itself";
    return "one line of JSON, a newline, then exactly the bytes it announces; each reply with the seq of "
           "what it answers";
  }

  /// Whether a call came back with exactly this tensor, and says that it wrote nothing.
  static std::string difference(const Outcome& outcome, const Tensor& expected) {
    const auto* produced = std::get_if<spec::Produced>(&outcome.what);
    if (produced == nullptr) return to_string(outcome);
    if (produced->tensors.size() != 1)
      return fmt::format("{} tensors came back, not 1", produced->tensors.size());
    if (!produced->inputs_written.empty()) return "the reply says that the argument was overwritten";
    const auto& tensor = produced->tensors.front();
    if (tensor.dtype() != expected.dtype())
      return fmt::format("{} came back as {}", spec::name(expected.dtype()), spec::name(tensor.dtype()));
    if (tensor.shape() != expected.shape())
      return fmt::format("shape {} came back as {}", spec::to_string(expected.shape()),
                         spec::to_string(tensor.shape()));
    return identical(tensor, expected)
               ? ""
               : fmt::format("{} came back as {}", spec::to_string(expected), spec::to_string(tensor));
  }

  void tensors(DType dtype) {
    std::vector<Call> calls;
    std::vector<std::string> layouts;
    std::vector<Tensor> expected;
    for (const auto& shape : {Shape{}, Shape{0}, Shape{2, 0, 3}, Shape{4}, Shape{2, 3}, Shape{2, 1, 3, 2}})
      for (const auto layout : spec::all_layouts) {
        expected.push_back(sample(dtype, shape));
        layouts.emplace_back(spec::name(layout));
        calls.push_back(echo(spec::with_layout(expected.back(), layout)));
      }
    const std::string what = fmt::format("{} tensors", spec::name(dtype));
    const auto outcomes = ask(calls, what);
    if (!outcomes) return;
    for (std::size_t i = 0; i < calls.size(); ++i) {
      const auto* unsupported = std::get_if<spec::Unsupported>(&(*outcomes)[i].what);
      // A framework may lack a layout. It may not lack the plain one.
      if (unsupported != nullptr && layouts[i] != "contiguous") continue;
      const auto wrong = difference((*outcomes)[i], expected[i]);
      if (wrong.empty()) continue;
      note(false, fmt::format("{}, {}: {}", what, layouts[i], wrong),
           "scatterproof.echo returns the tensor it was given: element p lies at storage[offset + sum(p[d] * "
           "strides[d])], "
           "counted in elements, and the storage is `length` bytes of the payload from `start`");
      return;
    }
    note(true, what + " of every layout come back unchanged", "");
  }

  void numbers() {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    std::vector<Scalar> values;
    for (const double real : {0.1, -0.0, infinity, -infinity, std::numeric_limits<double>::quiet_NaN(),
                              std::numeric_limits<double>::denorm_min(), std::numeric_limits<double>::max()})
      values.push_back(Scalar::of_real(real));
    for (const auto integer : {INT64_MIN, std::int64_t{-1}, (std::int64_t{1} << 53) + 1, INT64_MAX})
      values.push_back(Scalar::of_int(integer));
    std::vector<Call> calls;
    for (const auto& value : values) calls.push_back(echo(value));
    const auto outcomes = ask(calls, "numbers");
    if (!outcomes) return;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto dtype = values[i].is_integral() ? DType::i64 : DType::f64;
      const auto wrong = difference((*outcomes)[i], Tensor(dtype, {}, std::vector{values[i]}));
      if (wrong.empty()) continue;
      note(false, fmt::format("the number {}: {}", spec::to_string(values[i]), wrong),
           "scatterproof.echo returns a number as f64[] and an integer as i64[], exactly: {\"number\": "
           "{\"real\": ...}} "
           "holds a hexadecimal float, nan, inf or -inf; integers use all 64 bits");
      return;
    }
    note(true, "numbers arrive exactly", "");
  }

  void whole_batch() {
    std::vector<Call> calls;
    for (std::size_t i = 0; i < batch; ++i)
      calls.push_back(echo(Scalar::of_int(static_cast<std::int64_t>(i))));
    const auto outcomes = ask(calls, "a batch of 64 calls");
    if (!outcomes) return;
    for (std::size_t i = 0; i < batch; ++i) {
      const auto wrong = difference(
          (*outcomes)[i], Tensor(DType::i64, {}, std::vector{Scalar::of_int(static_cast<std::int64_t>(i))}));
      if (wrong.empty()) continue;
      note(false, fmt::format("a batch of 64 calls, number {}: {}", i, wrong),
           "answer calls in order, each with its own seq");
      return;
    }
    note(true, "a batch of 64 calls is answered in order", "");
  }

  void refusal() {
    const auto outcomes =
        ask({{"scatterproof.refuse", {{"message", std::string("as told")}}}}, "a refused call");
    if (!outcomes) return;
    const auto* refused = std::get_if<spec::Refused>(&outcomes->front().what);
    note(refused != nullptr && refused->message == "as told",
         refused != nullptr
             ? fmt::format("errors come back as {}: {}", refused->error_classes.front(), refused->message)
             : "scatterproof.refuse: " + to_string(outcomes->front()),
         "raise an error with the text of `message` and report it as {\"error\": {\"classes\": [..], "
         "\"message\": ..}}");
  }

  void unknown_call() {
    const auto outcomes = ask({{"scatterproof.no_such_call", {}}}, "a call it does not offer");
    if (!outcomes) return;
    const bool ok = std::holds_alternative<spec::Unsupported>(outcomes->front().what);
    note(ok,
         ok ? "a call it does not offer is answered with unsupported"
            : "a call it does not offer: " + to_string(outcomes->front()),
         "answer {\"unsupported\": {\"reason\": ...}} for an api that is not in the list it declared");
  }

  void printing() {
    const Call print{"scatterproof.print",
                     {{"text", std::string(63, 'x')}, {"times", Scalar::of_int(10'000)}}};
    const auto outcomes = ask({print, echo(Scalar::of_int(1))}, "after much output on stdout");
    if (!outcomes) return;
    const bool offered = !std::holds_alternative<spec::Unsupported>(outcomes->front().what);
    const auto wrong = difference(outcomes->back(), Tensor(DType::i64, {}, std::vector{Scalar::of_int(1)}));
    note(wrong.empty(),
         !wrong.empty() ? "after much output on stdout: " + wrong
         : offered      ? "printing on stdout does no harm"
                        : "scatterproof.print is not offered, so printing was not tried",
         "the channel is descriptor $SCATTERPROOF_WORKER_FD, not stdout");
  }

  /// Timed calls are optional; a worker that declares them has to have them.
  void timing() {
    if (!session_ || !session_->greeting().times) return;
    const Call call = echo(sample(DType::i64, {2, 3}));
    const std::string hint =
        "answer prepare as a run of one call, then repeat with {\"ok\": {\"seconds\": ..}} and forget with "
        "{\"ok\": {}}; or leave \"times\" out of the answer to start";
    const auto broken = [&](const char* what, const Breach& breach) {
      session_.reset();
      note(false, fmt::format("timed calls, {}: {}", what, to_string(breach.outcome)), hint);
    };
    auto first = session_->prepare(call, {}, patience);
    if (const auto* breach = std::get_if<Breach>(&first)) return broken("prepare", *breach);
    const auto wrong = difference(std::get<Outcome>(first), std::get<Tensor>(call.arguments[0].second));
    if (!wrong.empty()) return note(false, "timed calls, prepare: " + wrong, hint);
    auto repeated = session_->repeat(3, patience);
    if (const auto* breach = std::get_if<Breach>(&repeated)) return broken("repeat", *breach);
    if (const auto* outcome = std::get_if<Outcome>(&repeated))
      return note(false, "timed calls, repeat: " + to_string(*outcome), hint);
    if (const auto breach = session_->forget(patience)) return broken("forget", *breach);
    note(true, "a prepared call is repeated and timed", "");
  }

  /// Gradients are optional too. That of what echo returns is the cotangent, and its tangent is that of its
  /// value, which is also what second order gives for the cotangent.
  void gradients() {
    if (session_ && session_->greeting().info.gradients)
      gradient({.of = {"value"}, .cotangent = sample(DType::f32, {2, 3})}, "gradient", "cotangent",
               "gradients");
    if (session_ && session_->greeting().info.tangents)
      gradient({.of = {"value"}, .cotangent = {}, .tangents = {sample(DType::f32, {2, 3})}}, "tangent",
               "tangent of its value", "tangents");
    if (session_ && session_->greeting().info.second_order)
      gradient({.of = {"value"},
                .cotangent = sample(DType::f32, {2, 3}),
                .tangents = {sample(DType::f32, {2, 3})},
                .second_order = true},
               "derivative of second order by the cotangent", "tangent of its value", "second_order");
  }

  void gradient(const spec::GradientQuestion& question, const char* of_echo, const char* is,
                const char* declared) {
    const Call call = echo(sample(DType::f32, {2, 3}));
    const auto& value = std::get<Tensor>(call.arguments[0].second);
    const Tensor& expected = question.tangents.empty() ? question.cotangent : question.tangents.front();
    const CallRequest request{.call = &call, .timeout = patience, .gradient = &question};
    const auto outcomes = ask(std::span(&request, 1), fmt::format("a {}", of_echo));
    if (!outcomes) return;
    std::string wrong = difference(outcomes->front(), value);
    if (const auto* produced = std::get_if<spec::Produced>(&outcomes->front().what); wrong.empty()) {
      const auto* gradient = std::get_if<Tensor>(&produced->gradients.front());
      wrong = gradient ? difference({spec::Produced{{*gradient}, {}}, 0}, expected) : "there is none";
    }
    note(wrong.empty(),
         wrong.empty() ? fmt::format("the {} of echo is the {}", of_echo, is)
                       : fmt::format("the {} of scatterproof.echo: {}", of_echo, wrong),
         fmt::format(
             "answer a call that asks for gradients with its result and \"gradients\", one for each "
             "name in \"of\", in forward mode one alone, in second order one for the cotangent before them; "
             "or leave \"{}\" out of the answer to start",
             declared));
  }

  /// A bare loop is optional too.
  void bare_loop() {
    if (!session_ || !session_->greeting().loops) return;
    const Call call = echo(sample(DType::i64, {2, 3}));
    const CallRequest request{&call};
    const auto took = session_->loop({&request, 1}, 3, patience);
    std::string wrong;
    if (const auto* breach = std::get_if<Breach>(&took)) {
      session_.reset();
      wrong = to_string(breach->outcome);
    } else if (const auto* outcome = std::get_if<Outcome>(&took)) {
      wrong = to_string(*outcome);
    }
    note(wrong.empty(),
         wrong.empty() ? "calls are executed in a bare loop and timed" : "a bare loop: " + wrong,
         "answer loop once, with {\"ok\": {\"seconds\": ..}}; or leave \"loops\" out of the answer to start");
  }

  /// Documents are optional too.
  void documents() {
    if (!session_ || !session_->greeting().documents) return;
    auto answer = session_->document("scatterproof.no_such_document", patience);
    const auto* text = std::get_if<DocumentText>(&answer);
    std::string what = "a document it does not have is answered with unsupported";
    if (!text) {
      session_.reset();
      what = "a document it does not have: " + to_string(std::get<Breach>(answer).outcome);
    } else if (text->missing.empty()) {
      what = "a document it does not have was answered with a text";
    }
    note(text != nullptr && !text->missing.empty(), what,
         "answer document with {\"ok\": {\"text\": ..}} or {\"unsupported\": {\"reason\": ..}}; or leave "
         "\"documents\" out of the answer to start");
  }

  void farewell() {
    if (!session_) return;
    const Leave leave = session_->stop(std::chrono::seconds(5));
    const bool ended = leave.ended && leave.ended->signal == 0 && leave.ended->exit_status == 0;
    std::string what = "stops when told to";
    if (!leave.fault.empty())
      what = leave.fault;
    else if (!leave.ended)
      what = "the worker did not exit after stop";
    else if (!ended)
      what = fmt::format("the worker exited after stop with {} {}",
                         leave.ended->signal != 0 ? "signal" : "exit status",
                         leave.ended->signal != 0 ? leave.ended->signal : leave.ended->exit_status);
    if (const std::vector<std::string> left = session_->end(); !left.empty())
      note(false, fmt::format("left running outside its process group: {}", fmt::join(left, ", ")),
           "end what the worker has started before it ends itself");
    note(leave.fault.empty() && ended, what,
         "answer {\"command\": \"stop\"} with {\"seq\": .., \"ok\": {}}, send nothing more, and exit with "
         "status 0");
  }

  WorkerOptions options_;
  std::unique_ptr<Session> session_;
  std::vector<ProtocolCheck> findings_;
};

}  // namespace

std::vector<ProtocolCheck> check_worker(WorkerOptions options) { return Check(std::move(options)).run(); }

}  // namespace scatterproof::engines
