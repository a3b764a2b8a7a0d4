// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/trial/gradients.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "scatterproof/runner/calls/call_hash.hpp"
#include "scatterproof/runner/trial/ask.hpp"
#include "scatterproof/runner/trial/trial.hpp"
#include "scatterproof/spec/core/sharing.hpp"
#include "scatterproof/spec/gradient/dependence.hpp"
#include "scatterproof/spec/gradient/judge_gradient.hpp"
#include "scatterproof/spec/judge/judge.hpp"

namespace scatterproof::runner {
namespace {

/// Odd numbers of either sign, small in a small tensor, so that sums of them are exact. They differ in each
/// element, so that none can be taken for another, until the dtype has no more of them.
spec::Tensor draw_odd_numbers(spec::DType dtype, const spec::Shape& shape, std::uint64_t seed) {
  const auto elements = static_cast<std::uint64_t>(std::max<std::int64_t>(spec::numel(shape), 1));
  const std::uint64_t most = std::uint64_t{1} << std::min(spec::float_format(dtype).precision - 1, 12);
  const std::uint64_t numbers = std::min(elements, most);
  std::vector<spec::Scalar> values;
  for (std::int64_t i = 0; i < spec::numel(shape); ++i) {
    const auto odd = static_cast<double>(2 * ((static_cast<std::uint64_t>(i) + seed) % numbers) + 1);
    values.push_back(spec::Scalar::of_real((seed >> (i % 61)) % 2 == 0 ? odd : -odd));
  }
  constexpr std::array layouts = {spec::Layout::contiguous, spec::Layout::contiguous,
                                  spec::Layout::transposed, spec::Layout::sliced, spec::Layout::padded};
  return with_layout(spec::Tensor(dtype, shape, values), layouts[seed % layouts.size()]);
}

/// Where an element has several places in memory, no tangent can move them apart.
bool overlaps_itself(const spec::Call& call) {
  return std::ranges::any_of(spec::tensors_of(call),
                             [](const spec::Tensor* tensor) { return spec::overlaps_itself(*tensor); });
}

bool is_large(const spec::Call& call) {
  return std::ranges::any_of(spec::tensors_of(call), [](const spec::Tensor* tensor) {
    return tensor->numel() > largest_differentiated;
  });
}

const spec::Tensor* result_of(const spec::Outcome& outcome) {
  const auto* produced = std::get_if<spec::Produced>(&outcome.what);
  return produced && produced->tensors.size() == 1 ? &produced->tensors.front() : nullptr;
}

bool give_the_same(const spec::Outcome& a, const spec::Outcome& b) {
  const spec::Tensor *one = result_of(a), *other = result_of(b);
  return one && other && identical(*one, *other);
}

/// Two outcomes of one call: of the call alone, and with the answer to a question.
struct Answered {
  const spec::Call& call;
  const spec::GradientQuestion& question;
  spec::Outcome plain, asked;

  /// Whether what holds for one of the two results holds for the other.
  bool have_one_result() const {
    return give_the_same(plain, asked) && std::get<spec::Produced>(plain.what).inputs_written ==
                                              std::get<spec::Produced>(asked.what).inputs_written;
  }

