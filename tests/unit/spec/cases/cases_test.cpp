// SPDX-License-Identifier: Apache-2.0
// Case files: ids, bases, defaults, expectations, errors, and writing them back.
#include <gmock/gmock.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>

#include "fixture.hpp"
#include "scatterproof/spec/core/sharing.hpp"

namespace scatterproof::spec::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::string based = R"(api: toy.pick
base:
  x: {dtype: f32, values: [1.5, 2.5]}
  index: {dtype: i64, values: [1, 0]}
  mode: wrap
cases:
  - id: doc/first
    why: the printed one
    from: {document: doc, section: Example}
    call: {flag: true}
    expect: {values: [2.5, 1.5]}
    tags: [printed]
  - rule: inside
    side: breaks
    name: far
    why: two is outside
    call: {index: {dtype: i64, values: [2]}, mode: null}
    expect: undefined
)";

TEST(Cases, HaveWholeIds) {
  const auto cases = read(based);
  ASSERT_TRUE(cases) << to_string(cases.errors());
  EXPECT_EQ(cases->at(0).id, "toy.pick/doc/first");
  EXPECT_EQ(cases->at(1).id, "toy.pick/rule/inside/breaks/far");
  EXPECT_TRUE(cases->at(1).breaks);
  EXPECT_EQ(cases->at(0).from.section, "Example");
  EXPECT_THAT(cases->at(0).tags, ElementsAre("printed"));
  EXPECT_EQ(cases->at(1).at.line, 13);
}

TEST(Cases, MayAskForAGradient) {
  const auto asking = [](const std::string& gradient) {
    return "api: toy.pick\ncases:\n  - id: a\n    why: b\n    call: {x: {dtype: f32, values: [5, 6]}, index: "
           "{dtype: i64, values: [1]}}\n    gradient: " +
           gradient + "\n";
  };
  const Case one = only(asking("{cotangent: [3], expect: {x: [0, 3]}}"));
  ASSERT_TRUE(one.gradient);
  EXPECT_EQ(to_string(one.gradient->cotangent), "[3.0]");
  EXPECT_EQ(one.gradient->any_of.at(0).at(0).first, "x");
  EXPECT_EQ(to_string(one.gradient->any_of.at(0).at(0).second), "[0.0, 3.0]");
  EXPECT_EQ(to_yaml(only(to_yaml(one))), to_yaml(one));
  EXPECT_THAT(to_yaml(one),
              HasSubstr("    gradient:\n      cotangent: [3.0]\n      expect: {x: [0.0, 3.0]}\n"));
  const Case either = only(asking("{cotangent: [3], expect: {any_of: [{x: [0, 3]}, {x: [3, 0]}]}}"));
  EXPECT_EQ(either.gradient->any_of.size(), 2u);
  EXPECT_EQ(to_yaml(only(to_yaml(either))), to_yaml(either));
  EXPECT_TRUE(only(asking("{cotangent: [3]}")).gradient->any_of.empty());
  EXPECT_THAT(complaints(asking("{cotangent: [3, 4]}")), ElementsAre(HasSubstr("the result's shape")));
  EXPECT_THAT(complaints(asking("{cotangent: [3], expect: {x: [3]}}")),
              ElementsAre(HasSubstr("the argument's shape")));
  EXPECT_THAT(complaints(asking("{cotangent: [3], expect: {index: [3]}}")),
              ElementsAre(HasSubstr("'index' is not an argument of toy.pick that has a gradient")));
  EXPECT_THAT(complaints(asking("{expect: {x: [0, 3]}}")), ElementsAre(HasSubstr("cotangent")));
}

TEST(Cases, HoldForEachVariantOfTheirApi) {
  OpSpec spec = library().all().front();
  spec.variants = {{.api = "toy.picked",
                    .python = {},
                    .in_place = {},
                    .from = {.document = "doc", .section = "Variants"}}};
  const SpecLibrary specs({spec, as_variant(spec, spec.variants[0])});
  auto cases = load_cases_text("cases.yaml", based, specs);
  ASSERT_TRUE(cases) << to_string(cases.errors());
  ASSERT_EQ(cases->size(), 2u);
  add_variants(cases.value(), specs);
  ASSERT_EQ(cases->size(), 4u);
  EXPECT_EQ(cases->at(2).id, "toy.picked/doc/first");
  EXPECT_EQ(cases->at(2).call.api, "toy.picked");
  EXPECT_EQ(cases->at(3).id, "toy.picked/rule/inside/breaks/far");
}

