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
    all += (all.empty() ? "" : "; ") + std::to_string(error.at.line) + ":" + std::to_string(error.at.column) +
           " " + error.what + (error.hint.empty() ? "" : " (" + error.hint + ")");
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
    testing::Values(Row{"", "3:1 expected an expression"}, Row{"   ", "3:4 expected an expression"},
                    Row{"1 +", "3:4 expected an operand"}, Row{"1 + * 2", "3:5 expected an operand"},
                    Row{"rank(self", "3:10 expected ')' or ','"}, Row{"(1, 2", "3:6 expected ')' or ','"},
                    Row{"[1, 2", "3:6 expected ']' or ','"}, Row{"index[", "3:7 expected a subscript"},
                    Row{"index[]", "3:7 expected a subscript"}, Row{"index[1", "3:8 expected ']' or ','"},
                    Row{"1 2", "3:3 expected an operator or the end"},
                    Row{"12ab", "3:3 a number ends before a letter"},
                    Row{"\"add", "3:5 the word's closing quote is missing"},
                    Row{"all d dims(self): true", "3:7 expected 'in'"},
                    Row{"all d in dims(self) true", "3:21 expected ':' (all d in DOMAIN: E)"},
                    Row{"all in dims(self): true", "3:5 expected a name"},
                    Row{"if true then 1", "3:15 expected 'else' (if A then B else C)"},
                    Row{"if true 1", "3:9 expected 'then' (if A then B else C)"},
                    Row{"(1, 2) with 0 : 1", "3:15 expected '=' (p with d = x)"},
                    Row{"axis = 0", "3:6 '=' is not a comparison (write '==')"},
                    Row{"(,)", "3:1 a tuple does not begin with a comma"},
                    Row{"(1,,)", "3:4 two commas with nothing between them"},
                    Row{"rank(self)\n  == = 2", "4:6 expected an operand"},
                    Row{"99999999999999999999", "3:1 the integer does not fit 64 bits"},
                    Row{"1e999", "3:1 the number does not fit a double"},
                    Row{"self.shape", "3:5 '.shape' is not supported here (write shape(x))"},
                    Row{"(1, 2)[1:, 2]", "3:10 a slice is x[a:b], of one tuple"},
                    Row{"(1, 2)[1:2:3]", "3:11 expected ']' or ','"},
                    Row{"axis(1)", "3:1 unknown function 'axis'"},
                    Row{"self @ src", "3:6 expected an operator or the end"}));

INSTANTIATE_TEST_SUITE_P(
    Names, ErrorsOf,
    testing::Values(Row{"rank(selff)", "3:6 unknown name 'selff' (did you mean 'self'?)"},
                    Row{"all d in dims(self): all dim2 in dims(self): dim3 == d",
                        "3:46 unknown name 'dim3' (did you mean 'dim2'?)"},
                    Row{"rnk(self) == 1", "3:1 unknown function 'rnk' (did you mean 'rank'?)"},
                    Row{"xyzzy", "3:1 unknown name 'xyzzy'"},
                    Row{"rank(selff) == rank(indx)",
                        "3:6 unknown name 'selff' (did you mean 'self'?); 3:21 unknown name 'indx' (did you "
                        "mean 'index'?)"},
                    Row{"all d in dims(self): d == 0 and all d in (1, 2): true",
                        "3:33 the name 'd' is already taken (choose another name for the variable)"},
                    Row{"all axis in (1, 2): true",
                        "3:1 the name 'axis' is already taken (choose another name for the variable)"},
                    Row{"all f32 in (1, 2): true", "3:5 'f32' is a value, not a name"},
                    Row{"rank == 1", "3:1 unknown name 'rank' (it is a function: write rank(tensor))"}));

