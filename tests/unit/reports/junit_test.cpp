// SPDX-License-Identifier: Apache-2.0
// The XML is XML whatever the strings, and its counts are those of its cases.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <pugixml.hpp>

#include "hostile.hpp"

namespace scatterproof::reports {
namespace {

std::string junit_of(const spec::Run& run) { return rendered_as("junit", run); }

TEST(JUnit, IsXmlWhateverTheBytes) {
  for (const std::string& hostile : hostile_strings()) {
    const std::string xml = junit_of(hostile_run(hostile));
    pugi::xml_document document;
    const auto parsed = document.load_buffer(xml.data(), xml.size(), pugi::parse_full, pugi::encoding_utf8);
    ASSERT_TRUE(parsed) << parsed.description() << " at " << parsed.offset;
    for (const char byte : xml)
      ASSERT_TRUE(static_cast<unsigned char>(byte) >= 0x20 || byte == '\n' || byte == '\t');
    const std::string path = testing::TempDir() + "scatterproof_junit_test.xml";
    std::ofstream(path, std::ios::binary) << xml;
    if (std::system("command -v xmllint >/dev/null") == 0) {  // a stricter reader than pugixml
      EXPECT_EQ(std::system(("xmllint --noout '" + path + "'").c_str()), 0);
    }
  }
}

TEST(JUnit, AHostThatIsNotKnownIsNotNamed) {
  spec::Run run = hostile_run("x");
  run.header.machine = "Example CPU";
  run.header.host = "";
  EXPECT_EQ(junit_of(run).find("hostname"), std::string::npos);
  run.header.host = "example";
  EXPECT_NE(junit_of(run).find("hostname=\"example\""), std::string::npos);
}

TEST(JUnit, StringsAreCapped) {
  const std::string xml = junit_of(hostile_run(std::string(1000000, 'x')));
  EXPECT_NE(xml.find("(995904 more bytes)"), std::string::npos);
  EXPECT_EQ(xml.find(std::string(4097, 'x')), std::string::npos);
}

TEST(JUnit, CallsThatWereSkippedAreACaseOfTheirSuite) {
  spec::Run run = hostile_run("x");
  run.trailer->skipped = {{"torch", "torch.gather", 12}};
  const std::string xml = junit_of(run);
  pugi::xml_document document;
  ASSERT_TRUE(document.load_buffer(xml.data(), xml.size()));
  const pugi::xml_node root = document.child("testsuites");
  EXPECT_EQ(root.attribute("skipped").as_int(), 6);
  const pugi::xml_node suite = root.find_child_by_attribute("testsuite", "name", "torch torch.gather");
  EXPECT_EQ(suite.attribute("skipped").as_int(), 1);
  const pugi::xml_node one = suite.find_child_by_attribute("testcase", "name", "torch.gather/skipped");
  EXPECT_STREQ(one.child("skipped").attribute("message").value(),
               "skipped after 3 time-outs: 12 calls of torch.gather on torch");
}

TEST(JUnit, CountsAreThoseOfTheCases) {
  const std::string xml = junit_of(hostile_run("x"));
  pugi::xml_document document;
  ASSERT_TRUE(document.load_buffer(xml.data(), xml.size()));
  const pugi::xml_node root = document.child("testsuites");
  int suites = 0;
  for (const pugi::xml_node suite : root.children("testsuite")) {
    ++suites;
    EXPECT_EQ(suite.attribute("tests").as_int(), static_cast<int>(suite.select_nodes("testcase").size()));
    EXPECT_EQ(suite.attribute("failures").as_int(),
              static_cast<int>(suite.select_nodes("testcase/failure").size()));
    EXPECT_EQ(suite.attribute("errors").as_int(),
              static_cast<int>(suite.select_nodes("testcase/error").size()));
    EXPECT_EQ(suite.attribute("skipped").as_int(),
              static_cast<int>(suite.select_nodes("testcase/skipped").size()));
  }
  EXPECT_EQ(suites, 2);
  EXPECT_EQ(root.attribute("tests").as_int(),
            12);  // 8 records, an engine, a stale entry, a gate, the interruption
  EXPECT_EQ(root.attribute("failures").as_int(), 3);  // the mismatch, the stale entry and the gate
  EXPECT_EQ(root.attribute("errors").as_int(), 2);    // the crash and the interruption
  EXPECT_EQ(root.attribute("skipped").as_int(), 5);   // open, unsupported, two known, the engine
}

}  // namespace
}  // namespace scatterproof::reports