TEST(Cases, LayTheirCallOverTheBase) {
  const auto cases = read(based);
  ASSERT_TRUE(cases) << to_string(cases.errors());
  EXPECT_EQ(to_string(cases->at(0).call),
            "toy.pick(x=f32[2] [1.5, 2.5], index=i64[2] [1, 0], mode=wrap, strict=yes, flag=true, scale=1, "
            "other=none, sizes=none, depth=2)");
  EXPECT_EQ(std::get<std::string>(*cases->at(1).call.find("mode")), "clip")
      << "null takes the base's word away";
}

TEST(Cases, RememberWhichArgumentsTheyLeaveOut) {
  const auto cases = read(based);
  ASSERT_TRUE(cases) << to_string(cases.errors());
  // Of those that have a default: x and index must be given, and `other` and `sizes` are absent.
  EXPECT_THAT(cases->at(0).call.omitted, ElementsAre("strict", "scale", "depth"));
  EXPECT_THAT(cases->at(1).call.omitted, ElementsAre("mode", "strict", "flag", "scale", "depth"));
  for (const Case& one : *cases) {
    const Case again = only(to_yaml(one));
    EXPECT_EQ(to_string(again.call), to_string(one.call));
    EXPECT_EQ(again.call.omitted, one.call.omitted) << to_yaml(one);
  }
  Case passed = cases->at(1);
  passed.call.omitted = {"flag"};
  EXPECT_EQ(only(to_yaml(passed)).call.omitted, passed.call.omitted) << to_yaml(passed);
}

std::string with_views(const std::string& other,
                       const std::string& x = "{dtype: i64, values: [[1, 2], [3, 4]]}") {
  return "api: toy.pick\ncases:\n  - id: a\n    why: b\n    call:\n      x: " + x +
         "\n      index: {view_of: x}\n      other: " + other + "\n";
}

TEST(Cases, MayHaveViewsOfOneStorage) {
  const Case one = only(with_views("{view_of: x, shape: [2], strides: [2], offset: 1}"));
  const auto tensor = [](const Case& in, const char* name) { return std::get<Tensor>(*in.call.find(name)); };
  EXPECT_TRUE(same_view(tensor(one, "index"), tensor(one, "x")));
  EXPECT_TRUE(share_storage(tensor(one, "other"), tensor(one, "x")));
  EXPECT_EQ(to_string(tensor(one, "other")), "[2, 4]");
  EXPECT_EQ(only(with_views("{view_of: x, shape: [3]}")).call.find("other")->index(), 1u);
  EXPECT_EQ(to_string(tensor(only(with_views("{view_of: x, shape: [3]}")), "other")), "[1, 2, 3]");
  const std::string written = to_yaml(one);
  EXPECT_THAT(written, HasSubstr("index: {view_of: x}\n"));
  EXPECT_THAT(written, HasSubstr("other: {view_of: x, shape: [2], strides: [2], offset: 1}  # [2, 4]\n"));
  const Case again = only(written);
  EXPECT_EQ(to_string(again.call), to_string(one.call));
  EXPECT_TRUE(same_view(tensor(again, "index"), tensor(again, "x")));
  EXPECT_EQ(tensor(again, "other").shared_storage(), tensor(again, "x").shared_storage());
  const Call copy = clone(one.call);
  EXPECT_EQ(shared_with(copy, 1), 0u);
  EXPECT_NE(std::get<Tensor>(*copy.find("x")).shared_storage(), tensor(one, "x").shared_storage());
}

