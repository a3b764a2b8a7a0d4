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

TEST(Subscripts, AddAndMultiplyOnceForEachElementOfTheIndex) {
  World world;
  world.tensor("out", integers({2, 1, 1}, {10, 20})).tensor("index", integers({3, 1, 1}, {0, 0, 1}));
  world.tensor("input", integers({3, 1, 1}, {2, 3, 4})).integer("dim", 0);
  EXPECT_EQ(run(world, {"out[index[i][j][k]][j][k] += input[i][j][k]  # if dim == 0"}), "[[[15]], [[24]]]");
  EXPECT_EQ(run(world, {"out[index[i][j][k]][j][k] *= input[i][j][k]  # if dim == 0"}), "[[[60]], [[80]]]");
  EXPECT_EQ(run(world, {"out[index[i][j][k]][j][k] *= input[i][j][k]  # if dim == 1"}), "[[[10]], [[20]]]");
}

TEST(Subscripts, GatherRunsOverTheResult) {
  World world;
  world.tensor("input", integers({2, 1, 2}, {1, 2, 3, 4})).tensor("index", integers({1, 1, 2}, {1, 0}));
  world.integer("dim", 0);
  const Tensor start(DType::i64, {1, 1, 2});
  EXPECT_EQ(run(world,
                {"out[i][j][k] = input[index[i][j][k]][j][k]  # if dim == 0\n"
                 "out[i][j][k] = input[i][index[i][j][k]][k]  # if dim == 1"},
                &start),
            "[[[3, 2]]]");
}

TEST(Subscripts, TakeOnnxsConditionWithoutACommentSign) {
  World world;
  world.tensor("data", integers({2, 2}, {1, 2, 3, 4})).tensor("indices", integers({1, 2}, {1, 0}));
  world.tensor("updates", integers({1, 2}, {8, 9})).integer("axis", 1);
  const std::string text =
      "output[indices[i][j]][j] = updates[i][j] if axis = 0,\n"
      "output[i][indices[i][j]] = updates[i][j] if axis = 1,\n";
  const Tensor start = integers({2, 2}, {1, 2, 3, 4});
  EXPECT_EQ(run(world, {text, {{}, "output"}}, &start), "[[9, 8], [3, 4]]");
  EXPECT_EQ(run(world, {text, {{{"output", "data"}}, ""}}), "[[9, 8], [3, 4]]");
}

TEST(Subscripts, DoNotCountFromTheEnd) {
  EXPECT_EQ(run(three_d(0, {-1, 0, 0, 1}), {scatter_text}),
            "no value: self[index[i, j, k], j, k]: -1 lies outside dimension 0 of self, whose size is 2");
}

TEST(Subscripts, AreForTensorsOfThePrintedRank) {
  World world;
  world.tensor("self", integers({2}, {0, 0}))
      .tensor("index", integers({1}, {0}))
      .tensor("src", integers({1}, {1}));
  world.integer("dim", 0);
  EXPECT_EQ(run(world, {scatter_text}),
            "no value: the formula is printed for 3 dimensions, shape(index) is (1,)");
}

TEST(Subscripts, LeaveTheArgumentsAlone) {
  const World world = three_d(0, {1, 0, 0, 1});
  EXPECT_NE(run(world, {scatter_text}), "[[[0, 0], [0, 0]], [[0, 0], [0, 0]]]");
  EXPECT_EQ(to_string(*std::get<TensorPart>(world.frame[0]).tensor), "[[[0, 0], [0, 0]], [[0, 0], [0, 0]]]");
}

// --- form 2: loops ---

const char* const onnx_text =
    "output = np.copy(data)\n"
    "update_indices = indices.shape[:-1]\n"
    "for idx in np.ndindex(update_indices):\n"
    "    output[tuple(indices[idx])] = updates[idx]\n";
const char* const blog_text =
    "import numpy as np\n"
    "def scatterND(data, indices, updates):\n"
    "  output = np.copy(data)\n"
    "  update_indices = indices.shape[:-1]\n"
    "  for idx in np.ndindex(update_indices):\n"
    "    output[indices[idx]] = updates[idx]\n"
    "  return output\n";

