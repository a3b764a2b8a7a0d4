// SPDX-License-Identifier: Apache-2.0
// What a relation answers: violations with their calls and results, documented variation, refusals and
// crashes.
#include <stdexcept>

#include "liar.hpp"

namespace scatterproof::runner::relations {
namespace {

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
            "a permuted index gives the result permuted in the same way: out[0] is 5.0, but should be 6.0");
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
  // The index distinguishes them: the calls of `split` have one lookup, the given one has two.
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
  const std::string add_at = "numpy.add.at";
  const Call wild{add_at,
                  {{"a", f32({3}, {1, 2, 3})}, {"indices", i64({2}, {0, 9})}, {"b", f32({2}, {10, 20})}}};
  Liar refusing({add_at}, [](const Call&, auto) {
    return Outcome{spec::Refused{{"IndexError"}, "out of range"}, 0};
  });
  EXPECT_TRUE(std::holds_alternative<Holds>(ask(refusing, wild, "repeated")));
  EXPECT_TRUE(std::holds_alternative<NotApplicable>(ask(refusing, wild, "layouts")));
  Liar unsteady({add_at}, [](const Call& call, std::size_t batch) {
    return batch == 1 ? produced(tensor_of(call, "a")) : Outcome{spec::Refused{{"IndexError"}, ""}, 0};
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

TEST(Answers, ACallThatOverwritesIsNotGivenATensorThatOverlapsItself) {
  Call call =
      index_copy(spec::with_layout(f32({2}, {3, 3}), spec::Layout::expanded), i64({1}, {0}), f32({1}, {7}));
  call.api = "torch.Tensor.index_copy";
  Liar liar({call.api, rows}, [](const Call& one, auto) {
    const bool overlaps = !tensor_of(one, "self").is_contiguous();
    return overlaps && one.api == rows ? one_more(one, 1) : honest(one);
  });
  const Answer answer = ask(liar, call, "members-agree");
  EXPECT_TRUE(std::holds_alternative<Holds>(answer)) << told(answer);
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