INSTANTIATE_TEST_SUITE_P(
    Types, ErrorsOf,
    testing::Values(
        Row{"rank(axis)", "3:6 this is an integer, but a tensor is needed here"},
        Row{"size(self)", "3:1 size takes 2 operands, not 1 (size(tensor, d))"},
        Row{"rank(self, 1)", "3:1 rank takes 1 operand, not 2 (rank(tensor))"},
        Row{"range()", "3:1 range takes 1 or 2 operands, not 0 (range(a, b))"},
        Row{"max()", "3:1 max takes at least 1 operands, not 0 (max(a, b, ..))"},
        Row{"size(self, 8)", "3:12 dimension 8 is out of range (a tensor has at most 8 dimensions)"},
        Row{"axis[0]", "3:1 this is an integer, which has no subscripts"},
        Row{"reduce[0]", "3:1 this is a word, which has no subscripts"},
        Row{"rank(self)[0]", "3:1 this is an integer, which has no subscripts"},
        Row{"self[reduce]", "3:6 this is a word, but an integer, a tuple or a tensor is needed here"},
        Row{"shape(self)[0][1]", "3:16 a tuple takes one subscript"},
        Row{"self[1:]", "3:1 this is a tensor, but a tuple is needed here"},
        Row{"not axis", "3:5 this is an integer, but a boolean is needed here"},
        Row{"axis and true", "3:1 this is an integer, but a boolean is needed here"},
        Row{"self + 1", "3:1 this is a tensor, but an integer or a number is needed here"},
        Row{"1.5 // 2", "3:1 this is a number, but an integer is needed here"},
        Row{"shape(self) ++ 1", "3:16 this is an integer, but a tuple is needed here"},
        Row{"self == src",
            "3:1 tensors cannot be compared as a whole (all p in positions(shape(x)): x[p] == y[p])"},
        Row{"shape(self) < (1,)", "3:1 this is a tuple, which '<' cannot order"},
        Row{"1 < reduce", "3:5 this is a word, which '<' cannot order"},
        Row{"rank(self) == \"add\"", "3:1 an integer is never a word"},
        Row{"axis in 5", "3:9 this is an integer, but 'in' asks for a tuple or a list"},
        Row{"axis in [\"a\"]", "3:1 this is an integer, which is never in that list"},
        Row{"[1, 2]", "3:1 a list [..] is only allowed after 'in' (write a tuple (..))"},
        Row{"positions((1, 2))", "3:1 positions(..) is only the domain of all, any, unique or for"},
        Row{"each p in positions((2,)): 1",
            "3:11 positions(..) is only the domain of all, any, unique or for"},
        Row{"all d in self: true", "3:10 this is a tensor, but a tuple is needed here"},
        Row{"all d in (1, 2): d", "3:18 this is an integer, but a boolean is needed here"},
        Row{"unique d in (1, 2): d == 1", "3:21 this is a boolean, but an integer or a tuple is needed here"},
        Row{"(true, 1)", "3:2 this is a boolean, but an integer is needed here"},
        Row{"-shape(self)", "3:2 this is a tuple, but an integer or a number is needed here"},
        Row{"if axis then 1 else 2", "3:4 this is an integer, but a boolean is needed here"},
        Row{"is_float(self)", "3:10 this is a tensor, but a dtype is needed here"}));

TEST(Errors, TheWholeMustBeWhatIsAskedFor) {
  EXPECT_EQ(errors_of("rank(self)", truth), "3:1 this is an integer, but a boolean is needed here");
  EXPECT_EQ(errors_of("1", Type::number | Type::tensor), "no error");
  EXPECT_EQ(errors_of("1.5", static_cast<Types>(Type::integer)),
            "3:1 this is a number, but an integer is needed here");
}

std::string write_errors(const std::string& text) {
  const auto write = parse_write({"spec.yaml", {3, 1}, text}, scatter_world().scope);
  return write ? "no error" : to_string(write.errors());
}

TEST(Errors, OfWrites) {
  EXPECT_EQ(write_errors("out[0] <- 1"), "no error");
  EXPECT_EQ(write_errors("self[0] <- 1"),
            "spec.yaml:3:1: error: the result is called 'out' here, not 'self'\n");
  EXPECT_EQ(write_errors("out[0, 1] <- 1"),
            "spec.yaml:3:4: error: expected one position\n  hint: write a tuple: out[(i, j)] <- VALUE\n");
  EXPECT_EQ(write_errors("out[0] = 1"), "spec.yaml:3:8: error: expected '<-' (out[POSITION] <- VALUE)\n");
  EXPECT_EQ(write_errors("out <- 1"), "spec.yaml:3:5: error: expected out[POSITION] <- VALUE\n");
  EXPECT_EQ(write_errors("out[a] <- b"),
            "spec.yaml:3:5: error: unknown name 'a'\nspec.yaml:3:11: error: unknown name 'b'\n");
  EXPECT_EQ(write_errors("out[true] <- reduce"),
            "spec.yaml:3:5: error: this is a boolean, but an integer or a tuple is needed here\n"
            "spec.yaml:3:14: error: this is a word, but a boolean or a number is needed here\n");
}

TEST(Errors, HostileTextsAreRefusedSoon) {
  const auto many = [](std::string text) {
    std::string all;
    for (int i = 0; i < 10'000; ++i) all += text;
    return all;
  };
  for (const std::string& text :
       {many("("), many("not "), many("-"), many("if true then 1 else ").substr(0, 60'000), many("[")})
    EXPECT_NE(errors_of(text).find("nested too deeply"), std::string::npos) << text.substr(0, 10);
  EXPECT_NE(errors_of("self" + many("[0]")).find("more subscripts than a tensor can have dimensions"),
            std::string::npos);
  EXPECT_EQ(errors_of(many("1 + ") + "1"), "no error");
  EXPECT_EQ(errors_of(many("true and ").substr(0, 60'000) + " true"),
            "3:60000 expected an operator or the end");
  EXPECT_EQ(errors_of(std::string(70'000, ' ') + "1"), "3:1 the expression is longer than 64 KiB");
  EXPECT_EQ(errors_of(std::string("1 \0+ 2", 6)), "3:3 expected an operator or the end");
  EXPECT_EQ(errors_of("\xff\xfe"), "3:1 expected an expression");
}

}  // namespace
}  // namespace scatterproof::spec::language
