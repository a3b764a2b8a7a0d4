// SPDX-License-Identifier: Apache-2.0
// Gradients of single calls: those that cases state, and a closer look at wrong ones.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "scatterproof/runner/trial/ask.hpp"
#include "scatterproof/runner/trial/gradients.hpp"
#include "scatterproof/spec/gradient/judge_gradient.hpp"

namespace scatterproof::runner {
namespace {

bool are_identical(const spec::GradientAnswer& a, const spec::GradientAnswer& b) {
  const auto *one = std::get_if<spec::Tensor>(&a), *other = std::get_if<spec::Tensor>(&b);
  return one && other ? identical(*one, *other) : a.index() == b.index();
}

}  // namespace

std::optional<spec::Judgement> dispute_about_gradients(const spec::Case& one, const spec::OpSpec& spec,
                                                       const engines::EngineInfo& engine) {
  if (!one.gradient || one.gradient->any_of.empty()) return {};
  const auto task = gradient_task(spec, one.call, engine, &one.gradient->cotangent);
  const auto* follows = std::get_if<GradientTask>(&task);
  if (!follows) return {};
  std::string why = follows->gradients.why_open;
  for (const spec::CaseGradient::Gradients& stated : one.gradient->any_of) {
    if (!why.empty()) break;
    std::vector<spec::GradientAnswer> answers(follows->reverse.of.size(), spec::Refused{});
    for (const auto& [name, gradient] : stated)
      answers[static_cast<std::size_t>(std::ranges::find(follows->reverse.of, name) -
                                       follows->reverse.of.begin())] = gradient;
    const spec::Judgement judgement = spec::judge_gradients(follows->gradients, answers);
    if (is_failure(judgement.verdict)) why = judgement.explanation;
  }
  if (why.empty()) return {};
  return spec::Judgement{
      .verdict = spec::Verdict::disputed,
      .diagnosis = {.kind = spec::DiagnosisKind::case_contradicts_spec},
      .explanation = fmt::format("the gradients that the case states do not follow from the spec: {}:{}\n{}",
                                 one.file, one.at.line, why)};
}

std::string varying_gradient(const spec::OpSpec& spec, engines::Engine& engine, const spec::Call& call,
                             std::chrono::milliseconds timeout, const spec::Tensor* cotangent) {
  const auto task = gradient_task(spec, call, engine.info(), cotangent);
  const auto* asked = std::get_if<GradientTask>(&task);
  if (!asked || !engine.info().gradients) return "";
  const std::array calls{&call, &call};
  const std::array questions{&asked->reverse, &asked->reverse};
  const std::vector<spec::Outcome> outcomes = ask(engine, calls, timeout, questions);
  const auto *one = std::get_if<spec::Produced>(&outcomes[0].what),
             *other = std::get_if<spec::Produced>(&outcomes[1].what);
  if (!one || !other || std::ranges::equal(one->gradients, other->gradients, are_identical)) return "";
  return "\nthe gradient is another one when it is asked for again: is it memory that nothing was written "
         "to?";
}

}  // namespace scatterproof::runner