TEST(Cases, RefuseViewsOfWhatIsNotThere) {
  const auto refusal = [](const std::string& other) {
    const auto lines = complaints(with_views(other));
    return lines.size() == 1 ? lines.front() : std::to_string(lines.size()) + " errors";
  };
  EXPECT_THAT(refusal("{view_of: y}"), HasSubstr("unknown argument of toy.pick 'y'"));
  EXPECT_THAT(refusal("{view_of: index}"),
              HasSubstr("8:24: error: 'index' is not given as a tensor with values"));
  EXPECT_THAT(refusal("{view_of: other}"), HasSubstr("'other' is not given as a tensor with values"));
  EXPECT_THAT(refusal("{view_of: sizes}"), HasSubstr("'sizes' is not given as a tensor with values"));
  EXPECT_THAT(refusal("{view_of: x, shape: [5]}"),
              HasSubstr("does not lie within the 4 elements of the storage of 'x'"));
  EXPECT_THAT(refusal("{view_of: x, shape: [2], offset: -1}"), HasSubstr("does not lie within"));
  EXPECT_THAT(refusal("{view_of: x, shape: [2], strides: [1, 1]}"), HasSubstr("does not lie within"));
  EXPECT_THAT(refusal("{view_of: x, shape: [4194305], strides: [0]}"), HasSubstr("at most 4194304 elements"));
  EXPECT_THAT(refusal("{view_of: x, offset: 1}"), HasSubstr("key 'offset' also needs key 'shape'"));
  EXPECT_THAT(refusal("{view_of: x, dtype: i64}"), HasSubstr("unknown key 'dtype'"));
  EXPECT_THAT(complaints(with_views("null", "{dtype: i64}")).size(), 1u);
  EXPECT_THAT(complaints(file_with("{dtype: f32, values: [1]}", "      scale: {view_of: x}\n")),
              ElementsAre(HasSubstr("'scale' is not a tensor, so it cannot be a view of one")));
}

TEST(Cases, SayThatAnArgumentIsAbsentWhereItMayBe) {
  const Case absent = only(file_with("{dtype: f16, values: [1]}", "      depth: null\n      flag: null\n"));
  EXPECT_TRUE(std::holds_alternative<None>(*absent.call.find("depth")));
  EXPECT_THAT(absent.call.omitted, ::testing::Not(::testing::Contains("depth")));
  EXPECT_THAT(absent.call.omitted, ::testing::Contains("flag")) << "it may not be absent: null leaves it out";
  EXPECT_TRUE(std::holds_alternative<None>(*only(to_yaml(absent)).call.find("depth"))) << to_yaml(absent);
}

TEST(Cases, WithDtypesToComeAreUnsupportedByName) {
  for (const std::string dtype : {"u16", "u32", "u64", "string"}) {
    const std::string values = dtype == "string" ? "[a, \"b c\", \"1\"]" : "[1, 65535]";
    const Case one =
        only(file_with("{dtype: " + dtype + ", values: " + values + "}", "    expect: {values: [2]}\n"));
    EXPECT_EQ(one.unsupported, "dtype " + dtype + " is not supported yet");
    EXPECT_EQ(one.id, "toy.pick/a");
  }
  EXPECT_EQ(only(file_with("{dtype: u8, values: [1]}")).unsupported, "");
  // One case does not speak for the next.
  const auto both = read(
      "api: toy.pick\ncases:\n  - {id: a, why: b, call: {x: {dtype: u16, shape: [0]}, index: {dtype: i64, "
      "shape: [0]}}}\n"
      "  - {id: b, why: b, call: {x: {dtype: u8, shape: [0]}, index: {dtype: i64, shape: [0]}}}\n");
  ASSERT_TRUE(both) << to_string(both.errors());
  EXPECT_EQ(both->at(1).unsupported, "");
  EXPECT_THAT(complaints(file_with("{dtype: u128, values: [1]}")), ElementsAre(HasSubstr("u128")));
  EXPECT_THAT(complaints(file_with("{dtype: i64, values: [a]}")),
              ElementsAre(HasSubstr("but got the string 'a'")));
}

TEST(Cases, MayAcceptSeveralResults) {
  const std::string x = "{dtype: f16, values: [1]}";
  const Case one = only(
      "api: toy.pick\ncases:\n  - id: a\n    why: b\n    call: {x: {dtype: u8, values: [1, 2]}, index: "
      "{dtype: i64, "
      "values: [0]}}\n    expect: {any_of: [{values: [1]}, {values: [2]}]}\n");
  ASSERT_EQ(one.expect.values.size(), 2U);
  EXPECT_EQ(to_string(one.expect.values.at(1)), "[2]");
  EXPECT_EQ(only(to_yaml(one)).expect.values.size(), 2U) << to_yaml(one);
  EXPECT_THAT(complaints(file_with(x, "    expect: {any_of: [{values: []}, {values: [1]}]}\n")),
              ElementsAre(HasSubstr("1 items where the result's shape [0] has 0")));
  EXPECT_THAT(complaints(file_with(x, "    expect: {any_of: []}\n")), ::testing::SizeIs(1));
  EXPECT_THAT(complaints(file_with(x, "    expect: {any_of: [{error: A}]}\n")),
              ::testing::Not(::testing::IsEmpty()));
}

