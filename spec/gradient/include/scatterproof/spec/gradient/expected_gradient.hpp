// SPDX-License-Identifier: Apache-2.0
// The gradients of a call as they follow from its bag: for each element of each argument, which cells'
// cotangents reach it, and how much of them (docs/understand/judging.md, section 12).
#pragma once

#include <cstdint>
#include <vector>

#include "scatterproof/spec/core/tensor.hpp"
#include "scatterproof/spec/gradient/dependence.hpp"

namespace scatterproof::spec {

/// What a cell adds to the gradient of an element.
struct GradientTerm {
  std::int64_t cell = 0;
  double value = 0;
  int roundings = 0;  ///< an engine's value may have been rounded this often; 0: it is exact
};

/// A cell whose cotangent goes to some of several elements, and mathematics does not say to which.
struct GradientChoice {
  enum class Kind : std::uint8_t {
    shares,  ///< a tie: each gets a share of it, none of them negative; together they are the cotangent
    one      ///< assigned values collide: the one that survives gets all of it
  };
  struct Member {
    std::size_t argument = 0;
    std::int64_t element = 0;
    double coefficient = 1;
    int times = 1;  ///< that the element lands in the cell: its share may be a sum of as many
  };
  Kind kind = Kind::shares;
  std::int64_t cell = 0;
  double cotangent = 0;
  bool constants = false;  ///< a number takes part too: it may have some of it, or all
  bool or_each = false;    ///< of Kind::one: or each gets all of it, as often as it lands there
  std::vector<Member> members = {};

  /// All that a member may get.
  double most(const Member& member) const {
    return cotangent * member.coefficient * (or_each ? member.times : 1);
  }
};

struct ElementGradient {
  std::vector<GradientTerm> terms;
  std::vector<std::size_t> choices;  ///< places in ExpectedGradients::choices
  bool open = false;                 ///< mathematics or the document leaves it free, or it is not judged
};

struct ExpectedGradients {
  DType dtype = DType::f32;  ///< of the result
  Shape shape;               ///< of the result
  std::vector<std::string> arguments;
  std::vector<Shape> shapes;  ///< of these arguments
  std::vector<DType> dtypes;
  std::vector<std::vector<ElementGradient>> elements = {};  ///< of each argument, row-major
  std::vector<GradientChoice> choices = {};
  std::vector<std::int64_t> open_cells = {};  ///< those that make an element open
  std::string why_open = {};                  ///< if all elements are: who leaves them free
};

/// Precondition: the cotangent has the shape of the result, and finite elements.
ExpectedGradients expect_gradients(const Dependences& of, const Tensor& cotangent);

/// Where only the form of the gradients is known.
ExpectedGradients open_gradients(const Call& call, const Bag& result, std::string why);

}  // namespace scatterproof::spec