World nd(Tensor data, Tensor indices, Tensor updates) {
  World world;
  world.tensor("data", std::move(data))
      .tensor("indices", std::move(indices))
      .tensor("updates", std::move(updates));
  return world;
}

TEST(Loops, ScatterNdWritesElementsRowsAndNegatives) {
  EXPECT_EQ(
      run(nd(integers({2, 2}, {1, 2, 3, 4}), integers({1, 2}, {0, 1}), integers({1}, {9})), {onnx_text}),
      "[[1, 9], [3, 4]]");
  EXPECT_EQ(
      run(nd(integers({2, 2}, {1, 2, 3, 4}), integers({1, 1}, {-1}), integers({1, 2}, {8, 9})), {onnx_text}),
      "[[1, 2], [8, 9]]");
  EXPECT_EQ(
      run(nd(integers({3}, {1, 2, 3}), integers({2, 1, 1}, {2, 0}), integers({2, 1}, {8, 9})), {onnx_text}),
      "[9, 2, 8]");
  EXPECT_EQ(run(nd(integers({2}, {1, 2}), integers({1}, {1}), integers({}, {7})), {onnx_text}), "[1, 7]");
  EXPECT_EQ(run(nd(integers({2}, {1, 2}), integers({0, 1}, {}), integers({0}, {})), {onnx_text}), "[1, 2]");
}

TEST(Loops, WithoutTheTupleARowOfIndicesSelectsRows) {
  EXPECT_EQ(
      run(nd(integers({2, 2}, {1, 2, 3, 4}), integers({1, 2}, {0, 1}), integers({1}, {9})), {blog_text}),
      "[[9, 9], [9, 9]]");
  EXPECT_EQ(run(nd(integers({3}, {1, 2, 3}), integers({2, 1}, {2, -3}), integers({2}, {8, 9})), {blog_text}),
            "[9, 2, 8]");
}

TEST(Loops, AddAndMultiplyInTheResultsDtype) {
  const std::string text =
      "for idx in np.ndindex(indices.shape[:-1]):\n"
      "  output[tuple(indices[idx])] += updates[idx]\n";
  World bytes =
      nd(integers({2}, {250, 1}, DType::u8), integers({2, 1}, {0, 0}), integers({2}, {4, 5}, DType::u8));
  EXPECT_EQ(run(bytes, {text, {{{"output", "data"}}, ""}}), "[3, 1]");
  // 2048 + 1 is not an f16: each addition rounds back to 2048
  World halves =
      nd(integers({1}, {2048}, DType::f16), integers({2, 1}, {0, 0}), integers({2}, {1, 1}, DType::f16));
  EXPECT_EQ(run(halves, {text, {{{"output", "data"}}, ""}}), "[2048.0]");
  World signed_bytes =
      nd(integers({1}, {100}, DType::i8), integers({1, 1}, {0}), integers({1}, {2}, DType::i8));
  std::string times = text;
  times.replace(times.find("+="), 2, "*=");
  EXPECT_EQ(run(signed_bytes, {times, {{{"output", "data"}}, ""}}), "[-56]");
  World big = nd(integers({1}, {INT64_MAX}), integers({1, 1}, {0}), integers({1}, {1}));
  EXPECT_EQ(run(big, {text, {{{"output", "data"}}, ""}}), "[-9223372036854775808]");
  World flags =
      nd(integers({1}, {1}, DType::boolean), integers({1, 1}, {0}), integers({1}, {1}, DType::boolean));
  EXPECT_EQ(run(flags, {text, {{{"output", "data"}}, ""}}), "[true]");
}

TEST(Loops, RowsAreReadBeforeTheyAreWritten) {
  const std::string text =
      "output = np.copy(data)\n"
      "for i in range(len(indices)):\n"
      "  output[indices[i]] += updates[i]\n";
  // numpy adds once to a row that is selected twice
  EXPECT_EQ(run(nd(integers({2}, {1, 2}), integers({1, 2}, {0, 0}), integers({1}, {5})), {text}), "[6, 2]");
}

