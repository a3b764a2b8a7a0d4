// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/catalogue/imported_cases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>

namespace scatterproof::runner {
namespace {

/// `imported/` and the last two parts of the test's path, in the letters that an id may have.
std::string id_of(const std::string& test) {
  const std::filesystem::path path(test);
  std::string id = fmt::format("imported/{}", (path.parent_path().filename() / path.filename()).string());
  for (char& c : id)
    if (!std::isalnum(static_cast<unsigned char>(c)) &&
        std::string_view("._+-/").find(c) == std::string_view::npos)
      c = '_';
  return id;
}

/// The case that the recorded call becomes, or why it cannot become one. A case that is written to a file is
/// read again: so the call is checked against the spec, and anything that reading would change is noticed.
spec::Result<spec::Case> case_of(const engines::RecordedCall& test, const std::string& suite,
                                 const spec::SpecLibrary& specs) {
  const auto* produced = std::get_if<spec::Produced>(&test.outcome.what);
  if (!produced || produced->tensors.size() != 1) return spec::Error{.what = "it expects no result"};
  spec::Case one;
  one.id = fmt::format("{}/{}", test.call.api, id_of(test.from));
  one.why = fmt::format("{}: {}", suite, test.from);
  one.call = test.call;
  one.expect.kind = spec::CaseExpectation::Kind::values;
  one.expect.values = produced->tensors;
  auto read = spec::load_cases_text(test.from, spec::to_yaml(one), specs);
  if (!read) return read.errors();
  if (!spec::identical(read->front().expect.values.front(), one.expect.values.front()))
    return spec::Error{.what = fmt::format("it expects a result of {}{}, which the call does not have",
                                           spec::name(one.expect.values.front().dtype()),
                                           spec::to_string(one.expect.values.front().shape()))};
  return std::move(read->front());
}

}  // namespace

ImportedCases imported_cases(const engines::Recording& tests, const std::string& suite,
                             const spec::SpecLibrary& specs) {
  ImportedCases imported;
  std::set<std::string> taken;
  for (const engines::RecordedCall& test : tests.calls) {
    const auto* unsupported = std::get_if<spec::Unsupported>(&test.outcome.what);
    if (unsupported && !specs.find(test.call.api) && unsupported->reason == "another operator") {
      ++imported.others;
      continue;
    }
    if (unsupported) {
      imported.left_out.push_back(fmt::format("{}: {}", test.from, unsupported->reason));
      continue;
    }
    auto made = case_of(test, suite, specs);
    if (!made)
      imported.left_out.push_back(fmt::format("{}: {}", test.from, made.errors().front().what));
    else if (!taken.insert(made->id).second)
      imported.left_out.push_back(fmt::format("{}: another test has the id {}", test.from, made->id));
    else
      imported.of_api[test.call.api].push_back(std::move(made).value());
  }
  return imported;
}

}  // namespace scatterproof::runner