TEST(Cases, ExpectationsTakeTheResultsDtypeAndShape) {
  const Case one = only(file_with("{dtype: f16, values: [1]}", "    expect: {values: []}\n"));
  EXPECT_EQ(one.expect.values.front().dtype(), DType::f16);
  EXPECT_EQ(one.expect.values.front().shape(), Shape{0});
  EXPECT_THAT(complaints(file_with("{dtype: f16, values: [1]}", "    expect: {values: [1]}\n")),
              ElementsAre(HasSubstr("1 items where the result's shape [0] has 0")));
  EXPECT_THAT(
      complaints("api: toy.pick\ncases:\n  - id: a\n    why: b\n    call: {x: {dtype: f32, values: [1, 2]}, "
                 "index: {dtype: i64, values: [0, 1]}}\n    expect: {values: [[1, 2]]}\n"),
      ElementsAre(HasSubstr("6:22: error: nested deeper than the result's shape [2]")));
}

TEST(Cases, ReadErrorsUndefinedAndOpen) {
  const std::string x = "{dtype: f16, values: [1]}";
  EXPECT_THAT(only(file_with(x, "    expect: {error: [A, B]}\n")).expect.classes, ElementsAre("A", "B"));
  EXPECT_TRUE(only(file_with(x, "    expect: {error: any}\n")).expect.classes.empty());
  EXPECT_EQ(only(file_with(x, "    expect: {error: any}\n")).expect.kind, CaseExpectation::Kind::error);
  EXPECT_EQ(only(file_with(x, "    expect: open\n")).expect.kind, CaseExpectation::Kind::open);
  EXPECT_EQ(only(file_with(x)).expect.kind, CaseExpectation::Kind::spec);
}

TEST(Cases, TakeEveryKindOfArgument) {
  const Case one = only(file_with(
      "{dtype: f16, values: [1]}",
      "      mode: 3\n      scale: 1.5\n      other: -2\n      sizes: [1, 0]\n      strict: maybe\n"));
  EXPECT_EQ(std::get<Scalar>(*one.call.find("mode")).integer(), 3);
  EXPECT_EQ(std::get<Scalar>(*one.call.find("scale")).real(), 1.5);
  EXPECT_EQ(std::get<Scalar>(*one.call.find("other")).integer(), -2);
  EXPECT_EQ(std::get<Shape>(*one.call.find("sizes")), (Shape{1, 0}));
  EXPECT_EQ(std::get<std::string>(*one.call.find("strict")), "maybe") << "its rule may be broken";
}

TEST(Cases, TakeTheFirstArgumentByTheNamesOfPages) {
  for (const std::string word : {"input", "self"}) {
    const Case one = only("api: toy.pick\ncases:\n  - {id: a, why: b, call: {" + word +
                          ": {dtype: f32, values: [7]}, index: {dtype: i64, values: [0]}}}\n");
    EXPECT_EQ(to_string(std::get<Tensor>(*one.call.find("x"))), "[7.0]") << word;
  }
}

TEST(Cases, RefuseArgumentsThatDoNotExistOrFit) {
  const std::string x = "{dtype: f16, values: [1]}";
  EXPECT_THAT(complaints(file_with(x, "      modes: clip\n")),
              ElementsAre(AllOf(HasSubstr("8:7: error: unknown argument of toy.pick 'modes'"),
                                HasSubstr("did you mean 'mode'?"))));
  EXPECT_THAT(complaints(file_with(x, "      axis: 1\n")),
              ElementsAre(AllOf(HasSubstr("unknown argument of toy.pick 'axis'"),
                                HasSubstr("hint: its arguments: x, index, "))));
  EXPECT_THAT(complaints(file_with(x, "      self: {dtype: f16, values: [1]}\n")),
              ElementsAre(HasSubstr("'x' and 'self' are one argument of toy.pick")));
  EXPECT_THAT(complaints(file_with(x, "      mode: clp\n")), ElementsAre(HasSubstr("did you mean 'clip'?")));
  EXPECT_THAT(complaints(file_with(x, "      flag: 1\n")),
              ElementsAre(HasSubstr("'flag' must be true or false")));
  EXPECT_THAT(complaints(file_with("3")), ElementsAre(HasSubstr("expected a tensor")));
  EXPECT_THAT(complaints("api: toy.pick\ncases:\n  - {id: a, why: b, call: {}}\n"),
              ElementsAre(HasSubstr("argument 'x' of toy.pick is missing"),
                          HasSubstr("argument 'index' of toy.pick is missing")));
}

