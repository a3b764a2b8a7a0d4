// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/catalogue/call_notation.hpp"

#include <gtest/gtest.h>

#include "scatterproof/runner/calls/call_hash.hpp"
#include "scatterproof/runner/calls/call_text.hpp"
#include "tensors.hpp"

namespace scatterproof::runner {
namespace {

const spec::SpecLibrary& shipped() {
  static const spec::SpecLibrary all = [] {
    auto loaded = spec::SpecLibrary::load(SCATTERPROOF_SOURCE_DIR "/spec/data/ops");
    EXPECT_TRUE(loaded);
    return std::move(loaded).value();
  }();
  return all;
}

/// As it is printed; or `column: error (hint)`.
std::string read(const std::string& text) {
  const auto call = read_call_text(text, shipped());
  if (call) return text_of(*call);
  const spec::Error& error = call.errors().front();
  return std::to_string(error.at.column) + ": " + error.what + " (" + error.hint + ")";
}

TEST(CallText, WhatIsPrintedIsReadBack) {
  for (const char* text :
       {"torch.gather(input=f32[2,2] [[1.0, -0.0], [nan, -inf]], dim=1, index=i64[2,1] [[0], [-1]])",
        "torch.gather(input=c64[1] [1.0+2.0j], dim=0, index=i64[0] [])",
        "torch.gather(input=bf16[2,2] [[1.0, 2.0], [3.0, 4.0]], dim=-1, index=i64[1,2] [[0, 1]]) (input: "
        "transposed, index: sliced)",
        "torch.gather(input=f32[3] [nan(0x.4), -nan(0x.c), -nan], dim=0, index=i64[1] [0])",
        "torch.gather(input=c64[2] [nan+1.0j, 1.0-nan(0x.000002)j], dim=0, index=i64[1] [0])",
        "torch.gather(input=bool[] true, dim=0, index=i64[] 0)",
        "torch.gather(input=u8[2,0] [[], []], dim=0, index=i64[1,0] [[]])",
        "torch.scatter_reduce(self=f64[1] [0.1], dim=0, index=i64[1] [0], src=f64[1] [2.0], reduce=amax, "
        "include_self=true) (include_self: left out)",
        "numpy.ndarray.__getitem__.selection(a=f64[2,1] [[0.5], [1.5]], key=::-1, $, indices_0=i64[1] [0])",
        "numpy.ndarray.__getitem__.selection(a=f64[2] [0.5, 1.5], key=())",
        "numpy.ndarray.__getitem__.selection(a=f64[2] [0.5, 1.5], key=..., 0) (a: reversed)"})
    EXPECT_EQ(read(text), text);
}

TEST(CallText, StridesAreReadBack) {
  auto call =
      read_call_text("torch.gather(input=i32[2,2] [[1, 2], [3, 4]], dim=0, index=i64[1,1] [[0]])", shipped());
  ASSERT_TRUE(call);
  auto& tensor = std::get<spec::Tensor>(call.value().arguments.front().second);
  tensor = spec::with_strides(tensor, {3, 1}, 2);
  const std::string text = text_of(*call);
  EXPECT_NE(text.find("strides [3, 1]"), text.npos) << text;
  EXPECT_EQ(read(text), text);
}

TEST(CallText, ATupleOfIndexTensorsIsNotOneTensor) {
  const std::string printed =
      "torch.Tensor.index_put_.tuple(self=f32[2,3] [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]], indices_0=i64[2] [0, "
      "1], "
      "indices_1=i64[2] [2, 0], ";
  for (const char* indices : {"([0, 1], [2, 0])", "(torch.tensor([0, 1]), torch.tensor([2, 0]))",
                              "[torch.tensor([0, 1]), torch.tensor([2, 0])]"})
    EXPECT_EQ(read(std::string("torch.Tensor.index_put_(torch.zeros(2, 3), ") + indices + ", [1., 2.], True)")
                  .substr(0, printed.size()),
              printed);
  EXPECT_EQ(
      read("torch.Tensor.index_put_(torch.zeros(2, 3), [[0, 1], [2, 0]], [1., 2.], True)").substr(0, 29),
      "torch.Tensor.index_put_(self=");
  EXPECT_EQ(read("torch.index_put_([1.], [0], [2.])"),
            "1: unknown API 'torch.index_put_' (did you mean 'torch.Tensor.index_put_'?)");
}

/// numpy.add.at has no spec for tuples of arrays alone, and a tuple of numbers is not a list of them.
TEST(CallText, ATupleAsTheIndexSelects) {
  EXPECT_EQ(
      read("np.add.at([[1.5, 2.5]], ([0], [1]), [2.5])"),
      "numpy.add.at.selection(a=f64[1,2] [[1.5, 2.5]], key=$, $, indices_0=i64[1] [0], indices_1=i64[1] "
      "[1], b=f64[1] [2.5])");
  EXPECT_EQ(read("np.add.at([[1.5, 2.5]], indices=(0, 1), b=[2.5])"),
            "numpy.add.at.selection(a=f64[1,2] [[1.5, 2.5]], key=0, 1, b=f64[1] [2.5])");
  EXPECT_EQ(read("numpy.take([1.5], (0, 0))"), read("numpy.take([1.5], [0, 0])")) << "it takes no tuples";
}

TEST(CallText, TruthValuesAsTheIndexAreAMask) {
  EXPECT_EQ(read("torch.Tensor.__setitem__([1.5, 2.5], [True, False], [3.5])"),
            "torch.Tensor.__setitem__.mask(self=f32[2] [1.5, 2.5], mask=bool[2] [true, false], values=f32[1] "
            "[3.5])");
  EXPECT_EQ(read("torch.Tensor.__getitem__([1.5], [0])").substr(0, 26), "torch.Tensor.__getitem__(s");
}

TEST(CallText, ANumberInPlaceOfATensorIsAnotherForm) {
  for (const char* number : {"7.0", "value=7.0"})
    EXPECT_EQ(read(std::string("torch.scatter([1., 2.], 0, [0], ") + number + ")"),
              "torch.scatter.value(self=f32[2] [1.0, 2.0], dim=0, index=i64[1] [0], value=7.0, "
              "reduce=none) (reduce: left out)");
  EXPECT_EQ(read("torch.scatter([1., 2.], 0, [0], [7.])").substr(0, 14), "torch.scatter(");
}

TEST(CallText, LineBreaksAreBlanks) {
  EXPECT_EQ(on_one_line("torch.gather(input=f32[1]\n    [7.0],\n  dim=0)"),
            "torch.gather(input=f32[1] [7.0], dim=0)");
}

TEST(CallText, PythonIsRead) {
  const std::string printed = "torch.gather(input=f32[1,2] [[1.0, 2.0]], dim=1, index=i64[1,1] [[0]])";
  EXPECT_EQ(read("torch.gather(torch.tensor([[1., 2.]]), 1, torch.tensor([[0]]))"), printed);
  EXPECT_EQ(read("torch.gather([[1.0, 2.0]], dim=1, index=[[0]])"), printed);
  EXPECT_EQ(read("np.take([1.5], [0])"), read("numpy.take([1.5], [0])"));
  EXPECT_EQ(read("jnp.take(jnp.array([1.5]), jnp.array([0]))"),
            "jax.numpy.take.flat(a=f32[1] [1.5], indices=i32[1] [0], mode=fill) (mode: left out)");
  EXPECT_EQ(read("jnp.take([1.5], [0], axis=0)").substr(0, 17), "jax.numpy.take(a=");
  EXPECT_EQ(read("np.put_along_axis([1.5], [0], [2.5], None)"),
            "numpy.put_along_axis.flat(arr=f64[1] [1.5], indices=i64[1] [0], values=f64[1] [2.5])");
  EXPECT_EQ(read("np.take_along_axis([1.5], [0])").substr(0, 26), "numpy.take_along_axis(arr=");
  EXPECT_EQ(read("torch.gather(np.array([[1, 2]], dtype=np.float32), 1, np.asarray(((0,),), 'int64'))"),
            printed);
  EXPECT_EQ(read("torch.gather(torch.ones(1, 2), 1, torch.zeros((1, 1), dtype=torch.int64))"),
            "torch.gather(input=f32[1,2] [[1.0, 1.0]], dim=1, index=i64[1,1] [[0]])");
  EXPECT_EQ(read("torch.gather(np.full((2,), 7.5), 0, torch.zeros(0, dtype=torch.long))"),
            "torch.gather(input=f64[2] [7.5, 7.5], dim=0, index=i64[0] [])");
  EXPECT_EQ(read("torch.gather(torch.zeros(99, 99), 0, [[0]])"),
            "33: expected sizes of at most 4096 elements ()");
  EXPECT_EQ(read("numpy.take([1.5], [0])").substr(0, 44), "numpy.take.flat(a=f64[1] [1.5], indices=i64[");
  EXPECT_NE(
      read("torch.scatter_reduce(input=[1.], dim=0, index=[0], src=[2.], reduce='sum')").find("reduce=sum"),
      std::string::npos)
      << "the page says input, the spec says self";
  EXPECT_NE(read("torch.Tensor.index_put.tuple(torch.tensor([1, 2]), (torch.tensor([1]),), torch.tensor(5))")
                .find("indices_0=i64[1] [1]"),
            std::string::npos);
}

TEST(CallText, MistakesHaveAPlaceAndAHint) {
  EXPECT_EQ(read("torch.gahter([1], 0, [0])"),
            "1: unknown API 'torch.gahter' (did you mean 'torch.gather'?)");
  EXPECT_EQ(read("x.gather([1], 0, [0])").substr(0, 59),
            "1: unknown API 'x.gather' (APIs of that name: jax.lax.gathe");
  EXPECT_EQ(
      read("torch.gather([1.], 0, 7)"),
      "23: 'index' of torch.gather is a tensor, not a number (of no dimensions it is written i64[] 7, of "
      "one i64[1] [7])");
  EXPECT_EQ(read("torch.gather([1, 2"), "19: expected ',' ()");
  EXPECT_EQ(read("torch.gather(input=f32[20] [1.0, ...], dim=0, index=[0])").substr(0, 31),
            "34: the call is cut off here (w");
  EXPECT_EQ(
      read("torch.gather(input=f32[2,3] [1.0, 2.0, 3.0, 4.0, 5.0, 6.0], dim=0, index=[[0]])").substr(0, 66),
      "59: f32[2,3] is written before values of sizes [6] (write a list f");
  EXPECT_EQ(read("torch.gather(torch.rand([2]), 0, [0])").substr(0, 12), "24: 'torch.r");
  EXPECT_EQ(read("torch.gather([1.], 0, [0], axis=1)"),
            "28: unknown argument of torch.gather 'axis' (its arguments: input, dim, index)");
  EXPECT_EQ(read("torch.gather(inpt=[[1.]], dim=1, index=[[0]])"),
            "14: unknown argument of torch.gather 'inpt' (did you mean 'input'?)");
  EXPECT_NE(read("torch.gather([1.], 0, [0], [1], [2])").find("torch.gather has 3 arguments"),
            std::string::npos);
  EXPECT_NE(read("torch.gather(input=i64[1] [0], dim=0, index=i64[1] [0]) (index: in the memory of input)")
                .find("view_of"),
            std::string::npos);
  EXPECT_NE(read("torch.gather([1.], 0, [0]) x").find("expected the end of the call"), std::string::npos);
}

}  // namespace
}  // namespace scatterproof::runner
