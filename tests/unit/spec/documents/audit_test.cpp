// SPDX-License-Identifier: Apache-2.0
// Checks texts against specs and cases: each finding, seen once, at its place.
#include "scatterproof/spec/documents/audit.hpp"

#include <gmock/gmock.h>

#include "scatterproof/spec/documents/changes.hpp"

namespace scatterproof::spec::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::string page = R"(Copies rows of src. It works along axis 0.

    Its gradient is zero.

The rows are::

    out[i][j] = src[index[i]][j]

Example::

    >>> copy([[1, 2], [3, 4]], [1])
    [[3, 4]]
)";

/// The anchor of the clause that begins so, as files write it.
std::string at(const std::string& beginning, const std::string& text = page) {
  for (const Clause& one : clauses(text))
    if (one.text.starts_with(beginning)) return "\"" + to_string(anchor(one)) + "\"";
  throw std::runtime_error("no clause begins with " + beginning);
}

std::string source(const std::string& anchors) { return "{document: doc, clause: [" + anchors + "]}"; }

/// A spec that rests on every clause but the example.
std::string spec_text() {
  return R"yaml(api: toy.copy
summary: copies rows
documents:
  - {id: doc, title: Toy, framework: numpy, text: toy.copy, release: "1.0"}
omits:
  - {says: gradients, because: not behaviour, from: )yaml" +
         source(at("Its gradient")) + R"yaml(}
arguments:
  src: {tensor: any}
  index: {tensor: I}
types:
  I: {dtypes: [i64], says: long, from: )yaml" +
         source(at("It works")) + R"yaml(, broken: open}
rules:
  - {id: rank, says: rows, from: {document: doc, section: Rows}, require: rank(src) == 2, broken: open}
  - {id: vector, says: one line, from: {document: doc, section: Rows}, require: rank(index) == 1, broken: open}
meaning:
  from: )yaml" +
         source(at("Copies rows") + ", " + at("The rows are")) + R"yaml(
  result: {shape: "shape(index) ++ (size(src, 1),)", dtype: src}
  for: {p: "shape(index) ++ (size(src, 1),)"}
  write: "out[p] <- src[(index[p[0:1]], p[1])]"
  combine: assign
formulas:
  - {id: rows, from: )yaml" +
         source(at("out[i]")) + R"yaml(, reads: "out[i, j] = src[index[i], j]"}
)yaml";
}

std::string cases_text(const std::string& values = "[[3, 4]]") {
  return "api: toy.copy\ncases:\n  - id: doc/example\n    why: it is printed\n    from: " +
         source(at(">>> copy")) +
         "\n    call: {src: {dtype: i64, values: [[1, 2], [3, 4]]}, index: {dtype: i64, values: [1]}}\n"
         "    expect: {values: " +
         values + "}\n";
}

/// What lives as long as its parts are looked at.
struct Toy {
  SpecLibrary specs;
  std::vector<Case> cases;

  explicit Toy(const std::string& spec = spec_text(), const std::string& from = cases_text())
      : specs({load_op_spec_text("toy.yaml", spec).value()}),
        cases(load_cases_text("cases.yaml", from, specs).value()) {}

  TextAudit on(const std::string& text = page) const {
    return audit("toy", text, parts_on("toy.copy", specs, cases));
  }
};

std::string with(std::string text, const std::string& old, const std::string& now) {
  const std::size_t place = text.find(old);
  if (place == text.npos) throw std::runtime_error("no '" + old + "'");
  return text.replace(place, old.size(), now);
}

/// The formula as the page prints it.
std::string as_printed() {
  return with(spec_text(), "out[i, j] = src[index[i], j]", "out[i][j] = src[index[i]][j]");
}

TEST(Audit, EveryClauseIsSpokenFor) {
  const TextAudit found = Toy(as_printed()).on();
  EXPECT_TRUE(found.in_order());
  EXPECT_EQ(found.covered(), 5u);
  EXPECT_EQ(found.omitted(), 1u);
  EXPECT_EQ(found.moved, 0u);
  EXPECT_THAT(found.clauses.at(0).covered_by, ElementsAre("toy.copy: meaning"));
  EXPECT_THAT(found.clauses.at(1).covered_by, ElementsAre("toy.copy: rule I"));
  EXPECT_THAT(found.clauses.at(2).omitted_by, ElementsAre("toy.copy: not behaviour: gradients"));
  EXPECT_THAT(found.clauses.at(5).covered_by, ElementsAre("toy.copy/doc/example"));
}

