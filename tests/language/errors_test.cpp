// SPDX-License-Identifier: Apache-2.0
// What is wrong with a text is said at its place, with a way out.
#include "support.hpp"

namespace scatterproof::spec::language {
namespace {

/// `column: what (hint)` of each error; the text stands at line 3, column 1.
std::string errors_of(const std::string& text, Types expected = any_types) {
  const auto parsed = parse_expression({"spec.yaml", {3, 1}, text}, scatter_world().scope, expected);
  if (parsed) return "no error";
  std::string all;
  for (const Error& error : parsed.errors()) {
    EXPECT_EQ(error.file, "spec.yaml");
    all += (all.empty() ? "" : "; ") + std::to_string(error.at.line) + ":" + std::to_string(error.at.column) + " " +
           error.what + (error.hint.empty() ? "" : " (" + error.hint + ")");
  }
  return all;
}

struct Row {
  const char* text;
  const char* errors;
};
void PrintTo(const Row& row, std::ostream* out) { *out << row.text; }

class ErrorsOf : public testing::TestWithParam<Row> {};

TEST_P(ErrorsOf, NameThePlaceAndTheWayOut) { EXPECT_EQ(errors_of(GetParam().text), GetParam().errors); }

INSTANTIATE_TEST_SUITE_P(
    Syntax, ErrorsOf,
    testing::Values(Row{"", "3:1 expected an expression"}, Row{"1 +", "3:4 expected an operand"}));

}  // namespace
}  // namespace scatterproof::spec::language
