// SPDX-License-Identifier: Apache-2.0
// Expressions back in words, and back in their own notation.
#include "scatterproof/spec/language/ast.hpp"
#include "support.hpp"

namespace scatterproof::spec::language {
namespace {

struct Row {
  const char* text;
  const char* words;
};
void PrintTo(const Row& row, std::ostream* out) { *out << row.text; }

class Words : public testing::TestWithParam<Row> {};
TEST_P(Words, ReadAsASentence) {
  EXPECT_EQ(in_words(*scatter_world().parse(GetParam().text)), GetParam().words);
}

INSTANTIATE_TEST_SUITE_P(
    Rules, Words,
    testing::Values(
        Row{"all d in dims(index): size(index, d) <= size(src, d)",
            "for every dimension d of index: the size of index in dimension d is at most the size of src in "
            "dimension d"},
        Row{"all d in dims(index) where d != axis: size(index, d) <= size(self, d)",
            "for every dimension d of index where d differs from axis: the size of index in dimension d is "
            "at most the "
            "size of self in dimension d"},
        Row{"all p in positions(shape(index)): 0 <= index[p] < size(self, axis)",
            "for every position p of index: index[p] is at least 0 and is less than the size of self in "
            "dimension axis"},
        Row{"rank(self) == rank(index) and rank(index) == rank(src)",
            "the number of dimensions of self equals the number of dimensions of index and the number of "
            "dimensions of "
            "index equals the number of dimensions of src"},
        Row{"unique i in range(len(row)): row[i]",
            "row[i] differs for every i from 0 up to, not including, the length of row"},
        Row{"dtype(index) in [i32, i64]", "the dtype of index is one of i32 and i64"},
        Row{"is_compact(self)", "self is contiguous and fills its storage"},
        Row{"is_tensor(value) implies rank(self) >= 1",
            "if value is a tensor, then the number of dimensions of self is at least 1"},
        Row{"not given(output_size) or overwrite", "output_size is not given or overwrite"},
        Row{"not (reduce == \"max\" or reduce == \"min\") and not is_complex(dtype(self))",
            "reduce is not \"max\" and reduce is not \"min\" and the dtype of self is not a complex dtype"},
        Row{"not (rank(self) < 1 and overwrite) or axis == 0",
            "the number of dimensions of self is at least 1 or overwrite is false or axis is 0"},
        Row{"(overwrite and axis == 0) or axis == 1", "(overwrite and axis is 0) or axis is 1"},
        Row{"-rank(self) <= axis < rank(self)",
            "axis is at least minus the number of dimensions of self and is less than the number of "
            "dimensions of self"},
        Row{"unique i in range(len(row)): wrap(row[i], size(self, 0))",
            "row[i] (if negative, plus the size of self in dimension 0) differs for every i from 0 up to, "
            "not including, "
            "the length of row"},
        Row{"ravel((0, 1), shape(self)) < 4",
            "the row-major number of (0, 1) in sizes the shape of self is less than 4"},
        Row{"unravel(axis, shape(self))",
            "the position with the row-major number axis in sizes the shape of self"},
        Row{"trues(flags, (2,)) <= numel(src)",
            "the number of true elements of flags broadcast to (2,) is at most the number of elements of "
            "src"},
        Row{"trues(flags, (2,), (1,))", "the number of true elements of flags broadcast to (2,) before (1,)"},
        Row{"parts('$, 0', 'array') <= 1", "the number of \"array\" parts in \"$, 0\" is at most 1"},
        Row{"each d in dims(index): d + axis", "the tuple of d plus axis for every dimension d of index"},
        Row{"(1, 2) with 0 = axis", "(1, 2) with element 0 replaced by axis"},
        Row{"if overwrite then 1 else rank(self) - 1",
            "1 if overwrite, else the number of dimensions of self minus 1"}));

class Notation : public testing::TestWithParam<const char*> {};
TEST_P(Notation, PrintsAsItReads) { EXPECT_EQ(print(scatter_world().parse(GetParam())->root()), GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    Shortest, Notation,
    testing::Values("1 - (2 - 3)", "(1 + 2) * 3", "1 + 2 * 3", "not (overwrite and true)",
                    "not overwrite and true", "(overwrite or true) and true", "(1, 2) ++ (3,)",
                    "() ++ (1 + 2,)", "(each d in (1, 2) where d > 1: d + 1) ++ (3,)", "-(1 + axis)",
                    "(1, 2)[1:]", "(1, 2)[:-1]", "((1, 2) with 0 = 1)[0]", "(1, 2) with 0 = 1 + 2 with 1 = 3",
                    "index[0, 1]", "(overwrite implies true) implies true",
                    "overwrite implies true implies true", "(if overwrite then 1 else 2) + 1",
                    "true and (all d in (1, 2): d == 1) and true", "true and all d in (1, 2): d == 1",
                    "any d in (1, 2) where d > 1: d == 1", "1 < 2 <= 3 != 4", "(1 < 2) == true",
                    "dtype(self) in [i32, i64]", "axis not in (1, 2)", "7 // (2 // 3) % 4",
                    "reduce == \"add\""));

}  // namespace
}  // namespace scatterproof::spec::language