  const std::vector<spec::GradientAnswer>* gradients() const {
    const auto* produced = std::get_if<spec::Produced>(&asked.what);
    return produced && produced->gradients.size() == question.answers() ? &produced->gradients : nullptr;
  }
};

/// The outcome where the document says that there is no gradient: the refusal of one stands for all.
spec::Outcome as_a_whole(const Answered& answered) {
  if (answered.gradients())
    for (const spec::GradientAnswer& answer : *answered.gradients())
      if (const auto* refused = std::get_if<spec::Refused>(&answer))
        return {*refused, answered.asked.seconds};
  return answered.asked;
}

bool demands_refusal(const GradientTask& task) {
  return task.exception && std::holds_alternative<spec::RefusalExpected>(task.exception->what);
}

spec::Judgement judge_reverse(const GradientTask& task, std::span<const spec::GradientAnswer> answers) {
  spec::Judgement judgement = spec::judge_gradients(task.gradients, answers);
  if (!is_failure(judgement.verdict) || !task.gradients.why_open.empty()) return judgement;
  spec::Diagnosis cause = spec::likely_mistake(task.dependences, task.reverse.cotangent, answers);
  if (cause.kind != spec::DiagnosisKind::none) judgement.causes = {std::move(cause)};
  return judgement;
}

/// `plain`: on the call alone. Empty: the result is wrong already when nothing is asked.
std::optional<spec::Judgement> judge(const spec::OpSpec& spec, const engines::EngineInfo& engine,
                                     const GradientTask& task, const spec::Judgement& plain,
                                     const Answered& answered) {
  if (!std::holds_alternative<spec::Produced>(answered.plain.what) || is_failure(plain.verdict)) return {};
  if (demands_refusal(task))
    return judge_by_spec(spec, answered.call, *task.exception, engine, as_a_whole(answered));
  if (const auto* refused = std::get_if<spec::Refused>(&answered.asked.what))
    return spec::Judgement{
        .verdict = spec::Verdict::open,
        .diagnosis = {.kind = spec::DiagnosisKind::gradient_open},
        .explanation = "the call is refused when a gradient is asked for: " + refused->message};
  spec::Judgement result = answered.have_one_result()
                               ? plain
                               : judge_by_spec(spec, answered.call, task.result, engine, answered.asked);
  const bool given_up = result.verdict == spec::Verdict::infra;
  if (is_failure(result.verdict) || given_up || !answered.gradients()) return result;
  if (answered.question.second_order)
    return spec::judge_second_order(task.second_order, *answered.gradients());
  return answered.question.forward() ? spec::judge_tangent(task.tangent, answered.gradients()->front())
                                     : judge_reverse(task, *answered.gradients());
}

Answered ask_both(engines::Engine& engine, const spec::Call& call, const spec::GradientQuestion& question,
                  std::chrono::milliseconds timeout) {
  const spec::Call* const again = &call;
  const spec::GradientQuestion* const asked = &question;
  return {call, question, ask(engine, {&again, 1}, timeout).front(),
          ask(engine, {&again, 1}, timeout, {&asked, 1}).front()};
}

/// Whether nothing else is wrong, and the result is another one when a gradient is asked for.
bool changes_result(const std::optional<spec::Judgement>& judgement, const Answered& answered) {
  return judgement && !is_failure(judgement->verdict) && result_of(answered.asked) &&
         !give_the_same(answered.plain, answered.asked);
}

/// Whether the engine repeats both results.
bool repeats_both(engines::Engine& engine, const Answered& answered, std::chrono::milliseconds timeout) {
  const Answered again = ask_both(engine, answered.call, answered.question, timeout);
  return give_the_same(answered.plain, again.plain) && give_the_same(answered.asked, again.asked);
}

spec::Judgement forward_changed(const Answered& answered) {
  return {.verdict = spec::Verdict::mismatch,
          .diagnosis = {.kind = spec::DiagnosisKind::gradient_forward},
          .explanation = fmt::format(
              "the result is {}, and {} when a {} is asked for", to_string(*result_of(answered.plain)),
              to_string(*result_of(answered.asked)), answered.question.forward() ? "tangent" : "gradient")};
}

/// What a call gives when nothing else is asked.
struct Plain {
  spec::Outcome outcome;
  spec::Judgement judgement;
};

/// The questions of one mode to all calls, and the judgements on the answers.
class Mode {
 public:
  Mode(const spec::OpSpec& spec, engines::Engine& engine, std::span<const spec::Call* const> calls,
       std::span<const Plain> plain, std::chrono::milliseconds timeout)
      : spec_(spec), engine_(engine), calls_(calls), plain_(plain), timeout_(timeout) {}

  void ask_all(std::span<const GradientTask> tasks, spec::GradientQuestion GradientTask::*question) {
    judgements_.resize(calls_.size());
    for (std::size_t k = 0; k < calls_.size(); ++k)
      answers_.push_back({*calls_[k], tasks[k].*question, plain_[k].outcome, {}});
    std::vector<const spec::Call*> calls;
    std::vector<const spec::GradientQuestion*> questions;
    std::vector<std::size_t> places;
    for (std::size_t k = 0; k < calls_.size(); ++k) {
      if ((tasks[k].*question).of.empty()) continue;
      calls.push_back(calls_[k]);
      questions.push_back(&(tasks[k].*question));
      places.push_back(k);
    }
    std::vector<spec::Outcome> outcomes = ask(engine_, calls, timeout_, questions);
    for (std::size_t i = 0; i < places.size(); ++i) {
      Answered& answer = answers_[places[i]];
      answer.asked = std::move(outcomes[i]);
      judgements_[places[i]] = judgement_on(tasks[places[i]], plain_[places[i]].judgement, answer);
    }
  }

