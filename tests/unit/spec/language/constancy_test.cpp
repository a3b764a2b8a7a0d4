// SPDX-License-Identifier: Apache-2.0
// What is known before any call: a rule that no call can break is an error of its author.
#include "support.hpp"

namespace scatterproof::spec::language {
namespace {

void expect(Constancy wanted, const std::vector<std::string>& texts) {
  for (const std::string& text : texts) EXPECT_EQ(scatter_world().parse(text)->constancy(), wanted) << text;
}

TEST(Constancy, OfWhatNoCallCanBreak) {
  expect(Constancy::always_true, {"rank(self) >= 0",
                                  "rank(self) <= 8",
                                  "-1 < rank(self)",
                                  "numel(self) >= 0",
                                  "all d in dims(self): size(self, d) >= 0",
                                  "all d in dims(self): d >= 0",
                                  "all d in dims(self): d < 8",
                                  "rank(self) == rank(self)",
                                  "dtype(src) == dtype(src)",
                                  "true or overwrite",
                                  "false implies overwrite",
                                  "overwrite implies true",
                                  "not false",
                                  "given(self)",
                                  "is_tensor(self)",
                                  "not is_tensor(axis)",
                                  "len(shape(self)) <= 8",
                                  "rank(self) + 1 > 0",
                                  "0 <= rank(self) < 9",
                                  "rank(self) * rank(index) <= 64",
                                  "all i in range(2, 5): i > 1",
                                  "any i in range(2, 5): i > 1",
                                  "all p in positions(shape(index)): all x in p: x >= 0",
                                  "product(shape(self)) >= 0",
                                  "abs(axis) >= 0",
                                  "all d in (): overwrite",
                                  "unique d in (axis,): d",
                                  "max(rank(self), 1) >= 1",
                                  "min(rank(self), -1) < 0",
                                  "all x in shape(self) ++ (1, 2): x >= 0",
                                  "axis % 4 < 4",
                                  "len(each d in dims(self): axis) <= 8",
                                  "all x in (each d in range(3): d + 1): x > 0",
                                  "ravel(shape(self), shape(index)) >= 0",
                                  "all x in unravel(axis, shape(self)): x >= 0",
                                  "len(unravel(axis, shape(self))) <= 8",
                                  "trues(mask, shape(self)) >= 0",
                                  "if overwrite then true else rank(self) >= 0",
                                  "all d in dims(self) where false: overwrite",
                                  "all x in (shape(self) with 0 = 5): x >= 0",
                                  "-rank(self) <= 0",
                                  "1 != 2",
                                  "\"add\" == \"add\""});
}

TEST(Constancy, OfWhatNoCallCanObey) {
  expect(Constancy::always_false,
         {"rank(self) > 8", "rank(self) < 0", "numel(self) == -1", "any d in dims(self): d == 8",
          "shape(self) == (-1, -2)", "overwrite and false", "rank(self) != rank(self)",
          "rank(self) < rank(self)", "not given(self)", "is_tensor(axis)", "len(shape(self)) == 9",
          "any d in (): overwrite", "1 == 2", "any i in range(3): i == 3", "9 in dims(self)",
          "all d in (1, 2): d == 3", "(each d in range(3): d) == (1,)"});
}

TEST(Constancy, OfWhatDependsOnTheCall) {
  expect(Constancy::varies, {"rank(self) >= 1",
                             "rank(self) == 8",
                             "axis >= 0",
                             "overwrite",
                             "value == value",
                             "index[0, 0] == index[0, 0]",
                             "all d in dims(self): false",
                             "any d in dims(self): true",
                             "given(output_size)",
                             "is_tensor(value)",
                             "size(self, 0) <= size(index, 0)",
                             "all p in positions(shape(index)): index[p] >= 0",
                             "numel(index) == 0",
                             "trues(mask, shape(self)) <= numel(src)",
                             "unravel(axis, shape(self)) == shape(index)",
                             "0 <= axis < rank(self)",
                             "rank(self) - rank(index) >= 0",
                             "unique d in dims(self): d",
                             "dtype(src) == f32",
                             "reduce == \"add\"",
                             "shape(self) == ()",
                             "axis // 2 == 1",
                             "all d in range(axis): d < 5",
                             "axis in dims(self)",
                             "9223372036854775807 - rank(self) * axis > 0",
                             "shape(self) == (0, 1)",
                             "numel(self) * numel(self) >= 1"});
}

}  // namespace
}  // namespace scatterproof::spec::language
