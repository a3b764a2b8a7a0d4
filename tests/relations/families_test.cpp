// SPDX-License-Identifier: Apache-2.0
// Family files: what is wrong with one is told with its place, and what a call says can be said back.
#include <algorithm>
#include <set>

#include "relations/derivation.hpp"
#include "scatterproof/spec/yaml/schema.hpp"
#include "shipped.hpp"

namespace scatterproof::runner::relations {
namespace {

/// A sound file, with one line in place of another.
std::string file_with(const std::string& line = "", const std::string& instead = "") {
  std::string text = R"(family: gather_rows
summary: reads rows
roles:
  data: {is: tensor}
  axis: {is: integer}
  index: {is: tensor}
policies:
  broadcast: {is: boolean, default: false}
let:
  d0: "if axis < 0 then axis + rank(data) else axis"
stream: shape(index)
lookups: {index: 0, stream: d0}
table: d0
counts: size(data, d0)
relations:
  - id: repeated
    says: the same twice
    by: repeat
    when: not collides
  - id: again
    says: the same elsewhere
    by: restate
    values: {axis: 0}
)";
  if (!line.empty()) text.replace(text.find(line), line.size(), instead);
  return text;
}

std::string errors_of(const std::string& text) {
  auto family = spec::load_family_text("f.yaml", text);
  if (!family) return spec::to_string(family.errors());
  const auto library = spec::FamilyLibrary::make({*family});
  return library ? "" : spec::to_string(library.errors());
}

void expect_error(const std::string& line, const std::string& instead, const std::string& part) {
  const std::string errors = errors_of(file_with(line, instead));
  EXPECT_NE(errors.find(part), std::string::npos) << "wanted: " << part << "\ngot: " << errors;
}

TEST(FamilyFile, ASoundOneIsRead) {
  const auto family = spec::load_family_text("f.yaml", file_with());
  ASSERT_TRUE(family) << spec::to_string(family.errors());
  EXPECT_EQ(errors_of(file_with()), "");
  EXPECT_EQ(family->name, "gather_rows");
  EXPECT_TRUE(family->role("broadcast")->policy);
  EXPECT_EQ(family->relations[1].in, "gather_rows");
  EXPECT_FALSE(family->relations[0].refused_alike);
}

TEST(FamilyFile, FaultsAreToldWithTheirPlaceAndAHint) {
  expect_error("summary: reads rows", "sumary: reads rows", "f.yaml:2:1: error: unknown key 'sumary'");
  expect_error("by: repeat", "by: repeet", "f.yaml:18:9: error: ");
  expect_error("family: gather_rows", "family: gather_row", "f.yaml:1:9: error: ");
  expect_error("when: not collides", "when: not colides", "f.yaml:19:15: error: unknown name 'colides'");
  expect_error("when: not collides", "when: rank(index)", "f.yaml:19:11: error: ");
  expect_error("stream: shape(index)", "stream: shape(indx)", "f.yaml:11:15: error: unknown name 'indx'");
  expect_error("stream: shape(index)", "stream: rank(data) == 1", "f.yaml:11:9: error: ");
  expect_error("id: again", "id: repeated", "f.yaml:20:5: error: relation 'repeated' is already taken");
  expect_error("default: false", "default: maybe", "f.yaml:8:37: error: 'maybe' is not of kind boolean");
  expect_error(", default: false", "", "f.yaml:8:14: error: policy 'broadcast' needs a default");
  expect_error("d0: \"if", "axis: \"if", "f.yaml:10:9: error: name 'axis' is already taken");
  expect_error("  axis: {is: integer}\n", "", "f.yaml:");
  expect_error("  index: {is: tensor}\n", "", "missing");
  expect_error("axis: {is: integer}", "axis: {is: word}", "f.yaml:5:9: error: role 'axis' must be: integer");
  expect_error("by: repeat", "by: fill_updates", "f.yaml:18:9: error: 'fill_updates' needs a role 'updates'");
  expect_error("  d0: \"if", "  collides: 'true'\n  d0: \"if",
               "f.yaml:1:1: error: the name 'collides' is taken");
  expect_error("by: restate", "by: split", "'values' belongs to 'by: restate'");
}

TEST(FamilyFile, WhatARelationNamesMustBeThere) {
  expect_error("values: {axis: 0}", "in: gather_row",
               "f.yaml:20:5: error: relation 'again' names the unknown family");
  expect_error("values: {axis: 0}", "in: gather_row", "did you mean 'gather_rows'?");
  expect_error("values: {axis: 0}", "values: {axes: 0}", "the unknown role of gather_rows 'axes'");
  expect_error("values: {axis: 0}", "values: {axis: 'true'}",
               "relation 'again' gives 'axis' a value of the wrong type");
  expect_error("values: {axis: 0}", "shapes: {axis: shape(index)}",
               "relation 'again' gives 'axis' a value of the wrong type");
  const auto family = spec::load_family_text("f.yaml", file_with());
  EXPECT_FALSE(spec::FamilyLibrary::make({*family, *family}));
}

TEST(FamilyFile, AFolderThatIsNotThereIsAnError) {
  EXPECT_FALSE(spec::FamilyLibrary::load("/nowhere/families"));
}

TEST(Lint, TheShippedFamiliesAndSpecsFitEachOther) {
  EXPECT_EQ(spec::to_string(spec::lint(shipped().families, shipped().catalogue.specs)), "");
}

TEST(Lint, AKernelEntryMustGiveTheRolesOfItsFamily) {
  const auto lint_with = [](const std::string& line, const std::string& instead) {
    const auto family = spec::load_family_text("f.yaml", file_with(line, instead));
    const auto library = spec::FamilyLibrary::make({*family});
    return spec::to_string(
        spec::lint(*library, spec::SpecLibrary({*shipped().catalogue.specs.find("onnx.Gather")})));
  };
  EXPECT_EQ(lint_with("", ""), "");
  EXPECT_NE(lint_with("broadcast: {is: boolean, default: false}", "wrap_negative: {is: integer, default: 0}")
                .find("the kernel entry has an invalid value for 'wrap_negative'"),
            std::string::npos);
  EXPECT_NE(lint_with("  index: {is: tensor}", "  index: {is: tensor}\n  batch_dims: {is: integer}")
                .find("the kernel entry lacks 'batch_dims'"),
            std::string::npos);
  const auto none = spec::FamilyLibrary::make({});
  const auto with_entry = std::ranges::count_if(shipped().catalogue.specs.all(),
                                                [](const spec::OpSpec& op) { return !op.said().op.empty(); });
  EXPECT_EQ(spec::lint(*none, shipped().catalogue.specs).size(), static_cast<std::size_t>(with_entry));
}

TEST(Lint, AnArgumentMustBeOfItsRolesKind) {
  const auto errors_with = [](const std::string& argument, spec::ArgumentKind kind) {
    spec::OpSpec op = *shipped().catalogue.specs.find("onnx.Gather");
    std::ranges::find(op.arguments, argument, &spec::ArgumentDecl::name)->kind = kind;
    return spec::to_string(spec::lint(shipped().families, spec::SpecLibrary({op})));
  };
  EXPECT_EQ(errors_with("axis", spec::ArgumentKind::integer), "");
  for (const auto kind : {spec::ArgumentKind::boolean, spec::ArgumentKind::scalar, spec::ArgumentKind::tensor,
                          spec::ArgumentKind::integers})
    EXPECT_NE(errors_with("axis", kind).find("gives an argument of the wrong kind for 'axis'"),
              std::string::npos);
  EXPECT_NE(errors_with("indices", spec::ArgumentKind::tensor_or_scalar)
                .find("gives an argument of the wrong kind for 'index'"),
            std::string::npos);
}

TEST(Transformations, EveryWordOfTheSchemaHasOneAndIsUsed) {
  std::set<std::string> used;
  for (const spec::Family& family : shipped().families.all())
    for (const spec::Relation& relation : family.relations) used.insert(relation.by);
  const std::string schema(spec::schema_text("families"));
  for (const std::string& word : used) {
    EXPECT_TRUE(find_transformation(word)) << word;
    EXPECT_NE(schema.find('"' + word + '"'), std::string::npos) << word;
  }
  EXPECT_EQ(used.size(), 10u);
  EXPECT_FALSE(find_transformation("wish"));
}

/// Whether two words of an argument say the same, as mul and multiply do: then either may be said back.
bool has_synonyms(const spec::OpSpec& op) {
  return std::ranges::any_of(op.kernel.fields, [](const auto& field) {
    std::set<std::string> meant;
    return !std::ranges::all_of(field.second.table,
                                [&](const auto& entry) { return meant.insert(entry.second).second; });
  });
}

TEST(Said, WhatACallSaysCanBeSaidBack) {
  const auto& [catalogue, families] = shipped();
  int said_back = 0;
  for (const spec::Case& one : catalogue.cases) {
    const spec::OpSpec& op = *catalogue.specs.find(one.call.api);
    if (op.kernel.op.empty() || has_synonyms(op)) continue;
    const spec::Family& family = *families.of(op);
    const auto said = spec::said_by(family, op, one.call);
    if (!std::holds_alternative<spec::Said>(said)) continue;
    const auto call = spec::say(family, op, std::get<spec::Said>(said), &one.call);
    ASSERT_TRUE(std::holds_alternative<spec::Call>(call)) << one.id << ": " << std::get<std::string>(call);
    EXPECT_EQ(spec::to_string(std::get<spec::Call>(call)), spec::to_string(one.call)) << one.id;
    ++said_back;
  }
  EXPECT_GT(said_back, static_cast<int>(catalogue.cases.size()) / 2);
}

/// A call of one API as another says it, or why not.
std::string translated(const spec::Call& call, const std::string& api) {
  const auto& [catalogue, families] = shipped();
  const spec::OpSpec &from = *catalogue.specs.find(call.api), &to = *catalogue.specs.find(api);
  const auto said = std::get<spec::Said>(spec::said_by(*families.of(from), from, call));
  const auto result = spec::say(*families.of(to), to, said);
  if (const auto* why = std::get_if<std::string>(&result)) return *why;
  return spec::to_string(std::get<spec::Call>(result));
}

TEST(Said, WordsAndDefaultsAreTranslated) {
  const spec::Call add = {
      "torch.Tensor.scatter_add_",
      {{"self", f32({1}, {0})}, {"dim", number(0)}, {"index", i64({1}, {0})}, {"src", f32({1}, {2})}}};
  EXPECT_EQ(translated(add, "onnx.ScatterElements"),
            "onnx.ScatterElements(data=f32[1] [0.0], indices=i64[1] [0], updates=f32[1] [2.0], axis=0, "
            "reduction=add, opset=18)");
  EXPECT_EQ(translated(add, "torch.Tensor.scatter_reduce_"),
            "torch.Tensor.scatter_reduce_(self=f32[1] [0.0], dim=0, index=i64[1] [0], src=f32[1] [2.0], "
            "reduce=sum, include_self=true)");
  EXPECT_EQ(translated(add, "mindspore.mint.scatter"),
            "mindspore.mint.scatter has no way to say combine = sum");
  EXPECT_EQ(translated(add, "torch.Tensor.scatter_.value"),
            "torch.Tensor.scatter_.value has no way to say updates = f32[1] [2.0]");
}

TEST(Said, OneArgumentForTwoRolesCannotSayTwoThings) {
  const spec::Call add = {
      "torch.Tensor.scatter_add_",
      {{"self", f32({1}, {0})}, {"dim", number(0)}, {"index", i64({1}, {0})}, {"src", f32({1}, {2})}}};
  EXPECT_EQ(translated(add, "torch.scatter_reduce.v1_11"),
            "in torch.scatter_reduce.v1_11, input serves two roles");
}

}  // namespace
}  // namespace scatterproof::runner::relations
