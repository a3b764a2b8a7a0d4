// SPDX-License-Identifier: Apache-2.0
// What the two evaluators say of an expression, as text, and a frame in which every kind of value has a name.
#pragma once

#include <string>
#include <vector>

#include "scatterproof/spec/language/fast_evaluator.hpp"
#include "support.hpp"

namespace scatterproof::spec::language {

using State = FastEvaluator::State;

inline std::string shown(const FastValue& item) {
  switch (item.kind) {
    case FastValue::Kind::none:
      return to_string(Value(None{}));
    case FastValue::Kind::boolean:
      return to_string(Value(item.integer != 0));
    case FastValue::Kind::integer:
      return to_string(Value(item.integer));
    case FastValue::Kind::element:
      return to_string(Value(Element{item.number, item.argument, item.integer})) + " from " +
             std::to_string(item.argument) + " at " + std::to_string(item.integer);
    case FastValue::Kind::word:
      return to_string(Value(*item.word));
    case FastValue::Kind::dtype:
      return to_string(Value(item.dtype));
    case FastValue::Kind::tuple:
      return to_string(Value(Shape(item.tuple.begin(), item.tuple.end())));
    case FastValue::Kind::part:
      return to_string(
          Value(TensorPart{item.tensor, item.argument, Shape(item.tuple.begin(), item.tuple.end())}));
  }
  return {};
}

inline std::string shown(const Value& value) {
  const auto* element = std::get_if<Element>(&value);
  return to_string(value) +
         (element ? " from " + std::to_string(element->argument) + " at " + std::to_string(element->coords)
                  : "");
}

inline std::string by_reference(const Expression& expression, const Frame& frame) {
  try {
    return shown(evaluate(expression, frame));
  } catch (const NotEvaluable&) {
    return "no value";
  }
}

/// What the fast evaluator says; `unsure` where it leaves the word to the reference evaluator.
inline std::string fast_value(const Expression& expression, const Frame& frame) {
  FastEvaluator fast;
  for (const Value& value : frame) EXPECT_TRUE(fast.add().assign(value));
  FastValue scratch;
  const FastValue& item = fast.value(expression, scratch);
  return fast.state() == State::unsure ? "unsure" : fast.fine() ? shown(item) : "no value";
}

inline World rich_world() {
  World world;
  std::vector<Scalar> reals = {Scalar::of_real(1.5), Scalar::of_real(-0.0)};
  world.tensor("x", integers({2, 3}, {1, -2, 0, 5, 4, 3}))
      .tensor("f", Tensor(DType::f32, {2}, reals))
      .tensor("b", integers({2}, {1, 0}, DType::boolean))
      .tensor("one", integers({}, {7}))
      .tensor("none3", integers({0, 3}, {}))
      .tensor("column", with_layout(integers({2, 3}, {1, -2, 0, 5, 4, 3}), Layout::transposed))
      .tensor("same", with_layout(integers({3}, {4, 4, 4}), Layout::expanded))
      .tensor("mask", with_layout(integers({2, 3}, {1, 0, 1, 0, 1, 1}, DType::boolean), Layout::transposed))
      .tensor("line", integers({1, 3}, {0, 1, 1}, DType::boolean))
      .tensor("single", integers({1, 3}, {4, 0, 2}))
      .integer("n", 2)
      .integer("huge", std::int64_t{1} << 62)
      .boolean("yes", true)
      .word("mode", "add")
      .add("absent", static_cast<Types>(Type::tensor) | static_cast<Types>(Type::none), None{})
      .add("half", static_cast<Types>(Type::number), Element{Scalar::of_real(0.5), 9, -1})
      .add("t", static_cast<Types>(Type::tuple), Shape{3, 1, 4});
  return world;
}

}  // namespace scatterproof::spec::language
