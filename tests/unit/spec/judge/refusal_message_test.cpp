// SPDX-License-Identifier: Apache-2.0
// Messages as frameworks word them: the line that says why is found.
#include "refusal_message.hpp"

#include <gtest/gtest.h>

namespace scatterproof::spec::judging {
namespace {

TEST(RefusalMessage, OfOneLineIsThatLine) {
  for (const std::string line :
       {"expected scalar type Long but found Int",
        "Except for dimension 0, all dimensions of index and self should be the same size.",
        "cannot reshape array of size 0 into shape (0,newaxis,1)",
        "index 7 is out of bounds for dimension 0 with size 3",
        "[ONNXRuntimeError] : 6 : RUNTIME_EXCEPTION : Non-zero status code returned while running "
        "ScatterElements node. Name:'' Status Message: CPU execution provider: BFloat16 data type is not "
        "supported with ScatterElements opset 16 when reduction is 'add'."})
    EXPECT_EQ(telling_line(line), line);
  EXPECT_EQ(telling_line(""), "");
}

TEST(RefusalMessage, SkipsSourceLocations) {
  EXPECT_EQ(telling_line("Exception from src/inference/src/cpp/core.cpp:117:\n"
                         "Exception from src/core/src/shape_util.cpp:21:\n"
                         "Axis 3 out of the tensor rank range [-2, 1].\n"),
            "Axis 3 out of the tensor rank range [-2, 1].");
  EXPECT_EQ(telling_line("src/ops/gather.cc:41\nindex out of range"), "index out of range");
}

TEST(RefusalMessage, SkipsBannersAndNumberedFrames) {
  EXPECT_EQ(telling_line("\n\n--------------------------------------\n"
                         "C++ Traceback (most recent call last):\n"
                         "--------------------------------------\n"
                         "0   paddle::pybind::eager_api_scatter(_object*, _object*, _object*)\n"
                         "1   scatter_ad_func(paddle::Tensor const&)\n\n"
                         "----------------------\nError Message Summary:\n----------------------\n"
                         "InvalidArgumentError: The Index's rank must be 1.\n"
                         "  [Hint: Expected 2 == 1.] (at ../paddle/scatter.h:88)\n"),
            "InvalidArgumentError: The Index's rank must be 1.");
}

TEST(RefusalMessage, SkipsATracebackAboveOrBelow) {
  EXPECT_EQ(telling_line("Traceback (most recent call last):\n  File \"w.py\", line 3, in f\nbad index"),
            "bad index");
  EXPECT_EQ(
      telling_line("index out of range\nException raised from check at a.cpp:9 (most recent call first):\n"
                   "frame #0: c10::Error::Error(...)\n"),
      "index out of range");
}

TEST(RefusalMessage, IsItsFirstLineWhenNoneTells) {
  EXPECT_EQ(telling_line("Error in a.cpp:3:\n-----\n"), "Error in a.cpp:3:");
  EXPECT_EQ(telling_line("\n\n"), "");
}

TEST(RefusalMessage, KeepsLinesThatOnlyLookLikeAFrame) {
  EXPECT_EQ(telling_line("3 indices were given, 2 are allowed"), "3 indices were given, 2 are allowed");
  EXPECT_EQ(telling_line("ratio is 2:1\nmore"), "ratio is 2:1");
}

}  // namespace
}  // namespace scatterproof::spec::judging