TEST(Loops, WhatDoesNotFitHasNoValue) {
  EXPECT_EQ(run(nd(integers({2, 2}, {1, 2, 3, 4}), integers({1, 1}, {0}), integers({1, 3}, {7, 8, 9})),
                {onnx_text}),
            "no value: output[tuple(indices[idx])]: a value of shape (3,) does not broadcast to (2,)");
  EXPECT_EQ(run(nd(integers({2}, {1, 2}), integers({1, 1}, {2}), integers({1}, {9})), {onnx_text}),
            "no value: output[tuple(indices[idx])]: 2 lies outside dimension 0 of output, whose size is 2");
  EXPECT_EQ(run(nd(integers({2}, {1, 2}), integers({1, 1}, {-3}), integers({1}, {9})), {blog_text}),
            "no value: output[indices[idx]]: row -3 is out of range for 2 rows");
  EXPECT_EQ(run(nd(integers({2}, {1, 2}), integers({1, 1, 1}, {1}), integers({1, 1, 1}, {9})),
                {"output = np.copy(data)\noutput[indices] = 1"}),
            "no value: indices is i64[1,1,1], which selects no rows");
}

TEST(Loops, SeveralVariablesTakeThePositionApart) {
  EXPECT_EQ(
      run(nd(integers({2, 2}, {1, 2, 3, 4}), integers({1}, {0}), integers({1}, {9})),
          {"output = np.copy(data)\nfor r, c in np.ndindex(data.shape):\n  output[r, c] = data[c, r]\n"}),
      "[[1, 3], [2, 4]]");
}

TEST(Loops, ElifAndReturn) {
  World world;
  world.tensor("data", integers({1}, {5})).word("reduction", "mul").tensor("updates", integers({}, {3}));
  const std::string text =
      "output = np.copy(data)\n"
      "if reduction == \"add\":\n"
      "  output[0] += updates\n"
      "elif reduction == \"mul\":\n"
      "  output[0] *= updates\n"
      "else:\n"
      "  output[0] = updates\n"
      "if output[0] == 15:\n"
      "  return output\n"
      "output[0] = 0\n";
  EXPECT_EQ(run(world, {text}), "[15]");
}

// --- form 3: paddle's pseudo-code ---

const char* const paddle_text =
    "if not overwrite:\n"
    "   for i in range(len(index)):\n"
    "     input[index[i]] = np.zeros((2))\n"
    "\n"
    "# take what index names from updates\n"
    "for i in range(len(index)):\n"
    "  if (overwirte):\n"
    "    input[index[i]] = updates[i]\n"
    "  else:\n"
    "    input[index[i]] += updates[i]\n";
const ProgramNames misspelt = {{{"overwirte", "overwrite"}}, ""};

World paddle(bool overwrite, std::int64_t width = 2) {
  World world;
  std::vector<std::int64_t> rows, updates;
  for (std::int64_t r : {1, 2, 3}) rows.insert(rows.end(), static_cast<std::size_t>(width), r);
  for (std::int64_t r : {1, 2, 3, 4}) updates.insert(updates.end(), static_cast<std::size_t>(width), r);
  world.tensor("input", integers({3, width}, rows, DType::f32)).tensor("index", integers({4}, {2, 1, 0, 1}));
  world.tensor("updates", integers({4, width}, updates, DType::f32)).boolean("overwrite", overwrite);
  return world;
}

TEST(PaddlesPseudoCode, GivesTheDocumentsNumbers) {
  EXPECT_EQ(run(paddle(false), {paddle_text, misspelt}), "[[3.0, 3.0], [6.0, 6.0], [1.0, 1.0]]");
  EXPECT_EQ(run(paddle(true), {paddle_text, misspelt}), "[[3.0, 3.0], [4.0, 4.0], [1.0, 1.0]]");
}

