// SPDX-License-Identifier: Apache-2.0
#include "own_calls.hpp"

#include <chrono>
#include <cstdio>
#include <variant>
#include <vector>

namespace scatterproof::engines::protocol {
namespace {

using spec::DType;
using spec::Outcome;
using spec::Scalar;
using spec::Tensor;

Outcome produced(Tensor tensor) { return {spec::Produced{{std::move(tensor)}, {}}, 0}; }

Outcome refused(const char* what) { return {spec::Refused{{"value"}, what}, 0}; }

Outcome number(const Scalar& value) {
  const DType dtype = value.is_integral()                     ? DType::i64
                      : value.kind() == Scalar::Kind::complex ? DType::c128
                                                              : DType::f64;
  return produced(Tensor(dtype, {}, std::vector{value}));
}

Outcome echo(const spec::Call& call) {
  const auto* value = call.find("value");
  if (value == nullptr) return refused("echo takes 'value'");
  if (const auto* tensor = std::get_if<Tensor>(value)) return produced(tensor->clone());
  if (const auto* scalar = std::get_if<Scalar>(value)) return number(*scalar);
  return refused("echo takes a tensor or a number");
}

Outcome print(const spec::Call& call) {
  const auto* text = call.find("text");
  const auto* times = call.find("times");
  if (text == nullptr || times == nullptr || !std::holds_alternative<std::string>(*text) ||
      !std::holds_alternative<Scalar>(*times) || !std::get<Scalar>(*times).is_integral())
    return refused("print takes a string 'text' and an integer 'times'");
  for (std::int64_t i = 0; i < std::get<Scalar>(*times).integer(); ++i)
    std::puts(std::get<std::string>(*text).c_str());
  std::fflush(stdout);
  return number(std::get<Scalar>(*times));
}

Outcome refuse(const spec::Call& call) {
  const auto* message = call.find("message");
  const auto* text = message == nullptr ? nullptr : std::get_if<std::string>(message);
  return refused(text == nullptr ? "refuse takes a string 'message'" : text->c_str());
}

class TimedOwnCall final : public TimedCall {
 public:
  explicit TimedOwnCall(const spec::Call& call) : call_(call) {}
  std::variant<double, Outcome> repeat(std::int64_t times) override {
    const auto begin = std::chrono::steady_clock::now();
    for (std::int64_t i = 0; i < times; ++i) run_own_call(call_);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }

 private:
  const spec::Call& call_;
};

}  // namespace

bool is_own_call(const spec::Call& call) { return call.api.starts_with("scatterproof."); }

Outcome run_own_call(const CallRequest& request) {
  Outcome outcome = run_own_call(*request.call);
  if (auto* produced = std::get_if<spec::Produced>(&outcome.what); produced && request.gradient)
    produced->gradients.assign(1, request.gradient->tangents.empty() ? request.gradient->cotangent
                                                                     : request.gradient->tangents.front());
  return outcome;
}

Outcome run_own_call(const spec::Call& call) {
  if (call.api == "scatterproof.echo") return echo(call);
  if (call.api == "scatterproof.refuse") return refuse(call);
  if (call.api == "scatterproof.print") return print(call);
  return {spec::Unsupported{"unknown call " + call.api}, 0};
}

PreparedCall prepare_own_call(const spec::Call& call) {
  PreparedCall prepared{run_own_call(call), nullptr};
  if (std::holds_alternative<spec::Produced>(prepared.outcome.what))
    prepared.timed = std::make_unique<TimedOwnCall>(call);
  return prepared;
}

}  // namespace scatterproof::engines::protocol
