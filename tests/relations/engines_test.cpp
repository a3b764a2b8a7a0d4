// SPDX-License-Identifier: Apache-2.0
// Correct engines keep every relation on every shipped case, and every relation has a case to keep it on.
#include <map>
#include <set>

#include "scatterproof/engines/registry.hpp"
#include "shipped.hpp"

namespace scatterproof::runner::relations {
namespace {

/// Relations between the members of families that have but one.
const std::set<std::string> alone = {"gather_nd/members-agree", "gather_rows/members-agree",
                                     "scatter_nd/members-agree"};

class CorrectEngine : public testing::TestWithParam<const char*> {};

TEST_P(CorrectEngine, KeepsEveryRelationOnEveryShippedCase) {
  const auto& [catalogue, families] = shipped();
  auto engine = engines::make_engine(GetParam(), catalogue.specs, source);
  ASSERT_TRUE(engine);
  std::vector<Question> questions;
  for (const spec::Case& one : catalogue.cases)
    for (const spec::Relation* relation : relations_of(*catalogue.specs.find(one.call.api), families))
      questions.push_back({relation, &one.call});
  const auto answers = check_relations({catalogue.specs, families, **engine}, questions);
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

INSTANTIATE_TEST_SUITE_P(Native, CorrectEngine,
                         testing::Values("reference", "openmp", "openmp-deterministic", "thrust-cpp"),
                         [](const auto& engine) {
                           std::string name = engine.param;
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace scatterproof::runner::relations
