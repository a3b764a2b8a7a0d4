// SPDX-License-Identifier: Apache-2.0
// Every form of the language with its value, computed by hand from docs/formats/spec-language.md §2.
#include "support.hpp"

namespace scatterproof::spec::language {
namespace {

struct Row {
  const char* text;
  const char* value;
};
void PrintTo(const Row& row, std::ostream* out) { *out << row.text; }

class Values : public testing::TestWithParam<Row> {};

TEST_P(Values, AreAsTheManualSays) {
  EXPECT_EQ(scatter_world().value(GetParam().text), GetParam().value) << GetParam().text;
}

INSTANTIATE_TEST_SUITE_P(Literals, Values,
                         testing::Values(Row{"7", "7"}, Row{"-7", "-7"}, Row{"1.5", "1.5"},
                                         Row{"2e3", "2000.0"}, Row{"-inf", "-inf"}, Row{"nan", "nan"},
                                         Row{"true", "true"}, Row{"none", "none"}, Row{"bf16", "bf16"},
                                         Row{"bool", "bool"}, Row{"\"add\"", "\"add\""},
                                         Row{"'add'", "\"add\""}, Row{"()", "()"}, Row{"(1,)", "(1,)"},
                                         Row{"(1, 2)", "(1, 2)"}, Row{"(3)", "3"}, Row{"  1 +\n 2 ", "3"}));

INSTANTIATE_TEST_SUITE_P(
    Arithmetic, Values,
    testing::Values(Row{"1 + 2 * 3", "7"}, Row{"(1 + 2) * 3", "9"}, Row{"10 - 3 - 2", "5"},
                    Row{"-7 // 2", "-4"}, Row{"-7 % 2", "1"}, Row{"7 // -2", "-4"}, Row{"7 % -2", "-1"},
                    Row{"6 % -2", "0"}, Row{"1 // 0", "no value: 1 // 0 has no value"}, Row{"- -3", "3"},
                    Row{"7 / 2", "3.5"}, Row{"1.5 * 2", "3.0"}, Row{"value + 1", "2.5"},
                    Row{"-value", "-1.5"}, Row{"abs(-3)", "3"}, Row{"abs(value)", "1.5"},
                    Row{"dim - 1", "-3"}, Row{"--value", "1.5"},
                    Row{"9223372036854775807 + 1", "no value: 9223372036854775807 + 1 does not fit 64 bits"},
                    Row{"(1, 2) ++ (3,)", "(1, 2, 3)"}, Row{"() ++ ()", "()"}));

INSTANTIATE_TEST_SUITE_P(
    Logic, Values,
    testing::Values(Row{"true and false", "false"}, Row{"false or true", "true"}, Row{"not false", "true"},
                    Row{"not not true", "true"}, Row{"false implies false", "true"},
                    Row{"true implies false", "false"}, Row{"false implies 1 // 0 == 1", "true"},
                    Row{"true or 1 // 0 == 1", "true"}, Row{"false and 1 // 0 == 1", "false"},
                    Row{"not false and false", "false"}, Row{"true implies false implies true", "true"},
                    Row{"if overwrite then 1 else 2", "2"}, Row{"if true then 1 else 1 // 0", "1"},
                    Row{"if dim < 0 then dim + rank(self) else dim", "0"},
                    Row{"true and if overwrite then true else false", "false"}, Row{"flags[0]", "true"},
                    Row{"not flags[0] or flags[1]", "false"}));

INSTANTIATE_TEST_SUITE_P(
    Comparisons, Values,
    testing::Values(Row{"1 < 2 < 3", "true"}, Row{"1 < 3 < 2", "false"}, Row{"3 >= 3 > 2", "true"},
                    Row{"1 == 1.0", "true"}, Row{"nan == nan", "false"}, Row{"nan != nan", "true"},
                    Row{"1 < nan", "false"}, Row{"shape(self) == (5, 6)", "true"},
                    Row{"shape(self) == (5,)", "false"}, Row{"shape(self) != (5,)", "true"},
                    Row{"reduce == \"add\"", "true"}, Row{"dtype(src) == f32", "true"},
                    Row{"output_size == none", "true"}, Row{"output_size != none", "false"},
                    Row{"2 in (1, 2)", "true"}, Row{"2 not in dims(self)", "true"},
                    Row{"dtype(index) in [i32, i64]", "true"}, Row{"dtype(src) not in [i32, i64]", "true"},
                    Row{"reduce in [\"mul\", \"add\"]", "true"}, Row{"1 in ()", "false"},
                    Row{"index[0,1] == 1", "true"}));

INSTANTIATE_TEST_SUITE_P(
    Quantifiers, Values,
    testing::Values(
        Row{"all d in dims(index): size(index, d) <= size(self, d)", "true"},
        Row{"all d in dims(index): size(index, d) <= size(src, d)", "false"},
        Row{"all d in dims(index) where d != 1: size(index, d) <= size(src, d)", "true"},
        Row{"any d in dims(index): size(index, d) > size(src, d)", "true"}, Row{"any d in (): true", "false"},
        Row{"all d in (): false", "true"}, Row{"all p in positions(shape(index)): index[p] < 8", "true"},
        Row{"all p in positions(shape(empty)): false", "true"},
        Row{"any p in positions(()): p == ()", "true"},
        Row{"all i in range(0, len(row)): row[i] < 5", "true"}, Row{"any i in range(3): row[i] == 0", "true"},
        Row{"unique i in range(3): row[i]", "false"}, Row{"unique i in range(2): row[i]", "true"},
        Row{"unique p in positions((3,)): tuple(pairs[p])", "false"},
        Row{"unique i in range(2): tuple(pairs[i])", "true"}, Row{"each d in range(3): d * d", "(0, 1, 4)"},
        Row{"each d in (): d", "()"}, Row{"each d in (4, 2) where d > 3: d + 1", "(5,)"},
        Row{"(each d in dims(index): min(size(index, d), 4)) ++ (9,)", "(3, 4, 9)"},
        Row{"each i in range(2): 1 // i", "no value: 1 // 0 has no value"},
        Row{"all i in range(3): any j in range(3): i != j and row[i] == row[j] or row[i] == 0", "true"},
        Row{"rank(self) == 2 and all d in dims(self): d < 2", "true"}));

INSTANTIATE_TEST_SUITE_P(
    TuplesAndTensors, Values,
    testing::Values(
        Row{"(1, 2, 3) with 0 = 9", "(9, 2, 3)"}, Row{"(1, 2, 3) with -1 = 9 with 0 = 8", "(8, 2, 9)"},
        Row{"(1, 2) with 0 = 1 + 2 * 3", "(7, 2)"},
        Row{"(1, 2) with 5 = 1", "no value: (1, 2) has no element 5"}, Row{"(1, 2, 3)[1]", "2"},
        Row{"(1, 2, 3)[-1]", "3"}, Row{"shape(self)[2]", "no value: shape(self)[2]: (5, 6) has no element 2"},
        Row{"(1, 2, 3)[1:]", "(2, 3)"}, Row{"(1, 2, 3)[:-1]", "(1, 2)"}, Row{"(1, 2, 3)[1:2]", "(2,)"},
        Row{"(1, 2, 3)[2:1]", "()"}, Row{"(1, 2)[-9:9]", "(1, 2)"}, Row{"(1, 2)[:]", "(1, 2)"},
        Row{"index[(0, 4)]", "4"}, Row{"index[0, 4]", "4"}, Row{"index[0][4]", "4"},
        Row{"index[0]", "i64[6]"}, Row{"shape(index[0])", "(6,)"}, Row{"rank(index[0])", "1"},
        Row{"size(index[0], -1)", "6"}, Row{"point[()]", "2"}, Row{"point[()] + 1", "3"},
        Row{"tuple(pairs[1])", "(1, 0)"}, Row{"tuple(row)", "(4, 0, 4)"}, Row{"max(row)", "4"},
        Row{"min(row)", "0"}, Row{"max(index[2])", "7"}, Row{"min((3, 1, 2))", "1"},
        Row{"max(1, dim, 5)", "5"},
        Row{"max(empty)", "no value: max(empty): there is nothing to choose from"},
        Row{"self[dim]", "no value: self[dim]: -2 lies outside dimension 0 of self, whose size is 5"},
        Row{"self[0, 6]", "no value: self[0, 6]: 6 lies outside dimension 1 of self, whose size is 6"},
        Row{"row[0, 0]", "no value: row[0, 0]: more coordinates than row has dimensions (1)"},
        Row{"src[0, 0]", "9.0"}));

INSTANTIATE_TEST_SUITE_P(
    Functions, Values,
    testing::Values(
        Row{"rank(point)", "0"}, Row{"size(self, -1)", "6"},
        Row{"size(self, 2)", "no value: size(self, 2): self has 2 dimensions"}, Row{"shape(point)", "()"},
        Row{"numel(self)", "30"}, Row{"numel(point)", "1"}, Row{"numel(empty)", "0"},
        Row{"is_compact(self)", "true"}, Row{"dims(self)", "(0, 1)"}, Row{"len(index)", "3"},
        Row{"len((4, 5))", "2"}, Row{"len(point)", "no value: len(point): it has no dimension"},
        Row{"range(2, 5)", "(2, 3, 4)"}, Row{"range(5, 2)", "()"}, Row{"product((2, 3, 4))", "24"},
        Row{"product(())", "1"}, Row{"sum((2, 3))", "5"}, Row{"wrap(-1, 5)", "4"}, Row{"wrap(3, 5)", "3"},
        Row{"wrap((-1, 1), (5, 5))", "(4, 1)"}, Row{"broadcast((3, 1), (4,))", "(3, 4)"},
        Row{"broadcast((), (4,))", "(4,)"}, Row{"broadcast((1,), (0,))", "(0,)"},
        Row{"broadcast((3,), (4,))", "no value: the shapes (3,) and (4,) have no common shape"},
        Row{"count(row, output_size, point)", "2"}, Row{"count(output_size)", "0"},
        Row{"common_shape(point, output_size, pairs)", "(3, 2)"}, Row{"common_shape(point)", "()"},
        Row{"common_shape(row, pairs)", "no value: the shapes (3,) and (3, 2) have no common shape"},
        Row{"elements((2, 1), pairs, output_size, point)", "(1, 2)"},
        Row{"elements((1, 2), point, row)", "(2, 4)"}, Row{"elements((), output_size)", "()"},
        Row{"elements((3,), row)", "no value: (3,) is not a position in i64[3]"},
        Row{"elements((0,), flags)", "no value: elements: bool[2] is not a tensor of integers"},
        Row{"parts('$, 1:3, ..., ::-1', 'slice')", "2"}, Row{"parts('True, False, False', 'false')", "2"},
        Row{"parts('::0, ::-1, :', 'zero_step')", "1"}, Row{"parts('()', 'array')", "0"},
        Row{"parts('0', 'digit')", "no value: parts(\"0\", \"digit\"): 0 has none"},
        Row{"parts('1.5', 'slice')", "no value: \"1.5\" is not a selection"},
        Row{"axis_of('..., $', 0, 3)", "2"}, Row{"axis_of('$, ..., $', 1, 4)", "3"},
        Row{"axis_of('None, $, 0', 0, 2)", "0"}, Row{"numbers_within('-2, 1', (2, 1))", "false"},
        Row{"numbers_within('..., -2', (1, 2))", "true"}, Row{"parts('??, $, ?', 'mask')", "2"},
        Row{"parts('??, $, ?', 'masked')", "3"}, Row{"parts('??, $, ?', 'array')", "1"},
        Row{"parts('$?', 'mask')", "no value: \"$?\" is not a selection"},
        Row{"axis_of('None, ??, $', 1, 4)", "2"}, Row{"axis_of('$, ..., ?\?', 1, 4)", "2"},
        Row{"is_mask('$, ?', 1)", "true"}, Row{"is_mask('$, ?', 0)", "false"},
        Row{"is_mask('?', 1)", "false"}, Row{"index_shape(mask)", "(4,)"},
        Row{"index_shape(pairs)", "(3, 2)"}, Row{"masks_fit('0, ?\?', (9, 2, 3), mask)", "true"},
        Row{"masks_fit('?\?', (2, 3, 9), mask)", "true"},
        Row{"masks_fit('..., ?\?', (2, 3, 9), mask)", "false"},
        Row{"masks_fit('$, ?\?', (9, 2, 3), row, mask)", "true"},
        Row{"masks_fit('??, ?', (2, 3), mask, flags)",
            "no value: masks_fit(\"??, ?\", (2, 3), mask, flags): ??, ? has none"},
        Row{"selected_shape('??, :', (2, 3, 9), mask)", "(4, 9)"},
        Row{"selected_shape('??, :, $', (2, 3, 9, 5), mask, point)", "(4, 9)"},
        Row{"selected_shape(':, ?\?', (9, 2, 3), mask)", "(9, 4)"},
        Row{"selected_shape('??, $', (2, 3, 9), mask, row)",
            "no value: the shapes (4,) and (3,) have no common shape"},
        Row{"selected_shape('?', (2, 3), mask)", "no value: bool[2,3] is not a mask of 1 dimensions"},
        Row{"selected((8, 2), ':, ?\?', (9, 2, 3), mask)", "(8, 1, 1)"},
        Row{"selected((3,), '?\?', (2, 3), mask)", "(1, 2)"},
        Row{"selected((4,), '?\?', (2, 3), mask)", "no value: bool[2,3] has no true element 4"},
        Row{"selected_shape('0, :, $', (4, 5, 6), row)", "(3, 5)"},
        Row{"selected_shape(numbers_first('0, :, $', row), (4, 5, 6), row)", "(5, 3)"},
        Row{"selected_shape(numbers_first('$, :, $', point, row), (4, 5, 6), point, row)", "(5, 3)"},
        Row{"selected_shape(numbers_first('$, :, $', row, row), (4, 5, 6), row, row)", "(3, 5)"},
        Row{"selected_shape(numbers_first(':, $, 1, $', row, row), (4, 5, 6, 7), row, row)", "(4, 3)"},
        Row{"selected_shape(numbers_first('0, ?, :', flags), (4, 2, 6), flags)", "(1, 6)"},
        Row{"selected((1, 2), numbers_first('0, :, $', row), (4, 5, 6), row)", "(0, 1, 4)"},
        Row{"selected_shape(numbers_first('0, ::2', output_size), (4, 5))", "(3,)"},
        Row{"parts(numbers_first('0, $', row), 'integer')", "1"},
        Row{"parts('1:!', 'slice')", "no value: \"1:!\" is not a selection"},
        Row{"parts('0!!', 'integer')", "no value: \"0!!\" is not a selection"},
        Row{"selected_shape('$, 1:', (4, 5), row)", "(3, 4)"},
        Row{"selected_shape('$, :, $', (4, 5, 6), row, row)", "(3, 5)"},
        Row{"selected_shape(':, $, $', (4, 5, 6), row, point)", "(4, 3)"},
        Row{"selected_shape('None, True, ...', (4,))", "(1, 1, 4)"},
        Row{"selected_shape('0, ::-2', (4, 5))", "(3,)"},
        Row{"selected_shape('0, 0', (4,))",
            "no value: 0, 0 selects nothing of sizes (4,): it takes more dimensions than there are"},
        Row{"selected_shape('$', (4,), output_size)", "no value: $ has 1 arrays, and 0 are given"},
        Row{"selected((2, 1), '$, 1:', (4, 5), row)", "(4, 2)"},
        Row{"selected((1, 2), '-1, ..., ::-2', (4, 5, 6))", "(-1, 1, 1)"},
        Row{"selected((0,), '..., ::-2', (4, 5))",
            "no value: (0,) is not a position in a result of 2 dimensions"},
        Row{"broadcastable((3, 1), (4,))", "true"}, Row{"broadcastable((3,), (4,))", "false"},
        Row{"broadcasts_to((4,), (3, 4))", "true"}, Row{"broadcasts_to((3, 4), (4,))", "false"},
        Row{"broadcasts_to((3, 1), (3, 4))", "true"}, Row{"broadcasts_to((3, 4), (3, 1))", "false"},
        Row{"stretch((2, 3), (1, 4))", "(0, 3)"}, Row{"stretch((2, 3), (4,))", "(3,)"},
        Row{"stretch((2, 3), ())", "()"}, Row{"ravel((1, 2), (3, 4))", "6"}, Row{"ravel((), ())", "0"},
        Row{"ravel((1, 4), (3, 4))", "no value: (1, 4) is not a position in sizes (3, 4)"},
        Row{"ravel((-1,), (3,))", "no value: (-1,) is not a position in sizes (3,)"},
        Row{"ravel((1,), (1, 2))", "no value: (1,) is not a position in sizes (1, 2)"},
        Row{"unravel(6, (3, 4))", "(1, 2)"}, Row{"unravel(0, ())", "()"},
        Row{"unravel(12, (3, 4))",
            "no value: unravel(12, (3, 4)): the positions have the numbers from 0 up to, not including, 12"},
        Row{"unravel(0, (3, 0))",
            "no value: unravel(0, (3, 0)): the positions have the numbers from 0 up to, not including, 0"},
        Row{"unravel(-1, (3,))",
            "no value: unravel(-1, (3,)): the positions have the numbers from 0 up to, not including, 3"},
        Row{"unravel(0, (-1,))", "no value: (-1,): these are not valid sizes of a tensor"},
        Row{"trues(mask, (2, 3))", "4"}, Row{"trues(mask, (2, 3), (0, 0))", "0"},
        Row{"trues(mask, (2, 3), (1, 1))", "2"}, Row{"trues(mask[0], (2, 3))", "4"},
        Row{"trues(mask, (0, 2, 3))", "0"}, Row{"trues(mask, (2, 2, 3), (1, 1, 2))", "7"},
        Row{"trues(mask, (3,))", "no value: trues: the shape (2, 3) does not broadcast to (3,)"},
        Row{"trues(mask, (2, 3), (2, 0))", "no value: (2, 0) is not a position in sizes (2, 3)"},
        Row{"trues(row, (3,))", "2"}, Row{"trues(row, (2, 3), (1, 1))", "3"},
        Row{"is_tensor(value)", "false"}, Row{"is_tensor(self)", "true"}, Row{"given(output_size)", "false"},
        Row{"given(value)", "true"}, Row{"is_float(dtype(src))", "true"}, Row{"is_integer(bool)", "false"},
        Row{"is_integer(u8)", "true"}, Row{"is_complex(c64)", "true"}, Row{"represents(f32, 0.5)", "true"},
        Row{"represents(f32, 16777217)", "false"}, Row{"represents(f64, 16777217)", "true"},
        Row{"represents(f32, 0.1)", "false"}, Row{"represents(u8, 255)", "true"},
        Row{"represents(u8, 256)", "false"}, Row{"represents(f16, nan)", "true"},
        Row{"holds(u8, 255)", "true"}, Row{"holds(u8, 256)", "false"}, Row{"holds(i8, -128)", "true"},
        Row{"holds(i8, -129)", "false"}, Row{"holds(i32, 1.0)", "true"}, Row{"holds(i32, 1.5)", "false"},
        Row{"holds(bool, true)", "true"}, Row{"holds(bool, 2)", "false"}, Row{"holds(f32, 0.1)", "true"},
        Row{"holds(f16, 65504)", "true"}, Row{"holds(f16, 65520)", "false"}, Row{"holds(f16, inf)", "true"},
        Row{"holds(f32, nan)", "true"}, Row{"holds(i64, nan)", "false"}, Row{"holds(c64, value)", "true"},
        Row{"rank(value)", "no value: value is 1.5, not a tensor"},
        Row{"output_size + 1", "no value: '+' takes numbers, not none"}));

TEST(Evaluate, KeepsTheOriginOfAnElement) {
  const World& w = scatter_world();
  const auto read = std::get<Element>(evaluate(*w.parse("index[2, 1]"), w.frame));
  EXPECT_EQ(read.argument, 1);
  EXPECT_EQ(read.coords, 13);
  const auto scalar = std::get<Element>(evaluate(*w.parse("value"), w.frame));
  EXPECT_EQ(scalar.argument, 4);
  EXPECT_EQ(scalar.coords, -1);
  const auto computed = std::get<Element>(evaluate(*w.parse("src[0, 0] * 2"), w.frame));
  EXPECT_EQ(computed.argument, -1);
  EXPECT_EQ(computed.value.real(), 18.0);
}

TEST(Evaluate, AnIntegerIsATupleOfOne) {
  const World& w = scatter_world();
  EXPECT_EQ(evaluate_tuple(*w.parse("row[0]"), w.frame), (Shape{4}));
}

TEST(ParseWrite, SplitsPositionAndValue) {
  World w;
  w.tensor("index", integers({2}, {1, 0})).tensor("src", integers({2}, {5, 6}));
  w.add("p", static_cast<Types>(Type::tuple), Shape{1}).integer("axis", 0);
  const auto write = parse_write({"f", {1, 1}, "out[p with axis = index[p]] <- src[p]"}, w.scope);
  ASSERT_TRUE(write) << to_string(write.errors());
  EXPECT_EQ(evaluate_tuple(*write->at, w.frame), (Shape{0}));
  EXPECT_EQ(to_string(evaluate(*write->value, w.frame)), "6");
}

}  // namespace
}  // namespace scatterproof::spec::language
