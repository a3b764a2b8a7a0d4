// SPDX-License-Identifier: Apache-2.0
// Frames and rules for the fast evaluator.
#include "scatterproof/spec/oracle/fast.hpp"

#include "scatterproof/spec/opspec/frame.hpp"
#include "scatterproof/spec/oracle/rules.hpp"

namespace scatterproof::spec {
namespace {

using language::FastEvaluator;
using language::FastValue;

void fill(FastValue& item, const Argument& argument, const ArgumentDecl& declared, int index) {
  item.kind = FastValue::Kind::none;
  if (const auto* tensor = std::get_if<Tensor>(&argument)) return item.set_part(tensor, index);
  if (const auto* word = std::get_if<std::string>(&argument)) {
    item.kind = FastValue::Kind::word;
    item.word = word;
  }
  const auto* number = std::get_if<Scalar>(&argument);
  if (number == nullptr) return;
  if (declared.kind == ArgumentKind::boolean) return item.set_boolean(number->integer() != 0);
  if (declared.kind == ArgumentKind::integer || declared.kind == ArgumentKind::choice)
    return item.set_integer(number->integer());
  item.set_element(*number, index, -1);
}

/// Calls have their arguments in the spec's order, so the first look nearly always finds it.
const Argument* find(const Call& call, std::size_t place, const std::string& name) {
  if (place < call.arguments.size() && call.arguments[place].first == name)
    return &call.arguments[place].second;
  return call.find(name);
}

}  // namespace

bool fill_frame(FastEvaluator& frame, const OpSpec& spec, const Call& call) {
  if (spec.arguments.size() + spec.lets.size() + spec.meaning.loops.size() > FastEvaluator::most_slots)
    return false;
  for (std::size_t i = 0; i < spec.arguments.size(); ++i) {
    const Argument* argument = find(call, i, spec.arguments[i].name);
    FastValue& item = frame.add();
    if (argument == nullptr) continue;
    if (const auto* list = std::get_if<Shape>(argument)) {
      if (!item.assign(language::Value(*list))) return false;
    } else {
      fill(item, *argument, spec.arguments[i], static_cast<int>(i));
    }
  }
  for (const auto& [name, expression] : spec.lets) {
    FastValue scratch;
    const FastValue& value = frame.value(*expression, scratch);
    if (frame.state() == FastEvaluator::State::unsure) return false;
    FastValue& item = frame.add();
    if (frame.fine()) item.assign(value);
    frame.forget();
  }
  return true;
}

std::optional<RuleState::Kind> stand(const Rule& rule, FastEvaluator& frame) {
  using Kind = RuleState::Kind;
  const auto holds = [&](const language::Expression& expression) {
    frame.forget();
    return frame.truth(expression);
  };
  bool exception_has_value = true;
  if (rule.unless) {
    const bool lifted = holds(*rule.unless);
    if (frame.state() == FastEvaluator::State::unsure) return std::nullopt;
    exception_has_value = frame.fine();
    if (exception_has_value && lifted) return Kind::obeyed;
  }
  const bool obeyed = holds(*rule.require);
  if (frame.state() == FastEvaluator::State::unsure) return std::nullopt;
  if (!frame.fine()) return Kind::unevaluable;
  if (obeyed) return Kind::obeyed;
  return exception_has_value ? Kind::broken : Kind::unevaluable;
}

RuleState::Kind stand(const OpSpec& spec, const Rule& rule, const Call& call) {
  FastEvaluator frame;
  if (fill_frame(frame, spec, call))
    if (const auto kind = stand(rule, frame)) return *kind;
  return stand(rule, make_frame(spec, call).frame);
}

}  // namespace scatterproof::spec
