// SPDX-License-Identifier: Apache-2.0
// Family files: what is wrong with one is told with its place, and what a call says can be said back.
#include <algorithm>
#include <set>

#include "scatterproof/runner/relations/derivation.hpp"
#include "scatterproof/spec/yaml/schema.hpp"
#include "shipped.hpp"

namespace scatterproof::runner::relations {
namespace {

std::string with(std::string text, const std::string& part, const std::string& instead) {
  return text.replace(text.find(part), part.size(), instead);
}

/// A sound file, with one line replaced by another.
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
  expect_error("family: gather_rows", "family: Gather Rows", "f.yaml:1:9: error: ");
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
  expect_error("  data: {is: tensor}\n  axis: {is: integer}", "  axis: {is: integer}",
               "relations need a role 'data'");
  expect_error("axis: {is: integer}", "axis: {is: integer, left_out: rnk(data)}",
               "f.yaml:5:33: error: unknown function 'rnk'");
  expect_error("axis: {is: integer}", "axis: {is: integer, left_out: 1, default: 0}",
               "f.yaml:5:33: error: 'left_out' belongs to a role that is an integer and has no default");
  expect_error("broadcast: {is: boolean", "broadcast: {is: sizes",
               "f.yaml:8:35: error: 'false' is not of kind sizes");
  expect_error("index: {is: tensor}", "index: {is: tensors, at_most: 2}",
               "f.yaml:6:24: error: unknown key 'at_most'");
  expect_error("index: {is: tensor}", "index: {is: tensor, optional: true}",
               "f.yaml:6:33: error: 'optional' belongs to a list");
  expect_error("index: {is: tensor}", "index: {is: tensor}\n  more: {is: tensors}",
               "f.yaml:7:9: error: only the role 'index' can be a list of tensors");
  expect_error("axis: {is: integer}\n  index: {is: tensor}",
               "axis: {is: integer}\n  index_1: {is: tensor}\n  index: {is: tensors}",
               "f.yaml:7:10: error: name 'index_1' is already taken");
  expect_error("index: {is: tensor}", "index: {is: tensors}", "lookups need an index that is one tensor");
}

TEST(FamilyFile, AListOfTensorsIsARoleForEachItem) {
  const std::string tuples = R"(family: tuples
summary: reads what tuples name
roles:
  index: {is: tensors}
stream: common_shape(index)
counts: item
)";
  const auto family = spec::load_family_text("f.yaml", tuples);
  ASSERT_TRUE(family) << spec::to_string(family.errors());
  EXPECT_EQ(family->places("index").size(), spec::language::max_items);
  EXPECT_FALSE(family->role("index"));
  EXPECT_FALSE(family->role("index_0")->optional);
  EXPECT_TRUE(family->role("index_1")->optional);
  EXPECT_NE(
      errors_of(with(tuples, "common_shape(index)", "shape(index)")).find("'index' is a list of tensors"),
      std::string::npos);
}

TEST(Lint, AFieldThatIsAListGivesEachItemARole) {
  spec::OpSpec torch = *shipped().catalogue.specs.find("torch.Tensor.index_put_.tuple");
  const auto lint = [&] {
    return spec::to_string(spec::lint(shipped().families, spec::SpecLibrary({torch})));
  };
  EXPECT_EQ(lint(), "");
  const auto field = [&](const std::string& name) {
    return std::ranges::find(torch.family.fields, name, [](const auto& one) { return one.first; });
  };
  ASSERT_NE(field("index_2"), torch.family.fields.end());
  torch.family.fields.erase(field("index_2"));
  EXPECT_EQ(lint(), "");
  torch.family.fields.erase(field("index_0"));
  EXPECT_NE(lint().find("the family entry lacks 'index_0'"), std::string::npos) << lint();
  torch.family.fields.emplace_back("index_9", spec::LoweredValue{});
  EXPECT_NE(lint().find("has 'index_9', which is not a role of scatter_tuples"), std::string::npos) << lint();
}

