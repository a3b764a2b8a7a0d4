// SPDX-License-Identifier: Apache-2.0
// Mutants of the shipped specs and of a small one.
#include "scatterproof/runner/selftest/mutants.hpp"

#include <gtest/gtest.h>

#include <set>

#include "library.hpp"
#include "scatterproof/spec/language/language.hpp"

namespace scatterproof::runner::selftest {
namespace {

const spec::OpSpec& toy() {
  static const spec::OpSpec toy =
      spec::load_op_spec(SCATTERPROOF_SOURCE_DIR "/tests/unit/runner/toy.spec.yaml").value();
  return toy;
}

std::vector<Mutant> of_toy() { return mutants_of(toy()); }

spec::OpSpec named(const std::vector<Mutant>& mutants, const std::string& name) {
  for (const Mutant& mutant : mutants)
    if (mutant.name == name) return mutated(toy(), mutant);
  throw std::runtime_error("no mutant " + name);
}

TEST(Mutants, AllLoadAndHaveNames) {
  std::set<std::string> names;
  for (const spec::OpSpec& op : shipped().specs.all()) {
    const auto mutants = mutants_of(op);
    EXPECT_GE(mutants.size(), op.rules.size() < 4 ? 10u : 25u) << op.api;
    for (const Mutant& mutant : mutants) {
      EXPECT_TRUE(names.insert(mutant.name).second) << mutant.name << " is there twice";
      EXPECT_TRUE(mutant.name.starts_with(op.api + "/")) << mutant.name;
      EXPECT_FALSE(mutant.says.empty()) << mutant.name;
      const spec::OpSpec wrong = mutated(op, mutant);
      for (const spec::Rule& rule : wrong.rules) EXPECT_TRUE(rule.require) << mutant.name;
      const spec::Meaning& meaning = wrong.meaning;
      EXPECT_TRUE(meaning.result_shape && meaning.at && meaning.value && meaning.combine) << mutant.name;
    }
  }
}

TEST(Mutants, OfTheToyAreThese) {
  std::set<std::string> names;
  for (const Mutant& mutant : of_toy()) names.insert(mutant.name.substr(std::string("toy.put/").size()));
  for (const char* name : {"rule/range/removed",
                           "rule/range/inverted",
                           "rule/range/weakened-1",
                           "rule/range/weakened-2",
                           "rule/range/tightened-1",
                           "rule/range/tightened-2",
                           "rule/range/changed-1",
                           "rule/T/removed",
                           "rule/T/inverted",
                           "rule/I/removed",
                           "rule/I/weakened-1",
                           "for/p/changed-1",
                           "at/changed-1",
                           "value/changed-1",
                           "start/0",
                           "start/1",
                           "start/absent",
                           "start/src",
                           "combine/changed-1",
                           "combine/changed-5",
                           "latitude/collisions-last"})
    EXPECT_TRUE(names.contains(name)) << name;
}

/// `T` is open when it is broken: a tightened one would promise less, which no engine can contradict.
TEST(Mutants, PromiseNoLessWithoutAnError) {
  for (const Mutant& mutant : of_toy())
    EXPECT_EQ(mutant.name.find("rule/T/tightened"), std::string::npos) << mutant.name;
}

TEST(Mutants, DifferInOnePlace) {
  const auto mutants = of_toy();
  EXPECT_EQ(named(mutants, "toy.put/rule/range/removed").rule("range"), nullptr);
  EXPECT_EQ(named(mutants, "toy.put/rule/I/removed").argument("index")->type, "");
  const spec::OpSpec start = named(mutants, "toy.put/start/1");
  EXPECT_EQ(start.meaning.start->text(), "1");
  EXPECT_EQ(start.rules.size(), 3u);
  EXPECT_EQ(named(mutants, "toy.put/latitude/collisions-last").latitude.collisions, spec::Collisions::last);
}

}  // namespace
}  // namespace scatterproof::runner::selftest