TEST(Audit, ASentenceThatIsDeletedIsGone) {
  const TextAudit found = Toy(as_printed()).on(with(page, " It works along axis 0.", ""));
  ASSERT_EQ(found.gone.size(), 1u);
  EXPECT_EQ(found.gone[0].file, "toy.yaml");
  EXPECT_EQ(found.gone[0].at.line, 11);
  EXPECT_THAT(found.gone[0].what,
              HasSubstr("toy.copy: rule I rests on a clause that is gone from toy: '2 It works along#"));
  EXPECT_EQ(found.moved, 4u) << "everything behind it";
}

TEST(Audit, ASentenceThatIsAddedIsUncovered) {
  const TextAudit found = Toy(as_printed()).on(with(page, "It works", "It is slow. It works"));
  EXPECT_EQ(found.uncovered(), 1u);
  EXPECT_TRUE(found.clauses.at(1).uncovered());
}

TEST(Audit, AnAnchorThatIsDeletedLeavesItsClauseUncovered) {
  const TextAudit found = Toy(with(as_printed(), ", " + at("The rows are"), "")).on();
  EXPECT_EQ(found.uncovered(), 1u);
  EXPECT_EQ(found.clauses.at(3).clause.text, "The rows are:");
}

TEST(Audit, ASentenceThatIsSaidTwiceMustBeThereTwice) {
  const std::string twice = with(page, "Copies", "It works along axis 0. Copies");
  const Toy toy(with(as_printed(), "\"2 It works", "\"1,3 It works"));
  EXPECT_THAT(toy.on(twice).gone, ElementsAre());
  EXPECT_EQ(toy.on().gone.size(), 1u);
}

TEST(Audit, TheWordsMustBeThoseOfTheClause) {
  const TextAudit found = Toy(with(as_printed(), "2 It works along", "2 It rests along")).on();
  ASSERT_EQ(found.gone.size(), 1u);
  EXPECT_THAT(found.gone[0].hint, HasSubstr("it begins 'It works along'"));
}

TEST(Audit, PrintedNumbersMustStandInACase) {
  const TextAudit found = Toy(as_printed()).on(with(page, "[[3, 4]]\n", "[[3, 5]]\n"));
  EXPECT_EQ(found.uncovered(), 1u) << "another example is another clause";
  const std::string other = with(page, "[[3, 4]]\n", "[[3, 5]]\n");
  const Toy toy(as_printed(), with(cases_text(), at(">>> copy"), at(">>> copy", other)));
  EXPECT_EQ(toy.on(other).clauses.at(5).unprinted, "[[3, 5]]");
  const std::string comments = with(page, "[[3, 4]]\n", "# [[3,\n    # 4]]\n");
  const Toy commented(as_printed(), with(cases_text(), at(">>> copy"), at(">>> copy", comments)));
  EXPECT_EQ(commented.on(comments).clauses.at(5).unprinted, "");
  const std::string prompts = with(page, "[[3, 4]]\n", ">>> # [[3,\n    >>> # 4]]\n");
  const Toy prompted(as_printed(), with(cases_text(), at(">>> copy"), at(">>> copy", prompts)));
  EXPECT_EQ(prompted.on(prompts).clauses.at(5).unprinted, "");
}

TEST(Audit, NumbersInAFormulaNeedNoCase) {
  const std::string other = with(page, "    [[3, 4]]\n", "    [[3, 4]]\n    out[0] = np.zeros([7])\n");
  const std::string example = source(at(">>> copy", other));
  const std::string cases = with(cases_text(), at(">>> copy"), at(">>> copy", other));
  EXPECT_EQ(Toy(as_printed(), cases).on(other).clauses.at(5).unprinted, "[7]");
  const std::string spec =
      with(as_printed(), "formulas:\n",
           "formulas:\n  - {id: zeros, from: " + example + ", reads: \"out[0] = np.zeros([7])\"}\n");
  EXPECT_EQ(Toy(spec, cases).on(other).clauses.at(5).unprinted, "");
}

TEST(Audit, PrintedFormulasMustStandInAFormula) {
  EXPECT_EQ(Toy().on().clauses.at(4).unprinted, "out[i][j]=src[index[i]][j]");
}

TEST(Audit, WhatIsOmittedNeedNotBePrinted) {
  const TextAudit found =
      Toy(with(spec_text(), at("Its gradient"), at("Its gradient") + ", " + at("out[i]"))).on();
  EXPECT_TRUE(found.in_order());
}

TEST(Audit, ACaseThatExpectsNothingDoesNotStateWhatIsPrinted) {
  const std::string open = with(as_printed(), "require: rank(index) == 1", "require: rank(index) == 2");
  const std::string cases = with(cases_text(), "expect: {values: [[3, 4]]}", "expect: open");
  EXPECT_EQ(Toy(open, cases).on().clauses.at(5).unprinted, "[[1, 2], [3, 4]]");
}