TEST(Cases, ThoseThatTheSchemaAcceptsAreReadBesideItsErrors) {
  const std::string call = "x: {dtype: f32, shape: [0]}, index: {dtype: i64, shape: [0]}";
  const std::string faulty = "  - {id: f, why: b, call: {x: {dtype: f23, shape: [0]}, modes: clip}}\n";
  const std::string unknown = "  - {id: a, why: b, call: {" + call + ", modes: clip}}\n";
  const std::string twice = "  - {id: a, why: b, call: {" + call + "}}\n";
  EXPECT_THAT(
      complaints("api: toy.pick\ncases:\n" + faulty + unknown + twice),
      ElementsAre(HasSubstr("cases.yaml:3:"), HasSubstr("cases.yaml:4:"), HasSubstr("cases.yaml:5:")));
  // With a base that the schema refuses no call is known.
  EXPECT_THAT(complaints("api: toy.pick\ncases:\n" + unknown + "base: {x: {dtype: f23, shape: [0]}}\n"),
              ElementsAre(HasSubstr("cases.yaml:4:")));
}

std::string replaced(std::string text, const std::string& old, const std::string& now) {
  return text.replace(text.find(old), old.size(), now);
}

/// toy.pick, and toy.picked of the same file.
SpecLibrary tabled() {
  const std::string first = "api: toy.pick\n";
  auto specs = load_op_specs_text("toy.picks.yaml",
                                  "apis: {toy.pick: {said: a}, toy.picked: {said: b}}\n" +
                                      replaced(spec_text.substr(first.size()), "copies x", "copies ${said}"));
  if (!specs) throw std::runtime_error(to_string(specs.errors()));
  return SpecLibrary(std::move(specs).value());
}

TEST(Tables, ServeSeveralApis) {
  const SpecLibrary specs = tabled();
  const std::string body =
      "\ncases:\n  - id: a\n    why: b\n    call: {x: {dtype: f32, values: [1, 2]}, index: {dtype: i64, "
      "values: [1]}}\n"
      "    expect: {\"${api}\": {toy.pick: {values: [2]}}}\n";
  for (const std::string apis : {"apis: [toy.pick, toy.picked]", "apis: toy.picks"}) {
    const auto cases = load_cases_text("cases.yaml", apis + body, specs);
    ASSERT_TRUE(cases) << to_string(cases.errors());
    ASSERT_EQ(cases->size(), 2u);
    EXPECT_EQ(cases->at(0).id, "toy.pick/a");
    EXPECT_EQ(cases->at(0).expect.values.size(), 1u);
    EXPECT_EQ(cases->at(1).id, "toy.picked/a");
    EXPECT_EQ(cases->at(1).expect.kind, CaseExpectation::Kind::spec);
  }
}

TEST(Tables, OfASpecFileGiveCasesItsColumns) {
  const SpecLibrary specs = tabled();
  const auto cases =
      load_cases_text("cases.yaml",
                      "apis: toy.picks\ncolumns: {why: \"is ${said}\"}\ncases:\n  - id: a\n    why: ${why}\n"
                      "    call: {x: {dtype: f32, values: [1, 2]}, index: {dtype: i64, values: [1]}}\n",
                      specs);
  ASSERT_TRUE(cases) << to_string(cases.errors());
  EXPECT_EQ(cases->at(1).why, "is b");
  const auto wrong =
      load_cases_text("cases.yaml", "apis: toy.pick\ncases:\n  - {id: a, why: b, call: {}}\n", specs);
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.errors().front().what, "no spec file 'toy.pick' has a table");
  EXPECT_EQ(wrong.errors().front().hint, "did you mean 'toy.picks'?");
  EXPECT_EQ(wrong.errors().front().at, (Position{1, 7}));
}