TEST(FamilyFile, WhatOnlyRelationsReadMayBeLeftOut) {
  const std::string bare = R"(family: rows
summary: reads rows
roles:
  index: {is: tensor}
  sizes: {is: sizes}
stream: sizes
counts: sizes[p[-1]]
)";
  EXPECT_EQ(errors_of(bare), "");
  const std::string data = with(bare, "roles:", "roles:\n  data: {is: tensor}");
  const std::string relation = "relations:\n  - {id: one, says: it holds, by: WAY}\n";
  EXPECT_EQ(errors_of(data + with(relation, "WAY", "repeat")), "");
  EXPECT_NE(errors_of(data + with(relation, "WAY", "split")).find("'split' needs 'lookups'"),
            std::string::npos);
  EXPECT_NE(errors_of(data + with(relation, "WAY", "permute")).find("'permute' needs 'lookups'"),
            std::string::npos);
  EXPECT_NE(errors_of(data + with(relation, "WAY", "grow_table")).find("'grow_table' needs 'table'"),
            std::string::npos);
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
  expect_error("values: {axis: 0}", "makes: {index: {items: 2, sizes: shape(index), element: item}}",
               "relation 'again' makes items of 'index', which is one tensor in gather_rows");
  expect_error("values: {axis: 0}", "makes: {index: {sizes: shape(index), element: item}}",
               "f.yaml:23:51: error: unknown name 'item'");
  expect_error("values: {axis: 0}", "makes: {more: {items: 2, sizes: shape(index), element: item}}",
               "the unknown role of gather_rows 'more'");
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