TEST(PaddlesPseudoCode, ZerosOfTwoFitRowsOfTwoOnly) {
  EXPECT_EQ(run(paddle(false, 3), {paddle_text, misspelt}),
            "no value: input[index[i]]: a value of shape (2,) does not broadcast to (3,)");
  EXPECT_EQ(run(paddle(true, 3), {paddle_text, misspelt}),
            "[[3.0, 3.0, 3.0], [4.0, 4.0, 4.0], [1.0, 1.0, 1.0]]");
}

TEST(PaddlesPseudoCode, MayNamePaddleAndGiveSizesInAList) {
  std::string text = paddle_text;
  text.replace(text.find("np.zeros((2))"), 13, "paddle.zeros([2])");
  EXPECT_EQ(run(paddle(false), {text, misspelt}), "[[3.0, 3.0], [6.0, 6.0], [1.0, 1.0]]");
  EXPECT_EQ(run(paddle(false, 3), {text, misspelt}),
            "no value: input[index[i]]: a value of shape (2,) does not broadcast to (3,)");
}

// --- what cannot be read ---

std::string errors_of(const std::string& text, const ProgramNames& names = {}) {
  const auto program = parse_program({"spec.yaml", {5, 3}, text}, names, three_d(0, {0, 0, 0, 0}).scope);
  if (program) return "no error";
  std::string all;
  for (const Error& error : program.errors())
    all += (all.empty() ? "" : "; ") + std::to_string(error.at.line) + ":" + std::to_string(error.at.column) +
           " " + error.what + (error.hint.empty() ? "" : " (" + error.hint + ")");
  return all;
}

TEST(ProgramErrors, NameTheLineAndTheWayOut) {
  EXPECT_EQ(errors_of(""), "5:3 the formula assigns nothing");
  EXPECT_EQ(errors_of("self[index[i]] = srcs[i]"), "5:20 unknown name 'srcs' (did you mean 'src'?)");
  EXPECT_EQ(errors_of("self[0] = 1\nfor i in range(3)\n  self[i] = 2"), "6:20 expected ':'");
  EXPECT_EQ(errors_of("for i in range(3):\nself[i] = 2"), "5:3 an indented line must follow");
  EXPECT_EQ(errors_of("self[0] = 1\n  self[1] = 1"), "6:5 this line is indented more than the one above");
  EXPECT_EQ(errors_of("  self[0] = 1\nself[1] = 1"), "6:3 this line is indented less than the first");
  EXPECT_EQ(errors_of("else:\n  self[0] = 1"), "5:3 there is no 'if' above");
  EXPECT_EQ(errors_of("def f(self, idnex):\n  self[0] = 1"),
            "5:15 the API has no argument 'idnex' (map the document's name under 'names')");
  EXPECT_EQ(errors_of("self[index[i][j]][k] = 1"),
            "5:3 no tensor of this line is subscripted with i, j, k alone, so their range is not known");
  EXPECT_EQ(errors_of("self[0] = 1  # if dims == 0"), "5:21 unknown name 'dims' (did you mean 'dim'?)");
  EXPECT_EQ(errors_of("self[0] -= 1"), "5:11 expected '=', '+=' or '*='");
  EXPECT_EQ(errors_of("self[0] = np.dot(src)"), "5:13 unknown function 'dot'");
  EXPECT_EQ(errors_of("other = self\nother[0] = 1"),
            "5:3 a second name for a tensor is not supported (write np.copy(x))");
  EXPECT_EQ(errors_of("dim[0] = 1"), "5:3 this is an integer, which has no subscripts");
  EXPECT_EQ(errors_of("for dim in range(3):\n  self[dim] = 2"), "5:7 'dim' is already an argument");
  EXPECT_EQ(errors_of("self[0] = srcs[0]\nself[0] = sr[0]"),
            "5:13 unknown name 'srcs' (did you mean 'src'?); 6:13 unknown name 'sr' (did you mean 'src'?)");
}

}  // namespace
}  // namespace scatterproof::spec::language
