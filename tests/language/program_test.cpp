// SPDX-License-Identifier: Apache-2.0
// Each form in which documents print their formulas, executed against numbers worked out by hand.
#include "support.hpp"

namespace scatterproof::spec::language {
namespace {

struct Printed {
  std::string text;
  ProgramNames names = {};
};

std::string run(const World& world, const Printed& printed, const Tensor* start = nullptr) {
  const auto program = parse_program({"spec.yaml", {1, 1}, printed.text}, printed.names, world.scope);
  if (!program) return to_string(program.errors());
  try {
    return to_string(run_program(**program, world.frame, world.scope, start));
  } catch (const NotEvaluable& reason) {
    return std::string("no value: ") + reason.what();
  }
}

// --- form 1: subscripts ---

const char* const scatter_text =
    "self[index[i][j][k]][j][k] = src[i][j][k]  # if dim == 0\n"
    "self[i][index[i][j][k]][k] = src[i][j][k]  # if dim == 1\n"
    "self[i][j][index[i][j][k]] = src[i][j][k]  # if dim == 2\n";

World three_d(std::int64_t dim, std::vector<std::int64_t> index) {
  World world;
  world.tensor("self", integers({2, 2, 2}, {0, 0, 0, 0, 0, 0, 0, 0}))
      .tensor("index", integers({1, 2, 2}, std::move(index)))
      .tensor("src", integers({1, 2, 2}, {1, 2, 3, 4}))
      .integer("dim", dim);
  return world;
}

TEST(Subscripts, WriteAlongTheDimensionOfTheirComment) {
  EXPECT_EQ(run(three_d(0, {1, 0, 0, 1}), {scatter_text}), "[[[0, 2], [3, 0]], [[1, 0], [0, 4]]]");
  EXPECT_EQ(run(three_d(1, {1, 0, 0, 1}), {scatter_text}), "[[[3, 2], [1, 4]], [[0, 0], [0, 0]]]");
  EXPECT_EQ(run(three_d(2, {1, 0, 0, 1}), {scatter_text}), "[[[2, 1], [3, 4]], [[0, 0], [0, 0]]]");
}

}  // namespace
}  // namespace scatterproof::spec::language
