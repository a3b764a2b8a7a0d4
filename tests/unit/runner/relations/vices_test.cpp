// SPDX-License-Identifier: Apache-2.0
// Every relation can fail: for each an engine with one vice, and a call on which that vice breaks this
// relation and no other.
#include <set>

#include "liar.hpp"

namespace scatterproof::runner::relations {
namespace {

using spec::Argument;

struct Trial {
  std::string relation;           ///< of the call's family: the only one that the vice breaks on this call
  std::vector<std::string> apis;  ///< what the engine offers
  Call call;
  Vice vice;
};

const std::vector<Trial>& trials() {
  const auto two_added = scatter_add(f32({3}, {1, 2, 3}), i64({2}, {0, 2}), f32({2}, {10, 20}));
  const Call onnx_add{"onnx.ScatterElements",  // whose page says that a negative axis counts from the end
                      {{"data", f32({3}, {1, 2, 3})},
                       {"indices", i64({2}, {0, 2})},
                       {"updates", f32({2}, {10, 20})},
                       {"axis", Scalar::of_int(0)},
                       {"reduction", std::string("add")},
                       {"opset", Scalar::of_int(18)}}};
  const auto added_thrice = scatter_add(f32({1}, {1}), i64({3}, {0, 0, 0}), f32({3}, {10, 20, 40}));
  const auto two_put = scatter(f32({3}, {5, 6, 0}), i64({2}, {0, 1}), f32({2}, {7, 8}));
  const auto two_got = gather(f32({3}, {5, 6, 0}), i64({2}, {0, 1}));
  const auto row_put = index_copy(f32({2, 1}, {5, 6}), i64({1}, {0}), f32({1, 1}, {7}));
  const auto nd_put = scatter_nd(f32({2, 1}, {5, 6}), i64({1, 1}, {0}), f32({1, 1}, {7}));
  const auto row_got = gather_rows(f32({2, 1}, {5, 6}), i64({2}, {0, 1}));
  const auto nd_got = gather_nd(f32({2, 1}, {5, 6}), i64({2, 1}, {0, 1}));
  const auto column_got = gather(f32({2, 2}, {5, 6, 7, 8}), i64({1, 2}, {1, 0}));
  static const std::vector<Trial> all = {
      {"repeated",
       {add},
       two_added,
       [](const Call& call, std::size_t batch) {
         return batch == 1 && tensor_of(call, "index").numel() == 2 ? one_more(call) : honest(call);
       }},
      {"inputs-kept",
       {add},
       two_added,
       [](const Call& call, auto) {
         return produced(result_of(bag_of(call)), {"self", "index"});
       }},
      {"layouts", {add}, two_added, [](const Call& call, auto) { return without_strides(call); }},
      {"axis-from-end",
       {onnx_add.api},
       onnx_add,
       [](const Call& call, auto) {
         return axis_of(call) < 0 ? Outcome{spec::Refused{{"IndexError"}, "no such dimension"}, 0}
                                  : honest(call);
       }},
      {"axis-from-end",
       {onnx_add.api},
       onnx_add,
       [](const Call& call, auto) { return axis_of(call) < 0 ? one_more(call) : honest(call); }},
      {"members-agree",
       {add, "onnx.ScatterElements"},
       two_added,
       [](const Call& call, auto) { return call.api == add ? honest(call) : one_more(call, 1); }},
      {"pairs-permuted",
       {add},
       added_thrice,
       [](const Call& call, auto) {
         return produced(result_of(bag_of(call), [](double a, double b) { return 2 * a + b; }));
       }},
      {"split",
       {add},
       two_added,
       [](const Call& call, auto) {
         return tensor_of(call, "index").numel() < 2 ? produced(tensor_of(call, "self")) : honest(call);
       }},
      {"row-added", {put}, two_put, [](const Call& call, auto) { return zero_at_the_end(call); }},
      {"scalar-updates",
       {put, put + ".value"},
       two_put,
       [](const Call& call, auto) { return call.api == put ? honest(call) : one_more(call); }},
      {"gathered-back",
       {put, get},
       two_put,
       [](const Call& call, auto) { return call.api == put ? honest(call) : one_more(call); }},
      {"as-scatter-nd",
       {rows, nd},
       row_put,
       [](const Call& call, auto) { return call.api == rows ? honest(call) : one_more(call); }},
      {"as-rows",
       {rows, nd},
       nd_put,
       [](const Call& call, auto) { return call.api == nd ? honest(call) : one_more(call); }},
      {"lookups-permuted", {get}, two_got, [](const Call& call, auto) { return sorted_lookups(call); }},
      {"split",
       {get},
       two_got,
       [](const Call& call, auto) {
         return tensor_of(call, "index").numel() < 2 ? one_more(call) : honest(call);
       }},
      {"row-added",
       {get},
       two_got,
       [](const Call& call, auto) {
         return tensor_of(call, "input").numel() == 4 ? one_more(call) : honest(call);
       }},
      {"as-gather-nd",
       {row_get, nd_get},
       row_got,
       [](const Call& call, auto) { return call.api == row_get ? honest(call) : one_more(call); }},
      {"as-tuples",
       {row_get, tuple_get},
       row_got,
       [](const Call& call, auto) { return call.api == row_get ? honest(call) : one_more(call); }},
      {"as-tuples",
       {get, tuple_get},
       column_got,
       [](const Call& call, auto) { return call.api == get ? honest(call) : one_more(call); }},
      {"as-rows",
       {row_get, nd_get},
       nd_got,
       [](const Call& call, auto) { return call.api == nd_get ? honest(call) : one_more(call); }},
  };
  return all;
}

/// The relations that an engine breaks on a call.
std::set<std::string> broken(engines::Engine& engine, const Call& call) {
  const auto& [catalogue, families] = shipped();
  std::set<std::string> ids;
  for (const spec::Relation* relation : relations_of(*catalogue.specs.find(call.api), families)) {
    const Answer answer = check_relation({catalogue.specs, families, engine}, *relation, call);
    if (std::holds_alternative<Violated>(answer)) ids.insert(relation->id);
  }
  return ids;
}

TEST(Vices, EachBreaksItsRelationAndNoOther) {
  for (const Trial& trial : trials()) {
    Liar liar(trial.apis, trial.vice);
    EXPECT_EQ(broken(liar, trial.call), std::set<std::string>{trial.relation}) << spec::to_string(trial.call);
    Liar truthful(trial.apis, [](const Call& call, auto) { return honest(call); });
    EXPECT_EQ(broken(truthful, trial.call), std::set<std::string>{}) << trial.relation;
  }
}

TEST(Vices, EveryRelationThatIsCheckedHasOne) {
  std::set<std::string> tried;
  for (const Trial& trial : trials()) tried.insert(trial.relation);
  for (const spec::OpSpec& spec : shipped().catalogue.specs.all())
    for (const spec::Relation* relation : relations_of(spec, shipped().families))
      EXPECT_TRUE(tried.contains(relation->id)) << spec.api << ": " << relation->id;
}

}  // namespace
}  // namespace scatterproof::runner::relations
