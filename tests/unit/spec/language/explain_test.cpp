// SPDX-License-Identifier: Apache-2.0
// The sentence for a broken rule names what fails, with its numbers.
#include "support.hpp"

namespace scatterproof::spec::language {
namespace {

struct Row {
  const char* text;
  const char* sentence;
};
void PrintTo(const Row& row, std::ostream* out) { *out << row.text; }

class WhyFalse : public testing::TestWithParam<Row> {};

TEST_P(WhyFalse, NamesThePlaceAndTheNumbers) {
  EXPECT_EQ(scatter_world().why_false(GetParam().text), GetParam().sentence) << GetParam().text;
}

INSTANTIATE_TEST_SUITE_P(
    Rules, WhyFalse,
    testing::Values(
        Row{"all d in dims(index): size(index, d) <= size(src, d)",
            "size(index, 1) = 6 is greater than size(src, 1) = 5 (d = 1)"},
        Row{"all p in positions(shape(index)): 0 <= index[p] < size(self, axis)",
            "index[2,0] = 7 is not in 0 .. 4"},
        Row{"all p in positions(shape(index)): index[p] < 5", "index[2,0] = 7 is not less than 5"},
        Row{"all p in positions(shape(index)): -size(self, axis) <= index[p] <= 6",
            "index[2,0] = 7 is not in -5 .. 6"},
        Row{"rank(self) == rank(index) and rank(index) == rank(row)",
            "rank(index) = 2 differs from rank(row) = 1"},
        Row{"rank(row) == 2", "rank(row) = 1 is not 2"}, Row{"rank(row) != 1", "rank(row) = 1"},
        Row{"rank(self) != rank(index)", "rank(self) = 2 equals rank(index) = 2"},
        Row{"0 <= dim < rank(self)", "dim = -2 is not in 0 .. 1"},
        Row{"0 <= dim < rank(point)", "dim = -2 is not below rank(point) = 0"},
        Row{"dim >= 0", "dim = -2 is less than 0"}, Row{"dim > 0", "dim = -2 is not greater than 0"},
        Row{"dtype(src) == dtype(self)", "dtype(src) = f32 differs from dtype(self) = i64"},
        Row{"dtype(src) in [i32, i64]", "dtype(src) = f32 is not in [i32, i64]"},
        Row{"reduce in [\"multiply\", \"mean\"]", "reduce = \"add\" is not in [\"multiply\", \"mean\"]"},
        Row{"dim in dims(self)", "dim = -2 is not in 0 .. 1"},
        Row{"axis not in dims(self)", "axis = 0 is in 0 .. 1"},
        Row{"shape(index) == shape(src)", "shape(index) = (3, 6) differs from shape(src) = (3, 5)"}));

INSTANTIATE_TEST_SUITE_P(
    Logic, WhyFalse,
    testing::Values(Row{"overwrite", "overwrite is false"},
                    Row{"dim >= 0 or overwrite", "dim = -2 is less than 0, and overwrite is false"},
                    Row{"rank(self) == 2 implies dim >= 0", "dim = -2 is less than 0"},
                    Row{"not (dim < 0)", "dim = -2 is less than 0"},
                    Row{"not (rank(self) == rank(index))", "rank(self) = 2 equals rank(index) = 2"},
                    Row{"not (any i in range(3): row[i] == 0)", "row[1] = 0 (i = 1)"},
                    Row{"given(output_size)", "output_size is not given"},
                    Row{"is_tensor(value)", "value is not a tensor"},
                    Row{"not is_tensor(src)", "src is a tensor"},
                    Row{"is_float(dtype(index))", "dtype(index) = i64 is not a float dtype"},
                    Row{"if overwrite then true else dim > 5", "dim = -2 is not greater than 5"},
                    Row{"broadcastable(shape(self), shape(src))",
                        "shape(self) = (5, 6) and shape(src) = (3, 5) have no common shape"},
                    Row{"broadcasts_to(shape(src), (3, 6))",
                        "shape(src) = (3, 5) does not broadcast to (3, 6)"}));

INSTANTIATE_TEST_SUITE_P(
    Quantified, WhyFalse,
    testing::Values(
        Row{"unique i in range(3): row[i]", "row[0] and row[2] are both 4"},
        Row{"unique p in positions((3,)): tuple(pairs[p])",
            "tuple(pairs[0]) and tuple(pairs[2]) are both (0, 1)"},
        Row{"unique i in range(2): i // 2", "0 // 2 and 1 // 2 are both 0"},
        Row{"unique i in range(2): axis", "axis = 0 both for i = 0 and for i = 1"},
        Row{"all d in dims(self): (all e in dims(self): d == e) or d == 9",
            "d = 0 differs from e = 1, and d = 0 is not 9"},
        Row{"dim == 5 < 1 // 0", "dim = -2 is not 5"}, Row{"0 <= dim < 1 // 0", "0 is greater than dim = -2"},
        Row{"(if overwrite then row[9] else row[0]) == 5",
            "(if overwrite then row[9] else row[0]) = 4 is not 5"},
        Row{"any d in dims(self): size(self, d) == 7", "no d in dims(self) has size(self, d) == 7"},
        Row{"any d in dims(point): true", "there is no d in dims(point)"},
        Row{"all d in dims(self): all e in dims(self): size(self, d) == size(self, e)",
            "size(self, 0) = 5 differs from size(self, 1) = 6 (d = 0, e = 1)"},
        Row{"all d in dims(self) where d > 0: d == 0", "d = 1 is not 0"},
        Row{"all p in positions(shape(index)): p[0] < 2", "p[0] = 2 is not less than 2 (p = (2, 0))"}));

}  // namespace
}  // namespace scatterproof::spec::language
