// SPDX-License-Identifier: Apache-2.0
// Correct engines keep every relation on every shipped case, and every relation has a case to keep it on.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "catalogue.hpp"
#include "relations/relations.hpp"
#include "scatterproof/engines/registry.hpp"

namespace scatterproof::runner::relations {
namespace {

struct Data {
  Catalogue catalogue;
  spec::FamilyLibrary families;
};

const Data& shipped() {
  static const Data data = [] {
    engines::Places places{SCATTERPROOF_SOURCE_DIR, ""};
    auto catalogue = load_catalogue({}, places);
    EXPECT_TRUE(catalogue) << (catalogue ? "" : spec::to_string(catalogue.errors()));
    auto families = spec::FamilyLibrary::load(places.data + "/spec/families");
    EXPECT_TRUE(families) << (families ? "" : spec::to_string(families.errors()));
    return Data{*std::move(catalogue), *std::move(families)};
  }();
  return data;
}

/// Relations between the members of families that have but one.
const std::set<std::string> alone = {"gather_nd/members-agree", "gather_rows/members-agree",
                                     "scatter_nd/members-agree"};

class CorrectEngine : public testing::TestWithParam<const char*> {};

TEST_P(CorrectEngine, KeepsEveryRelationOnEveryShippedCase) {
  const auto& [catalogue, families] = shipped();
  auto engine = engines::make_engine(GetParam(), catalogue.specs, {SCATTERPROOF_SOURCE_DIR, ""});
  ASSERT_TRUE(engine);
  const Setting setting{catalogue.specs, families, **engine};
  std::vector<Question> questions;
  for (const spec::Case& one : catalogue.cases)
    for (const spec::Relation* relation : relations_of(*catalogue.specs.find(one.call.api), families))
      questions.push_back({relation, &one.call});
  const auto answers = check_relations(setting, questions);
  ASSERT_EQ(answers.size(), questions.size());
  std::map<std::string, int> held;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const auto& relation = *questions[i].relation;
    int& count = held[families.of(*catalogue.specs.find(questions[i].call->api))->name + "/" + relation.id];
    if (std::holds_alternative<Holds>(answers[i])) ++count;
    if (const auto* violated = std::get_if<Violated>(&answers[i]))
      ADD_FAILURE() << violated->sentence << "\n"
                    << spec::to_string(violated->first) << " -> " << spec::to_string(violated->first_outcome)
                    << "\n"
                    << spec::to_string(violated->second) << " -> "
                    << spec::to_string(violated->second_outcome);
  }
  for (const auto& [name, count] : held)
    EXPECT_TRUE(count > 0 || alone.contains(name)) << name << " was never asked";
}

INSTANTIATE_TEST_SUITE_P(Native, CorrectEngine,
                         testing::Values("reference", "openmp", "openmp-deterministic"),
                         [](const auto& engine) {
                           std::string name = engine.param;
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace scatterproof::runner::relations