  const Answered& answer(std::size_t k) const { return answers_[k]; }
  /// Empty: it was not asked, or the result is wrong already when nothing is asked.
  std::optional<spec::Judgement> judgement(std::size_t k) const {
    return judgements_.empty() ? std::nullopt : judgements_[k];
  }

 private:
  const spec::OpSpec& spec_;
  engines::Engine& engine_;
  std::span<const spec::Call* const> calls_;
  std::span<const Plain> plain_;
  std::chrono::milliseconds timeout_;
  std::vector<Answered> answers_;
  std::vector<std::optional<spec::Judgement>> judgements_;

  std::optional<spec::Judgement> judgement_on(const GradientTask& task, const spec::Judgement& plain,
                                              const Answered& answer) {
    auto judgement = within_limits(answer.call, [&]() -> std::optional<spec::Judgement> {
      return judge(spec_, engine_.info(), task, plain, answer);
    });
    if (changes_result(judgement, answer) && repeats_both(engine_, answer, timeout_))
      return forward_changed(answer);
    return judgement;
  }
};

/// The calls, without a question.
std::vector<Plain> ask_plainly(const spec::OpSpec& spec, engines::Engine& engine,
                               std::span<const spec::Call* const> calls, std::span<const GradientTask> tasks,
                               std::chrono::milliseconds timeout) {
  std::vector<Plain> all;
  for (spec::Outcome& outcome : ask(engine, calls, timeout)) {
    const std::size_t k = all.size();
    spec::Judgement judgement = within_limits(
        *calls[k], [&] { return judge_by_spec(spec, *calls[k], tasks[k].result, engine.info(), outcome); });
    all.push_back({std::move(outcome), std::move(judgement)});
  }
  return all;
}

/// What two judgements on one call say together: the first that fails, or else that passes.
std::optional<spec::Judgement> both(std::optional<spec::Judgement> a, std::optional<spec::Judgement> b) {
  const bool b_decides =
      a && b && !is_failure(a->verdict) &&
      (is_failure(b->verdict) || (a->verdict != spec::Verdict::pass && b->verdict == spec::Verdict::pass));
  return b_decides || !a ? b : a;
}

/// The same for both modes, which must also agree where each alone is right.
spec::Judgement joined(const GradientTask& task, const Answered& reverse, const Answered& forward,
                       const spec::Judgement& of_reverse, const spec::Judgement& of_forward) {
  std::string words;
  if (of_reverse.verdict == spec::Verdict::pass && of_forward.verdict == spec::Verdict::pass)
    words = spec::modes_disagree(task.gradients, *reverse.gradients(), task.reverse.cotangent,
                                 forward.gradients()->front(), task.forward.tangents);
  if (words.empty()) return *both(of_reverse, of_forward);
  return {.verdict = spec::Verdict::mismatch,
          .diagnosis = {.kind = spec::DiagnosisKind::gradient_modes},
          .explanation = words};
}

bool is_of_real_numbers(const spec::Call& call) {
  return !spec::differentiable_arguments(call).empty() && !spec::has_shared_storage(call) && !is_large(call);
}

}  // namespace

bool may_have_gradients(const spec::OpSpec& spec, const spec::Call& call) {
  if (!is_of_real_numbers(call)) return false;
  const auto exception = spec::expect_no_gradient(spec, call);
  return exception && !*exception;
}

std::variant<GradientTask, std::string> gradient_task(const spec::OpSpec& spec, const spec::Call& call,
                                                      const engines::EngineInfo& engine,
                                                      const spec::Tensor* cotangent) {
  if (!is_of_real_numbers(call)) return "its arguments have no gradients, share memory, or are too large";
  auto result = expect(spec, call, engine);
  const auto* bag = result ? std::get_if<spec::Bag>(&result->what) : nullptr;
  if (!bag) return "the document does not say what the result is";
  if (!spec::is_float(bag->dtype)) return "the result does not hold real numbers";
  if (spec::numel(bag->shape) > largest_differentiated) return "the result is too large";
  auto exception = spec::expect_no_gradient(spec, call, target_of(spec, engine));
  if (!exception) return exception.errors().front().what;
  const auto seed = static_cast<std::uint64_t>(hash_of(call));
  GradientTask task;
  task.exception = *std::move(exception);
  task.reverse = {.of = spec::differentiable_arguments(call),
                  .cotangent = cotangent ? *cotangent : draw_odd_numbers(bag->dtype, bag->shape, seed)};
  auto dependences = spec::dependences_of(spec, call, *bag);
  if (task.exception)
    task.gradients = spec::open_gradients(
        call, *bag, "of this gradient nothing is promised: " + task.exception->because.text());
  else if (!dependences)
    task.gradients = spec::open_gradients(call, *bag, dependences.errors().front().what);
  else
    task.gradients = spec::expect_gradients(*dependences, task.reverse.cotangent);
  task.result = std::move(result).value();  // `bag` is a part of it
  if (dependences) task.dependences = std::move(dependences).value();
  const bool moves = engine.tangents || engine.second_order;
  if (!task.gradients.why_open.empty() || !moves || overlaps_itself(call)) return task;
  const spec::Dependences& of = task.dependences;
  std::vector<spec::Tensor> tangents;
  for (std::size_t a = 0; a < of.arguments.size(); ++a)
    tangents.push_back(draw_odd_numbers(of.dtypes[a], of.shapes[a], seed + 1 + a));
  task.tangent = spec::expect_tangent(of, tangents);
  if (engine.second_order) {
    task.second = {of.arguments, task.reverse.cotangent, tangents, true};
    task.second_order = spec::expect_second_order(of, task.tangent);
  }
  if (engine.tangents) task.forward = {.of = of.arguments, .cotangent = {}, .tangents = std::move(tangents)};
  return task;
}

std::vector<spec::GradientQuestion> telling_questions(const spec::OpSpec& spec, const spec::Call& call,
                                                      const engines::EngineInfo& engine,
                                                      const spec::Diagnosis& diagnosis) {
  auto made = gradient_task(spec, call, engine);
  auto* task = std::get_if<GradientTask>(&made);
  if (!task) return {};
  if (diagnosis.kind == spec::DiagnosisKind::gradient_second) return {std::move(task->second)};
  std::vector<spec::GradientQuestion> questions;
  if (diagnosis.kind != spec::DiagnosisKind::gradient_tangent) questions.push_back(std::move(task->reverse));
  if (diagnosis.kind == spec::DiagnosisKind::gradient_tangent ||
      diagnosis.kind == spec::DiagnosisKind::gradient_modes)
    questions.push_back(std::move(task->forward));
  return questions;
}

std::optional<spec::Judgement> judge_gradient_outcome(const spec::OpSpec& spec, const spec::Call& call,
                                                      const engines::EngineInfo& engine,
                                                      const GradientTask& task, const spec::Outcome& plain,
                                                      const spec::Outcome& asked) {
  const Answered answered{call, task.reverse, plain, asked};
  auto judgement = judge(spec, engine, task, judge_by_spec(spec, call, task.result, engine, plain), answered);
  return changes_result(judgement, answered) ? forward_changed(answered) : std::move(judgement);
}

std::vector<std::optional<spec::Judgement>> judge_gradients(const spec::OpSpec& spec, engines::Engine& engine,
                                                            std::span<const spec::Call* const> calls,
                                                            std::chrono::milliseconds timeout,
                                                            const spec::Tensor* cotangent) {
  std::vector<std::optional<spec::Judgement>> judgements(calls.size());
  std::vector<GradientTask> tasks;
  std::vector<std::size_t> places;
  std::vector<const spec::Call*> asked;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    if (!(engine.info().gradients || engine.info().tangents) || !engine.supports(*calls[i]).yes) continue;
    auto task = gradient_task(spec, *calls[i], engine.info(), cotangent);
    if (!std::holds_alternative<GradientTask>(task)) continue;
    tasks.push_back(std::get<GradientTask>(std::move(task)));
    places.push_back(i);
    asked.push_back(calls[i]);
  }
  const std::vector<Plain> plain = ask_plainly(spec, engine, asked, tasks, timeout);
  Mode reverse(spec, engine, asked, plain, timeout), forward(spec, engine, asked, plain, timeout),
      second(spec, engine, asked, plain, timeout);
  if (engine.info().gradients) reverse.ask_all(tasks, &GradientTask::reverse);
  if (engine.info().tangents) forward.ask_all(tasks, &GradientTask::forward);
  if (engine.info().second_order) second.ask_all(tasks, &GradientTask::second);
  for (std::size_t k = 0; k < asked.size(); ++k) {
    std::optional<spec::Judgement> of_reverse = reverse.judgement(k), of_forward = forward.judgement(k);
    if (of_reverse && of_forward)
      of_reverse = joined(tasks[k], reverse.answer(k), forward.answer(k), *of_reverse, *of_forward);
    judgements[places[k]] = both(both(std::move(of_reverse), std::move(of_forward)), second.judgement(k));
  }
  return judgements;
}

}  // namespace scatterproof::runner
