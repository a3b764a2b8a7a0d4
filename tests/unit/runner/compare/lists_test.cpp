// SPDX-License-Identifier: Apache-2.0
// classes.yaml and readings.yaml: what is wrong with one is told with its place.
#include <filesystem>
#include <fstream>

#include "shared.hpp"

namespace scatterproof::runner::compare {
namespace {

namespace fs = std::filesystem;

constexpr auto sound_readings = R"x(readings:
  - id: clamps
    letter: c
    says: the nearest place
    index: "max(0, min(i, s - 1))"
)x";
constexpr auto sound_classes = R"(classes:
  - id: index/beyond
    says: an index is too great
    some: "i >= s"
    readings: [clamps]
)";

/// The errors of a folder with these lists and the shipped meanings.
std::string errors_of(const std::string& readings, const std::string& classes,
                      const std::string& family = "gather_elements") {
  const fs::path folder = fs::path(testing::TempDir()) / "scatterproof-comparisons";
  fs::remove_all(folder);
  fs::create_directories(folder);
  fs::copy(relations::source.data + "/spec/data/comparisons/meanings", folder / "meanings");
  std::ofstream(folder / "readings.yaml") << readings;
  std::ofstream(folder / "classes.yaml") << classes;
  const auto loaded =
      spec::load_comparison(folder.string(), shipped().families, *shipped().families.find(family));
  fs::remove_all(folder);
  return loaded ? "" : spec::to_string(loaded.errors());
}

std::string with(std::string text, const std::string& line, const std::string& instead) {
  return text.replace(text.find(line), line.size(), instead);
}

void expect(const std::string& errors, const std::string& part) {
  EXPECT_NE(errors.find(part), std::string::npos) << "wanted: " << part << "\ngot: " << errors;
}

TEST(Lists, SoundOnesAreRead) { EXPECT_EQ(errors_of(sound_readings, sound_classes), ""); }

TEST(Lists, FaultsAreToldWithTheirPlaceAndAHint) {
  expect(errors_of(sound_readings, with(sound_classes, "[clamps]", "[clmps]")), "unknown reading 'clmps'");
  expect(errors_of(sound_readings, with(sound_classes, "some:", "in: [gather_element]\n    some:")),
         "classes.yaml:4:10: error: unknown family 'gather_element'");
  expect(errors_of(sound_readings, with(sound_classes, "some:", "in: [gather_element]\n    some:")),
         "did you mean 'gather_elements'?");
  expect(errors_of(with(sound_readings, "says:", "in: [Rows]\n    says:"), sound_classes),
         "readings.yaml:4:10: error: ");
  expect(errors_of(with(sound_readings, "says:", "in: [crowds]\n    says:"), sound_classes),
         "the families: flat_gather, ");
  expect(errors_of(sound_readings, with(sound_classes, "i >= s", "j >= s")),
         "classes.yaml:4:12: error: unknown name 'j'");
  expect(errors_of(sound_readings, with(sound_classes, "some: \"i >= s\"", "when: rank(dta) == 1")),
         "classes.yaml:4:16: error: unknown name 'dta'");
  expect(errors_of(sound_readings, with(sound_classes, "some: \"i >= s\"", "overlaps: updates")),
         "classes.yaml:4:15: error: unknown role of gather_elements 'updates'");
  expect(errors_of(with(sound_readings, "index: \"max(0, min(i, s - 1))\"", "cuts: {updates: stream}"),
                   sound_classes),
         "unknown role of gather_elements 'updates'");
  expect(errors_of(with(sound_readings, "index: \"max(0, min(i, s - 1))\"", "combines: lst"), sound_classes),
         "readings.yaml:5:15: error: ");
}

TEST(Lists, AListOfTensorsIsTakenWhereTensorsAreAndNowhereElse) {
  const auto errors_with = [](const std::string& line) {
    return errors_of(with(sound_readings, "index: \"max(0, min(i, s - 1))\"", line), sound_classes,
                     "scatter_tuples");
  };
  for (const char* line : {"cuts: {index: stream}", "casts: {index: i64}", "copies: [index]"})
    EXPECT_EQ(errors_with(line), "") << line;
  for (const char* line : {"values: {index: '0'}", "casts: {updates: index}"})
    expect(errors_with(line), "unknown role of scatter_tuples 'index'");
  expect(errors_of(sound_readings, with(sound_classes, "some: \"i >= s\"", "views: index"), "scatter_tuples"),
         "unknown role of scatter_tuples 'index'");
}

TEST(Lists, TwoReadingsOfAFamilyHaveTwoLetters) {
  std::string two = sound_readings;
  two += "  - id: wraps\n    letter: c\n    says: from the end\n    index: \"i + s\"\n";
  expect(errors_of(two, sound_classes),
         "the readings 'clamps' and 'wraps' of gather_elements have one letter, 'c'");
}

TEST(Lists, TheShippedOnesFitEveryFamily) {
  for (const spec::Family& family : shipped().families.all()) {
    const spec::FamilyComparison comparison = comparison_of(family.name);
    EXPECT_GT(comparison.classes.size(), 5U) << family.name;
    EXPECT_GT(comparison.readings.size(), 5U) << family.name;
  }
}

}  // namespace
}  // namespace scatterproof::runner::compare
