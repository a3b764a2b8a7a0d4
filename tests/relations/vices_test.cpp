// SPDX-License-Identifier: Apache-2.0
// Every relation can fail: for each an engine with one vice, and a call on which that vice breaks this
// relation and no other.
#include <algorithm>
#include <functional>
#include <set>

#include "scatterproof/spec/judge/bag.hpp"
#include "scatterproof/spec/oracle/oracle.hpp"
#include "shipped.hpp"

namespace scatterproof::runner::relations {
namespace {

using engines::Job;
using spec::Argument;
using spec::Bag;
using spec::Call;
using spec::Combiner;
using spec::Outcome;
using spec::Produced;
using spec::Scalar;
using spec::Tensor;

/// What a value becomes when another one lands on it.
using Fold = std::function<double(double, double)>;

double honest_fold(Combiner combine, double a, double b) {
  if (combine == Combiner::sum) return a + b;
  return combine == Combiner::prod ? a * b : b;
}

Bag bag_of(const Call& call) { return *spec::execute(*shipped().catalogue.specs.find(call.api), call); }

/// The document's meaning, executed contribution by contribution.
Tensor result_of(const Bag& bag, const Fold& fold = nullptr) {
  Tensor result(bag.dtype, bag.shape);
  for (std::size_t c = 0; c + 1 < bag.offsets.size(); ++c) {
    double value = bag.start ? (*bag.start)[c].real() : 0;
    for (auto i = bag.offsets[c]; i < bag.offsets[c + 1]; ++i) {
      const double landing = bag.list[static_cast<std::size_t>(i)].value.real();
      value = fold ? fold(value, landing) : honest_fold(bag.combine, value, landing);
    }
    result.set_at_position(static_cast<std::int64_t>(c), Scalar::of_real(value));
  }
  return result;
}

Outcome produced(Tensor tensor, std::vector<std::string> written = {}) {
  return {Produced{{std::move(tensor)}, std::move(written)}, 0};
}
Outcome honest(const Call& call) { return produced(result_of(bag_of(call))); }

/// An engine with a vice: how it executes a call that came in a batch of so many.
using Vice = std::function<Outcome(const Call&, std::size_t batch)>;

class Liar final : public engines::Engine {
 public:
  Liar(std::vector<std::string> apis, Vice vice, std::string varies = {}) : vice_(std::move(vice)) {
    info_ = {"liar", "", "1", "cpu", std::move(apis), {}, std::move(varies)};
  }
  const engines::EngineInfo& info() const override { return info_; }
  engines::Support supports(const Call&) const override { return {}; }
  std::vector<std::size_t> batches;

 private:
  std::vector<Outcome> do_run(std::span<const Job> jobs) override {
    batches.push_back(jobs.size());
    std::vector<Outcome> outcomes;
    for (const Job& job : jobs) outcomes.push_back(vice_(*job.call, jobs.size()));
    return outcomes;
  }