TEST(Audit, WhatDefinesIsNotOmittedAsNoBehaviour) {
  for (const std::string says :
       {"Equivalent to src[index].", "An alias for take.", "Supported Platforms: Ascend"}) {
    const std::string other = with(page, "Its gradient is zero.", says);
    const auto omitted = [&](const std::string& because) {
      return Toy(with(with(as_printed(), at("Its gradient"), at(says, other)), "because: not behaviour",
                      "because: " + because))
          .on(other);
    };
    EXPECT_EQ(omitted("not behaviour").slighted(), 1u) << says;
    EXPECT_FALSE(omitted("not behaviour").in_order());
    EXPECT_TRUE(omitted("not yet").in_order());
  }
  const std::string listed =
      with(page, "    Its gradient is zero.\n", "Supported Platforms:\n    Its gradient is zero.\n");
  EXPECT_EQ(Toy(as_printed()).on(listed).slighted(), 1u) << "what stands under such a heading";
}

TEST(Audit, APartMayRestOnSeveralTexts) {
  const std::string two =
      with(as_printed(), "omits:", "  - {id: post, title: A post, framework: blog, seed: \"002\"}\nomits:");
  const Toy toy(
      with(two, "from: " + source(at("It works")),
           "from: [{document: post, clause: [" + at("It works") + "]}, " + source(at("It works")) + "]"));
  EXPECT_TRUE(toy.on().in_order());
  EXPECT_EQ(parts_on("002", toy.specs, toy.cases).size(), 1u);
}

TEST(Audit, APartMayNameOneTextSeveralTimes) {
  const std::string sections =
      "from: [" + source(at("Copies rows")) + ", " + source(at("The rows are")) + "]";
  const Toy toy(
      with(as_printed(), "from: " + source(at("Copies rows") + ", " + at("The rows are")), sections));
  EXPECT_TRUE(toy.on().in_order());
  EXPECT_THAT(toy.on().clauses.at(3).covered_by, ElementsAre("toy.copy: meaning"));
  EXPECT_EQ(toy.on(with(page, "The rows are", "The lines are")).gone.size(), 1u);
}

TEST(Changes, NameTheClausesAndWhatRestsOnThem) {
  const Toy toy(as_printed());
  const auto parts = parts_on("toy.copy", toy.specs, toy.cases);
  const auto found =
      changes(page, with(page, "along axis 0.", "along axis 1. It works along axis 1."), parts);
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].clause.text, "It works along axis 0.");
  EXPECT_FALSE(found[0].added);
  EXPECT_THAT(found[0].touches, ElementsAre("toy.copy: rule I"));
  EXPECT_EQ(found[1].clause.text, "It works along axis 1.");
  EXPECT_TRUE(found[1].added);
  EXPECT_THAT(found[1].touches, ElementsAre());
  EXPECT_EQ(found[2].clause.number, 3) << "it is said twice";
  EXPECT_TRUE(changes(page, page, parts).empty());
  EXPECT_EQ(changes(page, with(page, "along axis 0.", "along axis 0. It works along axis 0."), parts).size(),
            1u);
}

TEST(Load, AnchorsNeedADocumentWithAText) {
  const auto loaded =
      load_op_spec_text("toy.yaml", with(spec_text(), ", text: toy.copy, release: \"1.0\"", ""));
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.errors().front().what, "document 'doc' has no text");
  EXPECT_THAT(loaded.errors().front().hint, HasSubstr("text: NAME"));
}

TEST(Load, AnchorsHaveOneForm) {
  const auto loaded = load_op_spec_text("toy.yaml", with(spec_text(), at("It works"), "\"It works\""));
  ASSERT_FALSE(loaded);
  EXPECT_THAT(loaded.errors().front().what, HasSubstr("It works"));
  EXPECT_EQ(loaded.errors().front().at.line, 11);
}

TEST(Save, ACaseKeepsItsAnchors) {
  const std::string example = source(at(">>> copy"));
  const Toy toy(spec_text(),
                with(cases_text(), "from: " + example, "from: [" + example + ", " + example + "]"));
  const auto again = load_cases_text("again.yaml", to_yaml(toy.cases.front()), toy.specs);
  ASSERT_TRUE(again);
  EXPECT_EQ(to_string(again->front().from.clauses.at(0)), to_string(toy.cases.front().from.clauses.at(0)));
  EXPECT_EQ(again->front().from.also.size(), 1u);
}

}  // namespace
}  // namespace scatterproof::spec::testing
