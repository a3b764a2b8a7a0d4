// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/spec/yaml/schema.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "scatterproof/spec/yaml/yaml.hpp"

namespace scatterproof::spec {
namespace {

Errors check(const std::string& schema, const std::string& text) {
  const Result<yaml::Document> document = yaml::read_text("t.yaml", text);
  if (!document) throw std::logic_error(to_string(document.errors()));
  return yaml::validate(*document, schema);
}

const std::string ops_head = "api: torch.x\nsummary: s\ndocuments: [{id: doc, title: t, framework: torch}]\n";
const std::string ops_meaning =
    "meaning: {result: {shape: shape(self), dtype: self}, for: {p: shape(self)}, write: 'out[p] <- self[p]', "
    "combine: assign}\n";

TEST(Schemas, AreBuiltIn) {
  const std::vector<std::string> names = schema_names();
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
  for (const char* name : {"baseline", "cases", "ops"}) {
    EXPECT_NE(std::find(names.begin(), names.end(), name), names.end()) << name;
    EXPECT_NE(schema_text(name).find("http://json-schema.org/draft-07/schema#"), std::string_view::npos);
  }
  EXPECT_EQ(schema_text("nothing"), "");
}

TEST(Schemas, AcceptTheFormsOfTheManual) {
  const Errors ops = check("ops", ops_head + ops_meaning + R"(omits: [gradients]
arguments:
  self: {tensor: T}
  dim: {integer: {}, default: 0}
  value: {tensor_or_scalar: any}
  size: {integers: {}, optional: true}
  flag: {boolean: {}, default: true}
  s: {scalar: {}}
  reduce: {choice: [none, 1], default: none, rule: {id: R0, says: s, from: {document: doc, section: s}, broken: open}}
types:
  T: {dtypes: [bool, c128], says: s, from: {document: doc, section: s}, broken: {error: any, native: dtype}}
let: {axis: "if dim < 0 then 1 else dim"}
rules:
  - {id: R1, says: s, from: {document: doc, section: s}, require: true, unless: 1 == 2, broken: undefined, device: cpu}
  - id: R2
    says: s
    from: {document: doc, section: s}
    require: a
    since: "1.12"
    broken: [{error: [A, B], native: rank, until: "2.0"}, {undefined: true, device: cuda}, {open: true}, open]
formulas:
  - {id: f, from: {document: doc, section: s}, when: dim == 0, reads: x, wrong: true, names: {a: b}, result: out}
latitude: {collisions: last, accumulate: wider, integer_mean: floor, nan: ignore}
doubts:
  - id: C1
    about: a
    claims:
      - {says: s, from: {document: doc, section: s}, formula: f}
      - {says: s, from: {document: doc, section: s}, meaning: true}
      - {says: s, from: {document: doc, section: s}, result: {dtype: i64, values: [1]}}
      - {says: s, from: {document: doc, section: s}, refuses: true}
    resolution: r
    witness: {self: {dtype: f32, shape: [0, 3]}, dim: -1, reduce: add, size: [3, 5], s: 1.5}
kernel: {op: scatter_elements, data: $self, axis: $dim, index: $i, updates: $src, combine: {by: reduce, none: assign},
  include_start: true, fill: {by: reduce, prod: "1", sum: 0}, batch_dims: 0, index_dtypes: [i64]}
)");
  EXPECT_TRUE(ops.empty()) << to_string(ops);

  const Errors cases = check("cases", R"(api: x
base: {self: {dtype: i64, shape: [3, 5], fill: 0}}
cases:
  - {id: doc/a, why: w, from: {document: d, section: s}, tags: [t], call: {}, expect: {values: [[nan, -inf], [true, [1, 2]]]}}
  - {rule: R1, side: breaks, name: dim-0, why: w, call: {a: {dtype: c64, arange: 1, shape: [2], layout: sliced}, b: null}, expect: {error: [A, B]}}
  - {rule: R1, side: obeys, why: w, call: {n: 3, t: true, w: add, l: [1, 2], x: {dtype: f32, values: 1.5}}, expect: open}
)");
  EXPECT_TRUE(cases.empty()) << to_string(cases);

  const Errors baseline = check("baseline", R"(baseline:
  - {case: "a/*", engine: torch, versions: ">=2.0,<3", verdict: missing_error, reason: r, link: l, since: 2026-11-21}
  - {case: b, engine: "torch@2.*", verdict: [crash, timeout], reason: r, since: 2026-11-21}
)");
  EXPECT_TRUE(baseline.empty()) << to_string(baseline);
}

TEST(Messages, AreInTheOrderOfTheFileAndSayThePlaceOnce) {
  const Errors errors = check("cases", "cases:\n  - {why: 1, id: a, call: {}}\napi: 2\nmore: 3\n");
  ASSERT_EQ(errors.size(), 3u) << to_string(errors);
  EXPECT_EQ(to_string(errors[0]),
            "t.yaml:2:11: error: expected a string but got the integer 1\n"
            "    - {why: 1, id: a, call: {}}\n"
            "            ^\n"
            "  hint: put it in quotes to make it a string\n");
  EXPECT_EQ(errors[1].at, (Position{3, 6}));
  EXPECT_EQ(errors[2].at, (Position{4, 1}));
  EXPECT_EQ(errors[2].hint, "known keys: api, base, call, cases");
}

TEST(Messages, AMisspeltKeyIsNotMissingToo) {
  const Errors errors = check("cases", "api: x\ncase:\n  - {id: a, why: w, call: {}}\n");
  ASSERT_EQ(errors.size(), 1u) << to_string(errors);
  EXPECT_EQ(errors[0].what, "unknown key 'case'");
  EXPECT_EQ(errors[0].hint, "did you mean 'cases'?");
}

TEST(Messages, AreCappedInNumber) {
  std::string text = "api: x\ncases:\n";
  for (int i = 0; i < 500; ++i) text += "  - 1\n";
  EXPECT_EQ(check("cases", text).size(), 100u);
}

/// Texts of values that some place of a schema takes, and some that none does.
const std::vector<std::string> snippets = {"1",
                                           "-1",
                                           "1.5",
                                           "x",
                                           "true",
                                           "~",
                                           "[]",
                                           "{}",
                                           "[1]",
                                           "[x]",
                                           "[[1, x]]",
                                           "{a: 1}",
                                           "open",
                                           "undefined",
                                           "any",
                                           "sum",
                                           "{by: reduce, none: sum}",
                                           "{by: 1}",
                                           "{error: E}",
                                           "{error: E, native: rank}",
                                           "{undefined: true}",
                                           "{open: 1}",
                                           "{document: d, section: s}",
                                           "{document: d}",
                                           "{dtype: f32, values: [1]}",
                                           "{dtype: f32, shape: [1], fill: 0, arange: 1}",
                                           "{dtype: f32}",
                                           "{tensor: T}",
                                           "{choice: [a]}",
                                           "{choice: [a, a]}",
                                           "{integer: {}, boolean: {}}",
                                           "$self",
                                           "\"1.2\"",
                                           "\"a\\nb\""};

TEST(Messages, EverythingThatIsRefusedIsExplained) {
  // One key at a time of a valid file gets another value. Whatever valijson refuses must be explained in our
  // words, at a place that is not before the key.
  const std::vector<std::pair<std::string, std::string>> lines = {
      {"ops", "summary: "},
      {"ops", "documents: "},
      {"ops", "omits: "},
      {"ops", "types: "},
      {"ops", "let: "},
      {"ops", "rules: "},
      {"ops", "formulas: "},
      {"ops", "latitude: "},
      {"ops", "doubts: "},
      {"ops", "kernel: "},
      {"ops", "arguments: {a: VALUE}"},
      {"ops", "types: {T: VALUE}"},
      {"ops",
       "rules: [{id: a, says: s, from: VALUE, require: VALUE, broken: VALUE, since: VALUE, device: VALUE}]"},
      {"ops",
       "meaning: {result: VALUE, start: VALUE, for: VALUE, write: VALUE, combine: VALUE, in_place: VALUE}"},
      {"ops",
       "kernel: {op: VALUE, data: VALUE, axis: VALUE, combine: VALUE, fill: VALUE, index_dtypes: VALUE}"},
      {"ops",
       "doubts: [{id: a, about: VALUE, resolution: r, claims: [VALUE, {says: s, from: VALUE, result: "
       "VALUE}]}]"},
      {"cases", "cases: "},
      {"cases", "base: "},
      {"cases", "cases: [VALUE]"},
      {"cases", "cases: [{id: VALUE, why: w, call: VALUE, expect: VALUE, tags: VALUE}]"},
      {"cases", "cases: [{rule: VALUE, side: VALUE, name: VALUE, why: w, call: {a: VALUE}}]"},
      {"baseline", "baseline: "},
      {"baseline", "baseline: [{case: VALUE, engine: VALUE, versions: VALUE, verdict: VALUE, since: VALUE}]"},
  };
  std::size_t refused = 0;
  for (const auto& [schema, line] : lines) {
    for (const std::string& snippet : snippets) {
      std::string text = line.find("VALUE") == std::string::npos ? line + "VALUE" : line;
      for (std::size_t at = 0; (at = text.find("VALUE")) != std::string::npos;) text.replace(at, 5, snippet);
      for (const Error& one : check(schema, text + "\n")) {
        ++refused;
        EXPECT_FALSE(one.what.starts_with("the schema is not met")) << text << "\n" << to_string(one);
        EXPECT_EQ(one.at.line, 1) << text;
      }
    }
  }
  EXPECT_GT(refused, 2 * lines.size() * snippets.size()) << "most of these files are wrong in several places";
}

TEST(Json, ValidMessagesPass) { EXPECT_TRUE(validate_json(R"({"baseline": []})", "baseline").empty()); }

TEST(Json, FaultsNameTheirPlace) {
  const Errors errors = validate_json(
      R"({"baseline": [{"case": "a", "engine": 1, "verdict": "crash", "reason": "r"}]})", "baseline");
  ASSERT_EQ(errors.size(), 2u) << to_string(errors);
  EXPECT_EQ(errors[0].what, "baseline[0].engine: expected a string but got the integer 1");
  EXPECT_EQ(errors[1].what, "baseline[0]: key 'since' is missing");
  EXPECT_EQ(errors[0].at, Position{});
}

TEST(Json, HostileTextsAreErrors) {
  const std::pair<std::string, std::string> known[] = {
      {"", "invalid JSON"},
      {"{\"baseline\": [", "invalid JSON"},
      {"{\"baseline\": []} x", "invalid JSON"},
      {"{\"baseline\": \"\xFF\"}", "invalid JSON"},
      {"{\"baseline\": [], \"baseline\": []}", "key 'baseline' is given twice"},
      {"{\"baseline\": [{\"case\": 1, \"engine\": {\"a\": 1}, \"case\": 2}]}", "key 'case' is given twice"},
      {std::string(1'000'000, '['), "nested deeper than 64 levels"},
      {"{\"" + std::string(2000, 'k') + "\": 1}", "a key is too long"},
      {"{\"baseline\": NaN}", "invalid JSON"},
      {"{\"baseline\": [{\"since\": \"" + std::string(1'000'000, '2') + "\"}]}", "is not well-formed"},
  };
  for (const auto& [text, words] : known) {
    const Errors errors = validate_json(text, "baseline");
    const bool said = std::any_of(errors.begin(), errors.end(), [&](const Error& one) {
      return one.what.find(words) != std::string::npos;
    });
    EXPECT_TRUE(said) << text.substr(0, 80) << "\n" << to_string(errors).substr(0, 500);
  }
}

TEST(Json, EqualKeysInDifferentMapsAreFine) {
  const Errors errors = validate_json(
      R"({"baseline": [{"case": "a", "engine": "e", "verdict": "crash", "reason": "r", "since": "2026-01-01"},
                       {"case": "a", "engine": "e", "verdict": "crash", "reason": "r", "since": "2026-01-01"}]})",
      "baseline");
  EXPECT_TRUE(errors.empty()) << to_string(errors);
}

}  // namespace
}  // namespace scatterproof::spec