  engines::EngineInfo info_;
  Vice vice_;
};

Call scatter_add(Tensor self, Tensor index, Tensor src) {
  return {"torch.Tensor.scatter_add_", {{"self", self}, {"dim", number(0)}, {"index", index}, {"src", src}}};
}
Call scatter(Tensor self, Tensor index, Tensor src) {
  return {
      "torch.Tensor.scatter_",
      {{"self", self}, {"dim", number(0)}, {"index", index}, {"src", src}, {"reduce", std::string("none")}}};
}
Call gather(Tensor input, Tensor index) {
  return {"torch.gather", {{"input", input}, {"dim", number(0)}, {"index", index}}};
}
Call index_copy(Tensor self, Tensor index, Tensor source) {
  return {"torch.Tensor.index_copy_",
          {{"self", self}, {"dim", number(0)}, {"index", index}, {"source", source}}};
}
Call scatter_nd(Tensor data, Tensor indices, Tensor updates) {
  return {"onnx.ScatterND",
          {{"data", data},
           {"indices", indices},
           {"updates", updates},
           {"reduction", std::string("none")},
           {"opset", number(18)}}};
}
Call gather_rows(Tensor data, Tensor indices) {
  return {"onnx.Gather", {{"data", data}, {"indices", indices}, {"axis", number(0)}, {"opset", number(13)}}};
}
Call gather_nd(Tensor data, Tensor indices) {
  return {"onnx.GatherND",
          {{"data", data}, {"indices", indices}, {"batch_dims", number(0)}, {"opset", number(13)}}};
}

const Tensor& tensor_of(const Call& call, const char* name) { return std::get<Tensor>(*call.find(name)); }
std::int64_t dim_of(const Call& call) { return std::get<Scalar>(*call.find("dim")).integer(); }

/// One more in a cell of what is right.
Outcome one_more(const Call& call, std::int64_t cell = 0) {
  Tensor tensor = result_of(bag_of(call));
  tensor.set_at_position(cell, Scalar::of_real(tensor.at_position(cell).real() + 1));
  return produced(tensor);
}

/// Of a tensor that is not row-major, the elements as if it were.
Outcome without_strides(Call call) {
  for (auto& [name, argument] : call.arguments)
    if (auto* one = std::get_if<Tensor>(&argument); one && name == "src")
      *one = *Tensor::view(one->dtype(), one->shape(), spec::contiguous_strides(one->shape()), 0,
                           one->shared_storage());
  return honest(call);
}

/// A gather that gives what it read in the order of the index's values.
Outcome sorted_lookups(Call call) {
  for (auto& [name, argument] : call.arguments)
    if (auto* index = std::get_if<Tensor>(&argument); index && index->dtype() == spec::DType::i64) {
      auto values = index->values();
      std::ranges::sort(values, {}, &Scalar::integer);
      *index = Tensor(index->dtype(), index->shape(), values);
    }
  return honest(call);
}

/// What is right, with a zero in the last cell.
Outcome zero_at_the_end(const Call& call) {
  Tensor tensor = result_of(bag_of(call));
  tensor.set_at_position(tensor.numel() - 1, number(0));
  return produced(tensor);
}

struct Trial {
  std::string relation;           ///< of the call's family: the only one that the vice breaks on this call
  std::vector<std::string> apis;  ///< what the engine offers
  Call call;
  Vice vice;
};

const std::string add = "torch.Tensor.scatter_add_", put = "torch.Tensor.scatter_", get = "torch.gather",
                  rows = "torch.Tensor.index_copy_", nd = "onnx.ScatterND", row_get = "onnx.Gather",
                  nd_get = "onnx.GatherND";

const std::vector<Trial>& trials() {
  const auto two_added = scatter_add(f32({3}, {1, 2, 3}), i64({2}, {0, 2}), f32({2}, {10, 20}));
  const auto added_thrice = scatter_add(f32({1}, {1}), i64({3}, {0, 0, 0}), f32({3}, {10, 20, 40}));
  const auto two_put = scatter(f32({3}, {5, 6, 0}), i64({2}, {0, 1}), f32({2}, {7, 8}));
  const auto two_got = gather(f32({3}, {5, 6, 0}), i64({2}, {0, 1}));
  const auto row_put = index_copy(f32({2, 1}, {5, 6}), i64({1}, {0}), f32({1, 1}, {7}));
  const auto nd_put = scatter_nd(f32({2, 1}, {5, 6}), i64({1, 1}, {0}), f32({1, 1}, {7}));
  const auto row_got = gather_rows(f32({2, 1}, {5, 6}), i64({2}, {0, 1}));
  const auto nd_got = gather_nd(f32({2, 1}, {5, 6}), i64({2, 1}, {0, 1}));
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
       {add},
       two_added,
       [](const Call& call, auto) {
         return dim_of(call) < 0 ? Outcome{spec::Refused{{"IndexError"}, "no such dimension"}, 0}
                                 : honest(call);
       }},
      {"axis-from-end",
       {add},
       two_added,
       [](const Call& call, auto) { return dim_of(call) < 0 ? one_more(call) : honest(call); }},
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

TEST(Vices, EveryRelationOfEveryFamilyHasOne) {
  std::set<std::string> tried;
  for (const Trial& trial : trials()) tried.insert(trial.relation);
  for (const spec::Family& family : shipped().families.all())
    for (const spec::Relation& relation : family.relations)
      EXPECT_TRUE(tried.contains(relation.id)) << family.name << "/" << relation.id;
}

const spec::Relation& relation_of(const Call& call, const std::string& id) {
  const auto& [catalogue, families] = shipped();
  for (const spec::Relation* relation : relations_of(*catalogue.specs.find(call.api), families))
    if (relation->id == id) return *relation;
  throw std::logic_error(id);
}

Answer ask(engines::Engine& engine, const Call& call, const std::string& id) {
  return check_relation({shipped().catalogue.specs, shipped().families, engine}, relation_of(call, id), call);
}

TEST(Answers, AViolationNamesCallsResultsAndTheFirstCellThatDiffers) {
  const Call call = gather(f32({3}, {5, 6, 0}), i64({2}, {0, 1}));
  Liar liar({get}, [](const Call& one, auto) { return sorted_lookups(one); });
  const Answer answer = ask(liar, call, "lookups-permuted");
  const auto* violated = std::get_if<Violated>(&answer);
  ASSERT_TRUE(violated);
  EXPECT_EQ(violated->sentence,
            "a permuted index gives the result permuted in the same way: out[0] is 5.0, and should be 6.0");
  EXPECT_EQ(violated->at, (spec::Coords{0}));
  EXPECT_EQ(spec::to_string(violated->first), spec::to_string(call));
  EXPECT_EQ(spec::to_string(violated->second),
            "torch.gather(input=f32[3] [5.0, 6.0, 0.0], dim=0, index=i64[2] [1, 0])");
  EXPECT_EQ(spec::to_string(violated->second_outcome), "produced f32[2] [5.0, 6.0]");
  EXPECT_EQ(violated->documented, "");
}

/// Adds in another order whenever it is asked, so that sums which round come out differently.
Vice fickle() {
  return [turn = 0](const Call& call, auto) mutable {
    Bag bag = bag_of(call);
    if (++turn % 2 == 0) std::ranges::reverse(bag.list);
    return produced(result_of(bag, [](double a, double b) { return static_cast<float>(a + b); }));
  };
}

TEST(Answers, WhatTheEnginesMakersSayVariesIsReportedAsThat) {
  const Call rounding = scatter_add(f32({1}, {0}), i64({3}, {0, 0, 0}), f32({3}, {1e8, -1e8, 1}));
  Liar liar({add}, fickle());
  const Answer plain = ask(liar, rounding, "repeated");
  ASSERT_TRUE(std::holds_alternative<Violated>(plain)) << told(plain);
  EXPECT_EQ(std::get<Violated>(plain).documented, "");
  Liar frank({add}, fickle(), "the order of addition");
  const Answer documented = ask(frank, rounding, "repeated");
  ASSERT_TRUE(std::holds_alternative<Violated>(documented)) << told(documented);
  EXPECT_EQ(std::get<Violated>(documented).documented, "the order of addition");
}

TEST(Answers, WhatVariesExcusesNoCellThatEveryOrderGivesOneValue) {
  const Call exact = scatter_add(f32({1}, {0}), i64({2}, {0, 0}), f32({2}, {1, 2}));
  Liar frank(
      {add}, [](const Call& call, std::size_t batch) { return batch == 1 ? one_more(call) : honest(call); },
      "the order of addition");
  const Answer answer = ask(frank, exact, "repeated");
  ASSERT_TRUE(std::holds_alternative<Violated>(answer)) << told(answer);
  EXPECT_EQ(std::get<Violated>(answer).documented, "");
}

TEST(Answers, CellsThatAnotherOrderMayChangeAreNotComparedWhenOrdersDiffer) {
  const Call rounding = scatter_add(f32({1}, {0}), i64({3}, {0, 0, 0}), f32({3}, {1e8, -1e8, 1}));
  const Vice in_float = [](const Call& call, auto) {
    return produced(result_of(bag_of(call), [](double a, double b) { return static_cast<float>(a + b); }));
  };
  Liar liar({add}, in_float);
  EXPECT_TRUE(std::holds_alternative<Holds>(ask(liar, rounding, "pairs-permuted")));
  const Call colliding = scatter(f32({2}, {0, 0}), i64({2}, {1, 1}), f32({2}, {3, 4}));
  Liar last({put}, [](const Call& call, auto) { return honest(call); });
  EXPECT_TRUE(std::holds_alternative<Holds>(ask(last, colliding, "pairs-permuted")));
}

TEST(Answers, TheSignOfAZeroIsNoDifferenceOfWhatIsCombined) {
  const auto c64 = [](double re, double im) {
    const Scalar value = Scalar::of_complex(re, im);
    return Tensor(spec::DType::c64, {1}, std::span(&value, 1));
  };
  // Told apart by the index: the calls of `split` have one lookup, the given one has two.
  const Vice signs = [=](const Call& call, auto) {
    return produced(c64(1, tensor_of(call, "index").numel() == 2 ? 0.0 : -0.0));
  };
  const std::vector<Scalar> ones(2, Scalar::of_int(1));
  const Tensor source(spec::DType::c64, {2}, ones);
  Liar liar({add}, signs);
  EXPECT_TRUE(
      std::holds_alternative<Holds>(ask(liar, scatter_add(c64(-1, 0), i64({2}, {0, 0}), source), "split")));
  Liar wrong({add}, [=](const Call& call, auto) {
    return produced(c64(1, tensor_of(call, "index").numel() == 2 ? 0.0 : 1.0));
  });
  EXPECT_TRUE(std::holds_alternative<Violated>(
      ask(wrong, scatter_add(c64(-1, 0), i64({2}, {0, 0}), source), "split")));
}

TEST(Answers, ARefusalCountsOnlyWhereTheRelationSaysSo) {
  const Call call = scatter_add(f32({3}, {1, 2, 3}), i64({2}, {0, 2}), f32({2}, {10, 20}));
  const Vice picky = [](const Call& one, auto) {
    const bool given =
        tensor_of(one, "index").numel() == 2 && tensor_of(one, "index").at_position(0).integer() == 0;
    return given ? honest(one) : Outcome{spec::Refused{{"RuntimeError"}, "not today"}, 0};
  };
  Liar liar({add}, picky);
  const Answer answer = ask(liar, call, "pairs-permuted");
  ASSERT_TRUE(std::holds_alternative<NotApplicable>(answer)) << told(answer);
  EXPECT_EQ(std::get<NotApplicable>(answer).reason, "refused: RuntimeError: not today");
}

TEST(Answers, ACallThatMustBeRefusedIsOnlyRepeated) {
  const Call wild = scatter_add(f32({3}, {1, 2, 3}), i64({2}, {0, 9}), f32({2}, {10, 20}));
  Liar refusing({add}, [](const Call&, auto) {
    return Outcome{spec::Refused{{"RuntimeError"}, "out of range"}, 0};
  });
  EXPECT_TRUE(std::holds_alternative<Holds>(ask(refusing, wild, "repeated")));
  EXPECT_TRUE(std::holds_alternative<NotApplicable>(ask(refusing, wild, "layouts")));
  Liar unsteady({add}, [](const Call& call, std::size_t batch) {
    return batch == 1 ? produced(tensor_of(call, "self")) : Outcome{spec::Refused{{"RuntimeError"}, ""}, 0};
  });
  EXPECT_TRUE(std::holds_alternative<Violated>(ask(unsteady, wild, "repeated")));
}

TEST(Answers, CrashesOfOneCallAreAViolationWhereRefusalsAre) {
  const Call call = scatter_add(f32({3}, {1, 2, 3}), i64({2}, {0, 2}), f32({2}, {10, 20}));
  Liar liar({add}, [](const Call& one, auto) {
    return tensor_of(one, "src").is_contiguous() ? honest(one) : Outcome{spec::Crashed{11, 0, ""}, 0};
  });
  EXPECT_TRUE(std::holds_alternative<Violated>(ask(liar, call, "layouts")));
}

TEST(Answers, AResultOfAnotherFormIsNoResultToRelate) {
  const Call call = gather(f32({3}, {5, 6, 0}), i64({2}, {0, 1}));
  Liar liar({get}, [](const Call&, auto) { return produced(f32({1}, {4})); });
  EXPECT_TRUE(std::holds_alternative<NotApplicable>(ask(liar, call, "lookups-permuted")));
  EXPECT_TRUE(std::holds_alternative<Holds>(ask(liar, call, "layouts")));
}

TEST(Batches, TheCallsOfAllQuestionsAreExecutedTogether) {
  const Call call = scatter_add(f32({3}, {1, 2, 3}), i64({2}, {0, 2}), f32({2}, {10, 20}));
  Liar liar({add}, [](const Call& one, auto) { return honest(one); });
  const spec::Relation& permuted = relation_of(call, "pairs-permuted");
  const std::vector<Question> questions(30, Question{&permuted, &call});
  const auto answers = check_relations({shipped().catalogue.specs, shipped().families, liar}, questions);
  EXPECT_EQ(answers.size(), 30u);
  EXPECT_EQ(liar.batches, (std::vector<std::size_t>{64, 26}));  // three calls a question, 64 a batch
}

}  // namespace
}  // namespace scatterproof::runner::relations
