// SPDX-License-Identifier: Apache-2.0
// Correct engines keep every relation on every shipped case, and every relation has a case to keep it on.
#include <map>
#include <set>

#include "in_turn.hpp"
#include "scatterproof/engines/registry/registry.hpp"
#include "scatterproof/runner/fuzz/generator.hpp"
#include "shipped.hpp"

namespace scatterproof::runner::relations {
namespace {

/// Relations between the members of families that have but one, with families that these engines do not
/// offer, and of families that no kernel computes.
const std::set<std::string> alone = {
    "gather_nd/members-agree",    "gather_rows/members-agree", "scatter_nd/members-agree",
    "gather_elements/as-tuples",  "gather_nd/as-tuples",       "gather_rows/as-tuples",
    "scatter_elements/as-tuples", "scatter_nd/as-tuples",      "scatter_rows/as-tuples",
    "gather_tuples/as-nd",        "scatter_tuples/as-nd"};

std::vector<Question> questions_about(const std::vector<const spec::Call*>& calls) {
  std::vector<Question> questions;
  for (const spec::Call* call : calls)
    for (const spec::Relation* relation :
         relations_of(*shipped().catalogue.specs.find(call->api), shipped().families))
      questions.push_back({relation, call});
  return questions;
}

std::unique_ptr<engines::Engine> engine_called(const std::string& name) {
  auto engine = engines::make_engine(name, shipped().catalogue.specs, source);
  EXPECT_TRUE(engine);
  return std::move(engine).value();
}

/// Some calls of a third of the APIs, others each time, or of all: valid ones and ones that break a rule.
const std::vector<spec::Call>& generated() {
  static const std::vector<spec::Call> calls = [] {
    std::vector<spec::Call> made;
    std::uint64_t turn = 0;
    for (const spec::OpSpec& op : shipped().catalogue.specs.all()) {
      if (!is_in_turn(turn++, 3)) continue;
      fuzz::Generator generator(op, 20);
      for (std::uint64_t number = 0; number < 60; ++number)
        if (auto one = generator.make(number)) made.push_back(std::move(one->call));
    }
    return made;
  }();
  return calls;
}

class CorrectEngine : public testing::TestWithParam<const char*> {};

TEST_P(CorrectEngine, KeepsEveryRelationOnEveryShippedCase) {
  const auto& [catalogue, families] = shipped();
  const auto engine = engine_called(GetParam());
  std::vector<const spec::Call*> calls;
  for (const spec::Case& one : catalogue.cases) calls.push_back(&one.call);
  const std::vector<Question> questions = questions_about(calls);
  const auto answers = check_relations({catalogue.specs, families, *engine}, questions);
  ASSERT_EQ(answers.size(), questions.size());
  std::map<std::string, int> held;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const spec::OpSpec& op = *catalogue.specs.find(questions[i].call->api);
    int& count = held[families.of(op)->name + "/" + questions[i].relation->id];
    if (std::holds_alternative<Holds>(answers[i])) ++count;
    EXPECT_FALSE(std::holds_alternative<Violated>(answers[i])) << told(answers[i]);
  }
  for (const auto& [name, count] : held)
    EXPECT_TRUE(count > 0 || alone.contains(name)) << name << " was never asked";
}

TEST_P(CorrectEngine, KeepsEveryRelationOnGeneratedCalls) {
  const auto engine = engine_called(GetParam());
  std::vector<const spec::Call*> calls;
  for (const spec::Call& call : generated()) calls.push_back(&call);
  const Setting setting{shipped().catalogue.specs, shipped().families, *engine};
  for (const Answer& answer : check_relations(setting, questions_about(calls)))
    if (const auto* violated = std::get_if<Violated>(&answer)) {
      EXPECT_NE(violated->documented, "") << told(answer);
    }
}

INSTANTIATE_TEST_SUITE_P(Native, CorrectEngine,
                         testing::Values("reference", "openmp", "openmp-deterministic", "thrust-cpp"),
                         [](const auto& engine) {
                           std::string name = engine.param;
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace scatterproof::runner::relations
