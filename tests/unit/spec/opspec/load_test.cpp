// SPDX-License-Identifier: Apache-2.0
// Reading spec files: what is read, and what is refused where.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "scatterproof/spec/language/language.hpp"
#include "scatterproof/spec/opspec/frame.hpp"
#include "scatterproof/spec/yaml/yaml.hpp"
#include "toy_specs.hpp"

namespace scatterproof::spec::testing {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

/// The errors of a text, each as `line:column: what`.
std::vector<std::string> complaints(const std::string& text) {
  const auto spec = load_op_spec_text("toy.yaml", text);
  std::vector<std::string> lines;
  if (spec) return lines;
  for (const Error& error : spec.errors())
    lines.push_back(std::to_string(error.at.line) + ":" + std::to_string(error.at.column) + ": " +
                    error.what + (error.hint.empty() ? "" : " (" + error.hint + ")"));
  return lines;
}

/// Where a piece starts in a text, counted here, as `line:column`.
std::string place_of(const std::string& piece, const std::string& text) {
  const std::size_t at = text.find(piece);
  const auto lines = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
  const std::size_t line_begin = text.rfind('\n', at) + 1;
  return std::to_string(lines + 1) + ":" + std::to_string(at - line_begin + 1);
}

std::string with_line(std::string text, const std::string& line, const std::string& other) {
  return text.replace(text.find(line), line.size(), other);
}

TEST(Load, TensorsOfTheResultsTypeAreNoIndexEvenIfTheyHoldIntegersAlone) {
  for (const std::string dtypes : {"[i32, i64, f32, f64]", "[i32, i64]", "[bool]"}) {
    const OpSpec spec = load(with_line(scatter_text, "[i32, i64, f32, f64]", dtypes));
    EXPECT_FALSE(spec.is_index(*spec.argument("self"))) << dtypes;
    EXPECT_FALSE(spec.is_index(*spec.argument("src"))) << dtypes;
    EXPECT_TRUE(spec.is_index(*spec.argument("index"))) << dtypes;
  }
}

TEST(Load, TensorsOfTheResultsTypeAreAnIndexIfTheirValuesDecideWhereOrWhether) {
  const std::string integers = with_line(scatter_text, "[i32, i64, f32, f64]", "[i32, i64]");
  const OpSpec bounded =
      load(with_line(integers, "require: given(limit) implies numel(index) <= limit",
                     "require: \"is_tensor(src) implies (all p in positions(shape(src)): src[p] >= 0)\""));
  EXPECT_TRUE(bounded.is_index(*bounded.argument("src")));
  EXPECT_FALSE(bounded.is_index(*bounded.argument("self")));
}

TEST(Load, AListOfTensorsIsAnArgumentForEachItem) {
  const OpSpec spec = load(list_text);
  ASSERT_EQ(spec.arguments.size(), 1 + language::max_items);
  EXPECT_EQ(spec.argument("indices"), nullptr);
  EXPECT_FALSE(spec.argument("indices_0")->optional);
  EXPECT_TRUE(spec.argument("indices_2")->optional);
  EXPECT_EQ(spec.argument("indices_2")->list, "indices");
  EXPECT_TRUE(spec.is_index(*spec.argument("indices_1")));
  EXPECT_EQ(base_scope(spec).find_list("indices")->count, language::max_items);
  const auto call = [](bool second) {
    Call made{"toy.put", {}};
    const Tensor tensor(DType::i64, {1});
    made.arguments = {{"x", tensor}, {"indices_0", tensor}, {"indices_1", None{}}, {"indices_2", tensor}};
    if (second) made.arguments[2].second = tensor;
    return made;
  };
  EXPECT_EQ(item_behind_gap(spec, call(true)), nullptr);
  ASSERT_NE(item_behind_gap(spec, call(false)), nullptr);
  EXPECT_EQ(item_behind_gap(spec, call(false))->name, "indices_2");
}

TEST(Load, AListOfTensorsIsNoTensorAndHasNoDefault) {
  const std::string ranked = with_line(list_text, "count(indices)", "rank(indices)");
  EXPECT_THAT(complaints(ranked),
              Contains(HasSubstr("'indices' is a list of tensors (name an item, such as indices_0,")));
  const std::string absent = with_line(list_text, "{tensors: I}", "{tensors: I, default: null}");
  EXPECT_THAT(complaints(absent), ElementsAre(place_of("null", absent) +
                                              ": 'indices' is a list of tensors, which has no default"));
  const std::string limited = with_line(list_text, "{tensors: I}", "{tensors: I, at_most: 3}");
  EXPECT_THAT(complaints(limited), Contains(HasSubstr("unknown key 'at_most'")));
}

TEST(Load, ASelectionHasTheArraysOfAList) {
  const std::string text = with_line(with_line(list_text, "{tensors: I}", "{tensors: I, optional: true}"),
                                     "  x: {tensor: any}", "  x: {tensor: any}\n  key: {selection: indices}");
  const OpSpec spec = load(text);
  const ArgumentDecl& key = *spec.argument("key");
  EXPECT_EQ(key.kind, ArgumentKind::choice);
  EXPECT_EQ(key.selects_with, "indices");
  EXPECT_TRUE(spec.argument("indices_0")->optional);
  EXPECT_TRUE(std::ranges::any_of(
      key.choices, [](const Argument& one) { return identical(one, std::string("$, :, $")); }));

  const auto call = [](const std::string& selection, Argument first) {
    return Call{"toy.put", {{"key", selection}, {"indices_0", std::move(first)}, {"indices_1", None{}}}};
  };
  EXPECT_EQ(fault_of_selections(spec, call("1:3, $", Tensor(DType::i64, {2}))), "");
  EXPECT_EQ(fault_of_selections(spec, call("1:3", None{})), "");
  EXPECT_EQ(fault_of_selections(spec, call("$, $", Tensor(DType::i64, {2}))),
            "'$, $' has 2 arrays, and 1 of 'indices' are given");
  EXPECT_EQ(fault_of_selections(spec, call("1 2", None{})), "'1 2' is not a selection");

  EXPECT_EQ(fault_of_selections(spec, call("1:3, ?", Tensor(DType::boolean, {2}))), "");
  for (const Tensor& other : {Tensor(DType::i64, {2}), Tensor(DType::boolean, {2, 2})})
    EXPECT_EQ(fault_of_selections(spec, call("1:3, ?", other)),
              "'1:3, ?' has a mask of 1 dimensions where 'indices_0' is, which is none");

  const std::string unknown = with_line(text, "{selection: indices}", "{selection: arrays}");
  EXPECT_THAT(complaints(unknown), Contains(HasSubstr("'arrays' is not a list of tensors")));
}

TEST(Load, ReadsEveryPart) {
  const OpSpec spec = load(scatter_text);
  EXPECT_EQ(spec.api, "toy.scatter");
  EXPECT_EQ(spec.framework, "torch");
  EXPECT_EQ(spec.documents.at(1).title, "A post");
  ASSERT_EQ(spec.arguments.size(), 7u);
  EXPECT_EQ(spec.argument("src")->kind, ArgumentKind::tensor_or_scalar);
  EXPECT_EQ(spec.argument("reduce")->rule, "reduce");
  EXPECT_TRUE(spec.argument("limit")->optional);
  EXPECT_EQ(std::get<Scalar>(*spec.argument("dim")->fallback).integer(), 0);
  std::vector<std::string> ids;
  for (const Rule& rule : spec.rules) ids.push_back(rule.id);
  EXPECT_THAT(ids, ElementsAre("T", "I", "reduce", "ranks", "dim-range", "sizes", "fits-src", "range",
                               "small", "unique"));
  EXPECT_EQ(spec.rule("range")->broken.size(), 3u);
  EXPECT_THAT(spec.rule("range")->broken.at(2).classes, ElementsAre("IndexError", "RuntimeError"));
  EXPECT_TRUE(spec.rule("I")->broken.at(0).classes.empty());
  EXPECT_EQ(spec.rule("small")->applies.until, "1.5");
  EXPECT_EQ(spec.rule("small")->broken.at(0).kind, Promise::Kind::open);
  EXPECT_EQ(spec.latitude.collisions, Collisions::last);
  EXPECT_EQ(spec.latitude.accumulate, Accumulate::wider);
  EXPECT_THAT(spec.meaning.in_place, ElementsAre("self"));
  EXPECT_EQ(spec.kernel.op, "scatter_elements");
  EXPECT_EQ(spec.kernel.find("axis")->argument, "dim");
  EXPECT_EQ(spec.kernel.find("combine")->table.size(), 3u);
}

TEST(Load, AWriteMayHaveACondition) {
  const auto where = [](const std::string& condition) {
    return with(rows_text, "  write:", "  where: " + condition + "\n  write:");
  };
  EXPECT_EQ(load(rows_text).meaning.where, nullptr);
  EXPECT_EQ(load(where("indices[a ++ (0,)] >= 0")).meaning.where->text(), "indices[a ++ (0,)] >= 0");
  EXPECT_THAT(complaints(where("len(t) >= 0")),
              ElementsAre(HasSubstr("'where' is the same for every write")));
  EXPECT_THAT(complaints(where("len(t)")), ElementsAre(HasSubstr("boolean")));
  EXPECT_THAT(complaints(where("b == a")), ElementsAre(HasSubstr("'b'")));
}

TEST(Load, LatitudeIsOpenWhereTheFileIsSilent) {
  const OpSpec spec = load(
      with(scatter_text,
           "latitude: {collisions: last, integer_mean: floor, nan: propagate, accumulate: wider}\n", ""));
  EXPECT_EQ(spec.latitude.collisions, Collisions::any);
  EXPECT_EQ(spec.latitude.integer_mean, IntegerMean::open);
  EXPECT_EQ(spec.latitude.nan, NanPolicy::open);
}

TEST(Load, NamesTheDocumentThatDoesNotExist) {
  const std::string text = with(scatter_text, "from: {document: post, section: History}",
                                "from: {document: dog, section: History}");
  EXPECT_THAT(complaints(text),
              ElementsAre(place_of("dog", text) + ": unknown document 'dog' (did you mean 'doc'?)"));
}

TEST(Load, RefusesTheSecondRuleOfAName) {
  EXPECT_THAT(complaints(with(scatter_text, "id: small", "id: sizes")),
              ElementsAre(HasSubstr("rule 'sizes' is already taken")));
  EXPECT_THAT(complaints(with(scatter_text, "id: small", "id: T")),
              ElementsAre(HasSubstr("rule 'T' is already taken")));
}

TEST(Load, PointsIntoExpressions) {
  const std::string plain =
      with(scatter_text, "require: rank(self) == rank(index)", "require: rank(self) == rank(indx)");
  EXPECT_THAT(complaints(plain), ElementsAre(HasSubstr(place_of("indx", plain) + ": unknown name 'indx'")));
  const std::string quoted = with(scatter_text, "<= size(self, d)\"", "<= size(slef, d)\"");
  EXPECT_THAT(complaints(quoted), ElementsAre(HasSubstr(place_of("slef", quoted) + ": unknown name 'slef'")));
  const std::string block =
      with(scatter_text, "require: rank(self) == rank(index)", "require: |\n      rank(self) == rank(indx)");
  EXPECT_THAT(complaints(block), ElementsAre(HasSubstr(place_of("indx", block) + ": unknown name 'indx'")));
}

TEST(Load, RefusesRulesThatAlwaysOrNeverHold) {
  EXPECT_THAT(
      complaints(with(scatter_text, "require: rank(self) == rank(index)", "require: numel(self) >= 0")),
      ElementsAre(HasSubstr("rule 'ranks' can never be broken")));
  EXPECT_THAT(complaints(with(scatter_text, "require: rank(self) == rank(index)", "require: rank(self) < 0")),
              ElementsAre(HasSubstr("rule 'ranks' can never be obeyed")));
}

TEST(Load, KnowsTheArgumentsThatKernelAndMeaningName) {
  EXPECT_THAT(complaints(with(scatter_text, "axis: $dim", "axis: $dims")),
              ElementsAre(HasSubstr("unknown argument 'dims' (did you mean 'dim'?)")));
  EXPECT_THAT(complaints(with(scatter_text, "in_place: [self]", "in_place: [slef]")),
              ElementsAre(HasSubstr("unknown argument 'slef'")));
  EXPECT_THAT(complaints(with(scatter_text, "dtype: self}", "dtype: src}")),
              ElementsAre(HasSubstr("'src' is not always a tensor")));
}

TEST(Load, ReadsWhatTheDocumentSaysOfGradients) {
  const auto with_gradient = [](const std::string& says) {
    return with(scatter_text, "latitude:", "gradient:\n" + says + "latitude:");
  };
  const auto with_rule = [&](const std::string& id, const std::string& require) {
    return with_gradient("  rules: [{id: " + id + ", says: one shape, require: '" + require +
                         "', broken: undefined, from: {document: doc, section: Notes}}]\n");
  };
  const OpSpec spec = load(with_rule("one", "numel(index) == 1"));
  ASSERT_EQ(spec.gradient.rules.size(), 1u);
  EXPECT_EQ(spec.gradient.rules[0].require->text(), "numel(index) == 1");
  EXPECT_EQ(spec.gradient.rules[0].broken.at(0).kind, Promise::Kind::undefined);
  EXPECT_EQ(spec.any_rule("one"), spec.gradient.rules.data());
  EXPECT_EQ(spec.rule("one"), nullptr) << "calls that break it are as good as others";
  EXPECT_EQ(spec.gradient.ties, GradientPolicy::Ties::free);
  EXPECT_THAT(complaints(with_rule("one", "numel(self) >= 0")),
              ElementsAre(HasSubstr("can never be broken")));
  EXPECT_THAT(complaints(with_rule("range", "numel(index) == 1")),
              ElementsAre(HasSubstr("rule 'range' is already taken")));
  const OpSpec even =
      load(with_gradient("  ties: even\n  collisions: or_each\n  from: {document: doc, section: Notes}\n"));
  EXPECT_EQ(even.gradient.ties, GradientPolicy::Ties::even);
  EXPECT_EQ(even.gradient.collisions, GradientPolicy::Collisions::or_each);
  EXPECT_EQ(even.gradient.from.section, "Notes");
  EXPECT_THAT(complaints(with_gradient("  ties: even\n")), Contains(HasSubstr("from")));
}

TEST(Load, ReadsWhatIsPromisedOfRefusedCalls) {
  const auto with_refusal = [](const std::string& fields) {
    return with(scatter_text,
                "latitude:", "refusal: {" + fields + ", from: {document: doc, section: Notes}}\nlatitude:");
  };
  const OpSpec spec = load(with_refusal("unchanged: [self], unless: dim < 0"));
  EXPECT_THAT(spec.refusal.unchanged, ElementsAre("self"));
  EXPECT_EQ(spec.refusal.from.section, "Notes");
  ASSERT_NE(spec.refusal.unless, nullptr);
  EXPECT_EQ(spec.refusal.unless->text(), "dim < 0");
  EXPECT_THAT(complaints(with_refusal("unchanged: [index]")),
              ElementsAre(HasSubstr("unknown overwritten argument (meaning: in_place) 'index'")));
  EXPECT_THAT(complaints(with_refusal("unchanged: [self], unless: numel(self) >= 0")),
              ElementsAre(HasSubstr("'unless' is the same for every call")));
  EXPECT_THAT(complaints(with(scatter_text, "latitude:", "refusal: {unchanged: [self]}\nlatitude:")),
              ElementsAre(HasSubstr("from")));
}

TEST(Load, OnlyIntegersHaveOthersBetweenThem) {
  EXPECT_THAT(complaints(with(scatter_text, "choice: [none, add, mean]",
                              "choice: [none, add, mean]\n    between: true")),
              ElementsAre(HasSubstr("only between integers is there anything")));
}

TEST(Load, KnowsTheArgumentsOfTheCallInPython) {
  const auto with_call = [](const std::string& call) {
    return with(scatter_text, "arguments:", "python: '" + call + "'\narguments:");
  };
  EXPECT_THAT(complaints(with_call("f({slef}, {dim})")), ElementsAre(HasSubstr("unknown argument 'slef'")));
  EXPECT_THAT(complaints(with_call("f({self}, {dim")), ElementsAre(HasSubstr("a '{' has no matching '}'")));
  EXPECT_THAT(complaints(with_call("f({self}, {dim})")), ElementsAre());
}

TEST(Load, TablesCoverTheirChoices) {
  const std::string table =
      "write: \"out[p with axis = index[p]] <- if is_tensor(src) then src[p] else src\"\n  combine: ";
  EXPECT_THAT(complaints(with(scatter_text, table + "{by: reduce, none: assign, add: sum, mean: mean}",
                              table + "{by: reduce, none: assign, add: sum}")),
              ElementsAre(HasSubstr("the table has 2 of the 3 values of 'reduce'")));
  EXPECT_THAT(complaints(with(scatter_text, table + "{by: reduce, none: assign, add: sum, mean: mean}",
                              table + "{by: reduce, none: assign, plus: sum, mean: mean}")),
              ElementsAre(HasSubstr("unknown value of 'reduce' 'plus'")));
}

TEST(Load, TypesNeedArgumentsAndArgumentsNeedTypes) {
  EXPECT_THAT(complaints(with(scatter_text, "index: {tensor: I}", "index: {tensor: J}")),
              ElementsAre(HasSubstr("no argument has type 'I'"), HasSubstr("unknown type 'J'")));
}

TEST(Load, AWrongFormulaNeedsADoubt) {
  const std::string formula =
      "formulas:\n  - {id: loop, from: {document: post, section: Loop}, wrong: true, reads: "
      "\"self[index[i][j][k]][j][k] = "
      "self[i][j][k]\"}\n";
  EXPECT_THAT(complaints(scatter_text + formula),
              ElementsAre(HasSubstr("formula 'loop' is marked wrong, but no doubt")));
}

TEST(Load, APrintedFormulaEndsWithItsLastWord) {
  const OpSpec spec =
      load(scatter_text +
           "formulas:\n  - id: loop\n    from: {document: post, section: Loop}\n    reads: |\n"
           "      self[index[i][j][k]][j][k] = src[i][j][k]  \n\n");
  EXPECT_EQ(spec.formulas.at(0).reads, "self[index[i][j][k]][j][k] = src[i][j][k]");
}

TEST(Load, ReportsEverythingAtOnce) {
  std::string text = with(scatter_text, "axis: $dim", "axis: $dims");
  text = with(text, "require: rank(self) == rank(index)", "require: rank(self) = rank(index)");
  text = with(text, "p: shape(index)", "p: shap(index)");
  EXPECT_EQ(complaints(text).size(), 3u);
}

TEST(Load, TheSchemaSpeaksFirst) {
  EXPECT_THAT(complaints(with(scatter_text, "in_place: [self]", "inplace: [self]")),
              ElementsAre(HasSubstr("inplace")));
}

TEST(Load, PartsThatTheSchemaAcceptsAreReadBesideItsErrors) {
  std::string text = with(rows_text, "combine: assign", "combine: asign");
  text = with(text, "require: k <= rank(data)", "require: k <= rnk(data)");
  EXPECT_THAT(complaints(text), ElementsAre(HasSubstr("asign"), HasSubstr("rnk")));
  // A rule that the schema refuses is left out alone.
  text = with(text, "    says: inside\n", "    say: inside\n");
  EXPECT_THAT(complaints(text), Contains(HasSubstr("rnk")));
  // Nothing is read where the names that all parts use are in doubt.
  text = with(text, "updates: {tensor: any}", "updates: {tensr: any}");
  EXPECT_THAT(complaints(text), Not(Contains(HasSubstr("rnk"))));
}

TEST(Library, IsSortedAndFindsByName) {
  const SpecLibrary library({load(scatter_text), load(rows_text)});
  EXPECT_EQ(library.all().front().api, "toy.rows");
  EXPECT_EQ(library.find("toy.scatter")->api, "toy.scatter");
  EXPECT_EQ(library.find("toy.sctter"), nullptr);
}

const std::string variants =
    "variants:\n  - {api: toy.scattered, python: \"toy.scattered({self}, {dim})\", from: {document: post, "
    "section: Out of place}}\n";

TEST(Variants, AreSpecsThatOverwriteWhatTheySay) {
  const OpSpec spec = load(scatter_text + variants);
  const OpSpec made = as_variant(spec, spec.variants.at(0));
  EXPECT_EQ(made.api, "toy.scattered");
  EXPECT_EQ(made.variant_of, "toy.scatter");
  EXPECT_EQ(made.python, "toy.scattered({self}, {dim})");
  EXPECT_THAT(made.meaning.in_place, ElementsAre());
  EXPECT_EQ(made.meaning.from.section, "Out of place");
  EXPECT_EQ(made.documents.front().id, "post");
  EXPECT_EQ(made.rules.size(), spec.rules.size());
  EXPECT_TRUE(made.formulas.empty() && made.doubts.empty() && made.omits.empty() && made.variants.empty());
}

TEST(Variants, AreInTheLibraryOnce) {
  const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "variants";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "scatter.yaml") << scatter_text << variants;
  const auto library = SpecLibrary::load(folder.string());
  ASSERT_TRUE(library) << to_string(library.errors());
  EXPECT_EQ(library->all().size(), 2u);
  EXPECT_EQ(library->find("toy.scattered")->variant_of, "toy.scatter");
  std::ofstream(folder / "scatter.yaml") << scatter_text << with(variants, "toy.scattered,", "toy.scatter,");
  const auto twice = SpecLibrary::load(folder.string());
  std::filesystem::remove_all(folder);
  ASSERT_FALSE(twice);
  EXPECT_THAT(twice.errors().front().what, HasSubstr("toy.scatter is already described in"));
}