TEST(Cases, AreWrittenSoThatTheyReadBack) {
  const std::string hard =
      file_with("{dtype: c64, values: [[[1, -0.0], [nan, 2.5]], [[3, 4], [5, 6]]], layout: transposed}",
                "      strict: \"a \\\"b\\\" \\\\ \\n true\"\n      other: {dtype: bool, shape: [2, 0]}\n"
                "      scale: [1, 2]\n      sizes: []\n    expect: {error: [A, \"x.Y\"]}\n    tags: "
                "[\"true\", \"null\", \"1\", t]\n");
  const Case one = only(hard);
  const Case again = only(to_yaml(one));
  EXPECT_EQ(again.id, one.id);
  EXPECT_EQ(to_string(again.call), to_string(one.call));
  EXPECT_EQ(std::get<Tensor>(*again.call.find("x")).strides(),
            std::get<Tensor>(*one.call.find("x")).strides());
  EXPECT_TRUE(identical(std::get<Tensor>(*again.call.find("x")), std::get<Tensor>(*one.call.find("x"))));
  EXPECT_EQ(std::get<Tensor>(*again.call.find("other")).shape(), (Shape{2, 0}));
  EXPECT_EQ(std::get<std::string>(*again.call.find("strict")),
            std::get<std::string>(*one.call.find("strict")));
  EXPECT_TRUE(identical(std::get<Scalar>(*again.call.find("scale")), Scalar::of_complex(1, 2)));
  EXPECT_EQ(again.expect.classes, one.expect.classes);
  EXPECT_EQ(again.tags, one.tags);
}

TEST(Cases, KeepTheirStridesWhenWritten) {
  for (const std::string place :
       {"strides: [1, 5], offset: 2, storage: 40", "strides: [2, 1], offset: 0, storage: 9",
        "strides: [-2, 1], offset: 2, storage: 4"}) {
    const Case one = only(file_with("{dtype: i32, values: [[1, 2], [3, 4]], " + place + "}"));
    const auto& x = std::get<Tensor>(*one.call.find("x"));
    const Case again = only(to_yaml(one));
    const auto& written = std::get<Tensor>(*again.call.find("x"));
    EXPECT_EQ(written.strides(), x.strides()) << to_yaml(one);
    EXPECT_EQ(written.offset(), x.offset());
    EXPECT_EQ(written.storage(), x.storage());
  }
}

TEST(GoodCases, AreReadBesideBadOnes) {
  const std::string path = ::testing::TempDir() + "good-cases-" + std::to_string(getpid()) + ".yaml";
  const std::string call = "x: {dtype: f32, shape: [0]}, index: {dtype: i64, shape: [0]}";
  std::ofstream(path) << "api: toy.pick\ncases:\n  - {id: a, why: b, call: {" << call << "}}\n"  // good
                      << "  - {id: b, why: b, call: {" << call << ", modes: clip}}\n"
                      << "  - {id: c, why: b, call: {x: {dtype: f23, shape: [0]}}}\n"
                      << "  - {id: a, why: b, call: {" << call << "}}\n"
                      << "  - {id: d, why: b, call: {" << call << "}}\n";  // good
  const SpecLibrary specs = library();
  const GoodCases read = load_good_cases(path, specs);
  std::vector<std::string> ids;
  for (const Case& one : read.cases) ids.push_back(one.id);
  EXPECT_THAT(ids, ElementsAre("toy.pick/a", "toy.pick/d"));
  std::vector<int> lines;
  for (const Error& error : read.errors) lines.push_back(error.at.line);
  EXPECT_THAT(lines, ::testing::UnorderedElementsAre(4, 5, 6));
  EXPECT_FALSE(load_cases(path, specs));
  std::remove(path.c_str());
}

TEST(Cases, RuleCasesKeepTheirRuleWhenWritten) {
  const auto cases = read(based);
  const Case again = only(to_yaml(cases->at(1)));
  EXPECT_EQ(again.id, cases->at(1).id);
  EXPECT_EQ(again.rule, "inside");
  EXPECT_TRUE(again.breaks);
}

}  // namespace
}  // namespace scatterproof::spec::testing