TEST(Lint, AFamilyEntryHasTheRolesOfAFamilyAndNoOtherWords) {
  const auto errors_with = [](const std::string& op, const std::string& role) {
    spec::OpSpec numpy = *shipped().catalogue.specs.find("numpy.take");
    numpy.family.op = op;
    std::ranges::find(numpy.family.fields, "index", [](const auto& field) { return field.first; })->first =
        role;
    return spec::to_string(spec::lint(shipped().families, spec::SpecLibrary({numpy})));
  };
  EXPECT_EQ(errors_with("gather_rows", "index"), "");
  const std::string misspelt = errors_with("gather_rows", "indx");
  EXPECT_NE(misspelt.find("the family entry lacks 'index'"), std::string::npos) << misspelt;
  EXPECT_NE(misspelt.find("the family entry has 'indx', which is not a role of gather_rows"),
            std::string::npos);
  EXPECT_NE(misspelt.find("did you mean 'index'?"), std::string::npos);
  const std::string unknown = errors_with("gather_row", "index");
  EXPECT_NE(unknown.find("there is no family 'gather_row'"), std::string::npos) << unknown;
  EXPECT_NE(unknown.find("did you mean 'gather_rows'?"), std::string::npos);
  EXPECT_NE(errors_with("crowds", "index").find("the families: flat_gather, "), std::string::npos);
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

TEST(FamilyCall, WhatACallSaysCanBeSaidBack) {
  const auto& [catalogue, families] = shipped();
  int said_back = 0, sayable = 0;
  for (const spec::Case& one : catalogue.cases) {
    const spec::OpSpec& op = *catalogue.specs.find(one.call.api);
    if (op.kernel.op.empty() || has_synonyms(op)) continue;
    ++sayable;
    const spec::Family& family = *families.of(op);
    const auto said = spec::family_call_of(family, op, one.call);
    if (!std::holds_alternative<spec::FamilyCall>(said)) continue;
    const auto call = spec::say(family, op, std::get<spec::FamilyCall>(said), &one.call);
    ASSERT_TRUE(std::holds_alternative<spec::Call>(call)) << one.id << ": " << std::get<std::string>(call);
    EXPECT_EQ(spec::to_string(std::get<spec::Call>(call)), spec::to_string(one.call)) << one.id;
    ++said_back;
  }
  EXPECT_GT(said_back, sayable * 3 / 4);
}

/// A call of one API as another says it, or why not.
std::string translated(const spec::Call& call, const std::string& api) {
  const auto& [catalogue, families] = shipped();
  const spec::OpSpec &from = *catalogue.specs.find(call.api), &to = *catalogue.specs.find(api);
  const auto said = std::get<spec::FamilyCall>(spec::family_call_of(*families.said_in(from), from, call));
  const auto result = spec::say(*families.said_in(to), to, said);
  if (const auto* why = std::get_if<std::string>(&result)) return *why;
  return spec::to_string(std::get<spec::Call>(result));
}

TEST(FamilyCall, WordsAndDefaultsAreTranslated) {
  const spec::Call add = {
      "torch.Tensor.scatter_add_",
      {{"self", f32({1}, {0})}, {"dim", number(0)}, {"index", i64({1}, {0})}, {"src", f32({1}, {2})}}};
  EXPECT_EQ(translated(add, "onnx.ScatterElements"),
            "onnx.ScatterElements(data=f32[1] [0.0], indices=i64[1] [0], updates=f32[1] [2.0], axis=0, "
            "reduction=add, opset=18)");
  EXPECT_EQ(translated(add, "torch.Tensor.scatter_reduce_"),
            "torch.Tensor.scatter_reduce_(self=f32[1] [0.0], dim=0, index=i64[1] [0], src=f32[1] [2.0], "
            "reduce=sum, include_self=true)");
  EXPECT_EQ(translated(add, "mindspore.mint.scatter"), "mindspore.mint.scatter cannot express combine = sum");
  EXPECT_EQ(translated(add, "torch.Tensor.scatter_.value"),
            "torch.Tensor.scatter_.value cannot express updates = f32[1] [2.0]");
}

TEST(FamilyCall, OneArgumentForTwoRolesCannotSayTwoThings) {
  const spec::Call add = {
      "torch.Tensor.scatter_add_",
      {{"self", f32({1}, {0})}, {"dim", number(0)}, {"index", i64({1}, {0})}, {"src", f32({1}, {2})}}};
  EXPECT_EQ(translated(add, "torch.scatter_reduce.v1_11"),
            "in torch.scatter_reduce.v1_11, input serves two roles");
}

TEST(FamilyCall, WhatOneCallLeavesOutAnotherMustGive) {
  const auto with_number = [](const std::string& api, const spec::Argument& number) {
    return spec::Call{
        api, {{"data", f32({2}, {5, 6})}, {"segment_ids", i64({2}, {0, 2})}, {"num_segments", number}}};
  };
  const std::string sorted = "tensorflow.math.segment_sum", unsorted = "tensorflow.math.unsorted_segment_sum";
  const spec::Call none = {sorted, {{"data", f32({2}, {5, 6})}, {"segment_ids", i64({2}, {0, 2})}}};
  const std::string tensors = "(data=f32[2] [5.0, 6.0], segment_ids=i64[2] [0, 2]";
  EXPECT_EQ(translated(none, unsorted), unsorted + tensors + ", num_segments=3)");
  EXPECT_EQ(translated(none, "jax.ops.segment_sum"),
            "jax.ops.segment_sum" + tensors + ", num_segments=none)");
  EXPECT_EQ(translated(with_number("jax.ops.segment_sum", spec::None{}), unsorted),
            unsorted + tensors + ", num_segments=3)");
  EXPECT_EQ(translated(with_number(unsorted, number(3)), sorted), sorted + tensors + ")");
  EXPECT_EQ(translated(with_number(unsorted, number(4)), sorted), sorted + " cannot express segments = 4");
  EXPECT_EQ(translated(with_number(unsorted, number(4)), "jax.ops.segment_sum"),
            "jax.ops.segment_sum" + tensors + ", num_segments=4)");
}

TEST(FamilyCall, ItemsOfAListGoFromOneListToAnother) {
  const spec::Call two = {"numpy.ndarray.__setitem__.tuple",
                          {{"a", i64({1, 1}, {0})},
                           {"indices_0", i64({1}, {0})},
                           {"indices_1", i64({}, {0})},
                           {"indices_2", spec::None{}},
                           {"indices_3", spec::None{}},
                           {"indices_4", spec::None{}},
                           {"value", i64({1}, {7})}}};
  EXPECT_EQ(translated(two, "paddle.index_put"),
            "paddle.index_put(x=i64[1,1] [[0]], indices_0=i64[1] [0], indices_1=i64[] 0, "
            "value=i64[1] [7], accumulate=false)");
  const auto& [catalogue, families] = shipped();
  spec::OpSpec pairs = *catalogue.specs.find("paddle.index_put");
  std::erase_if(pairs.family.fields, [](const auto& field) { return field.first == "index_2"; });
  std::erase_if(pairs.arguments, [](const auto& declared) { return declared.name == "indices_2"; });
  const spec::Family& family = *families.said_in(pairs);
  auto said = std::get<spec::FamilyCall>(spec::family_call_of(family, *catalogue.specs.find(two.api), two));
  EXPECT_TRUE(std::holds_alternative<spec::Call>(spec::say(family, pairs, said)));
  said.values[family.places("index")[2]] = i64({}, {0});
  EXPECT_EQ(std::get<std::string>(spec::say(family, pairs, said)),
            "paddle.index_put cannot express index_2 = i64[] 0");
}

TEST(FamilyCall, ASelectionOfArraysAloneIsATuple) {
  const spec::Call two = {"jax.numpy.ndarray.at.add.tuple",
                          {{"x", f32({1, 1}, {0})},
                           {"indices_0", i64({1}, {0})},
                           {"indices_1", i64({1}, {0})},
                           {"indices_2", spec::None{}},
                           {"indices_3", spec::None{}},
                           {"indices_4", spec::None{}},
                           {"y", f32({1}, {7})},
                           {"mode", "promise_in_bounds"},
                           {"wrap_negative_indices", spec::Scalar::of_bool(true)}}};
  const std::string said =
      "numpy.add.at.selection(a=f32[1,1] [[0.0]], key=$, $, indices_0=i64[1] [0], "
      "indices_1=i64[1] [0], b=f32[1] [7.0])";
  EXPECT_EQ(translated(two, "numpy.add.at.selection"), said);
  const auto& [catalogue, families] = shipped();
  const spec::OpSpec& numpy = *catalogue.specs.find("numpy.add.at.selection");
  const spec::Family& family = *families.said_in(numpy);
  const auto reads = [&](const std::string& key) {
    spec::Call call = {numpy.api,
                       {{"a", f32({1, 1}, {0})},
                        {"key", key},
                        {"indices_0", i64({1}, {0})},
                        {"indices_1", spec::None{}},
                        {"indices_2", spec::None{}},
                        {"indices_3", spec::None{}},
                        {"indices_4", spec::None{}},
                        {"b", f32({1}, {7})}}};
    return std::holds_alternative<spec::FamilyCall>(spec::family_call_of(family, numpy, call));
  };
  EXPECT_TRUE(reads("$"));
  for (const char* key : {":, $", "0, $", "?", "$, ..."}) EXPECT_FALSE(reads(key)) << key;
}

TEST(FamilyCall, ASelectionMayBeARole) {
  const auto reads = [](const std::string& key, const spec::Argument& index) {
    return spec::Call{"torch.Tensor.__getitem__.selection",
                      {{"self", f32({1, 2}, {5, 6})},
                       {"key", key},
                       {"indices_0", index},
                       {"indices_1", spec::None{}},
                       {"indices_2", spec::None{}},
                       {"indices_3", spec::None{}},
                       {"indices_4", spec::None{}}}};
  };
  EXPECT_EQ(translated(reads("-1:, $, None", i64({1}, {0})), "numpy.ndarray.__getitem__.selection"),
            "numpy.ndarray.__getitem__.selection(a=f32[1,2] [[5.0, 6.0]], key=-1:, $, None, "
            "indices_0=i64[1] [0])");
  EXPECT_EQ(translated(reads("0, ::7", spec::None{}), "jax.Array.__getitem__.selection"),
            "jax.Array.__getitem__.selection(x=f32[1,2] [[5.0, 6.0]], key=0, ::7)");
}

TEST(FamilyCall, SizesOfTheResultAreARole) {
  const spec::Call call = {
      "paddle.scatter_nd",
      {{"index", i64({1, 1}, {0})}, {"updates", f32({1, 2}, {5, 6})}, {"shape", spec::Shape{3, 2}}}};
  EXPECT_EQ(translated(call, "mindspore.ops.scatter_nd"),
            "mindspore.ops.scatter_nd(indices=i64[1,1] [[0]], updates=f32[1,2] [[5.0, 6.0]], shape=[3, 2])");
}

}  // namespace
}  // namespace scatterproof::runner::relations