TEST(Variants, NameArgumentsThatExist) {
  EXPECT_THAT(complaints(scatter_text + with(variants, "{dim}", "{dmi}")), ElementsAre(HasSubstr("'dmi'")));
  EXPECT_THAT(complaints(scatter_text + with(variants, ", from", ", in_place: [slef], from")),
              ElementsAre(HasSubstr("'slef'")));
}

const std::string table = "apis: {toy.sum: {word: sum}, toy.max: {word: amax}}";

std::string tabled(const std::string& combine) {
  const std::string text =
      with_line(with_line(scatter_text, "api: toy.scatter", table), "summary: ", "summary: by ${word}, ");
  const std::size_t at = text.find("  combine: ");
  return std::string(text).replace(at, text.find('\n', at) - at, "  combine: " + combine);
}

TEST(Tables, GiveASpecForEachRow) {
  const auto specs = load_op_specs_text("toy.yaml", tabled("${word}"));
  ASSERT_TRUE(specs) << to_string(specs.errors());
  ASSERT_EQ(specs->size(), 2u);
  EXPECT_EQ(specs->at(0).api, "toy.sum");
  EXPECT_EQ(specs->at(1).api, "toy.max");
  EXPECT_EQ(specs->at(1).row->find("word")->text, "amax");
  EXPECT_NE(specs->at(0).meaning.combine, specs->at(1).meaning.combine);
}

