// SPDX-License-Identifier: Apache-2.0
// A small world of arguments for the language's tests.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "scatterproof/spec/language/language.hpp"

namespace scatterproof::spec::language {

inline constexpr Types any_types = 255;
inline constexpr Types truth = static_cast<Types>(Type::boolean);

inline Tensor integers(Shape shape, std::vector<std::int64_t> values, DType dtype = DType::i64) {
  std::vector<Scalar> scalars;
  for (const std::int64_t value : values) scalars.push_back(Scalar::of_int(value));
  return Tensor(dtype, std::move(shape), scalars);
}

/// Names with values. Tensors live as long as the world.
class World {
 public:
  World& tensor(const std::string& name, Tensor value) {
    kept_.push_back(std::make_unique<Tensor>(std::move(value)));
    return add(name, Type::tensor | Type::tensor, TensorPart{kept_.back().get(), next_argument_++, {}});
  }
  World& integer(const std::string& name, std::int64_t value) {
    return add(name, static_cast<Types>(Type::integer), value);
  }
  World& boolean(const std::string& name, bool value) { return add(name, truth, value); }
  World& word(const std::string& name, std::string value) {
    return add(name, static_cast<Types>(Type::word), std::move(value));
  }
  World& add(const std::string& name, Types types, Value value) {
    scope.declare(name, types);
    frame.push_back(std::move(value));
    return *this;
  }

  std::shared_ptr<const Expression> parse(const std::string& text, Types expected = any_types) const {
    auto parsed = parse_expression({"spec.yaml", {3, 10}, text}, scope, expected);
    if (!parsed) {
      ADD_FAILURE() << text << "\n" << to_string(parsed.errors());
      return nullptr;
    }
    return parsed.value();
  }
  /// The value in words; `no value: why` when there is none.
  std::string value(const std::string& text) const {
    const auto parsed = parse(text);
    if (!parsed) return "does not parse";
    try {
      return to_string(evaluate(*parsed, frame));
    } catch (const NotEvaluable& reason) {
      return std::string("no value: ") + reason.what();
    }
  }
  std::string why_false(const std::string& text) const {
    const auto parsed = parse(text, truth);
    if (!parsed) return "does not parse";
    return evaluate_bool(*parsed, frame) ? "it is true" : explain_false(*parsed, frame, scope);
  }

  Scope scope;
  Frame frame;

 private:
  std::vector<std::unique_ptr<Tensor>> kept_;
  int next_argument_ = 0;
};

/// A scatter call along axis 0: index reaches out of self, src is too small in dimension 1.
inline World& scatter_world() {
  static World world = [] {
    World w;
    w.tensor("self", integers({5, 6}, std::vector<std::int64_t>(30, 0)))
        .tensor("index", integers({3, 6}, {0, 1, 2, 3, 4, 0, 1, 1, 1, 1, 1, 1, 7, 0, 0, 0, 0, 0}))
        .tensor("src", integers({3, 5}, std::vector<std::int64_t>(15, 9), DType::f32))
        .tensor("row", integers({3}, {4, 0, 4}))
        .tensor("pairs", integers({3, 2}, {0, 1, 1, 0, 0, 1}))
        .tensor("empty", integers({0, 2}, {}))
        .tensor("point", integers({}, {2}))
        .tensor("flags", integers({2}, {1, 0}, DType::boolean))
        .tensor("mask", integers({2, 3}, {1, 0, 1, 0, 1, 1}, DType::boolean))
        .integer("dim", -2)
        .integer("axis", 0)
        .boolean("overwrite", false)
        .word("reduce", "add")
        .add("value", Type::number | Type::tensor, Element{Scalar::of_real(1.5), 4, -1})
        .add("output_size", Type::integer | Type::none, None{});
    return w;
  }();
  return world;
}

}  // namespace scatterproof::spec::language