TEST(Tables, AreSpecsOfAnyFileInTheLibrary) {
  const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "tables";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "scatter.yaml") << tabled("${word}");
  const auto library = SpecLibrary::load(folder.string());
  std::filesystem::remove_all(folder);
  ASSERT_TRUE(library) << to_string(library.errors());
  EXPECT_NE(library->find("toy.sum"), nullptr);
  EXPECT_NE(library->find("toy.max"), nullptr);
}

TEST(Tables, ErrorsStandInTheRowOrOutsideOnce) {
  const auto wrong = [](const std::string& text) {
    const auto specs = load_op_specs_text("toy.yaml", text);
    return specs ? std::string() : to_string(specs.errors());
  };
  EXPECT_THAT(wrong(tabled("suum")),
              ::testing::StartsWith("toy.yaml:" + place_of("suum", tabled("suum")) + ": "));
  EXPECT_THAT(wrong(tabled("suum")), Not(HasSubstr("in the row of")));
  const std::string in_row = with_line(tabled("${word}"), "word: amax", "word: amix");
  EXPECT_THAT(wrong(in_row), ::testing::StartsWith("toy.yaml:" + place_of("amix", in_row) + ": "));
  EXPECT_THAT(wrong(in_row), HasSubstr("(in the row of toy.max, line 1)"));
}

TEST(Library, SaysWhichFolderCannotBeRead) {
  const auto library = SpecLibrary::load("/nowhere/at/all");
  ASSERT_FALSE(library);
  EXPECT_THAT(library.errors().front().what, HasSubstr("cannot read"));
}

}  // namespace
}  // namespace scatterproof::spec::testing
