// SPDX-License-Identifier: Apache-2.0
// The XML is XML whatever the strings, and its counts are those of its cases.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <pugixml.hpp>
#include <sstream>

#include "scatterproof/reports/reporter.hpp"

namespace scatterproof::reports {
namespace {

spec::Record record_of(const std::string& hostile, spec::Verdict verdict, spec::Disposition disposition) {
  spec::Record record;
  record.id = record.api = record.engine = record.version = record.device = hostile;
  record.explanation = record.reproduce = record.known_reason = hostile;
  record.verdict = verdict;
  record.disposition = disposition;
  return record;
}

std::string junit_of(const spec::Run& run) {
  std::ostringstream out;
  replay(run, *make_reporter("junit", out, {}));
  return out.str();
}

/// A run in which every string holds the given bytes, with every way a case can end.
spec::Run run_of(const std::string& hostile) {
  spec::Run run;
  run.header.started = run.header.machine = run.header.host = hostile;
  run.header.engines = {{hostile, hostile, hostile, "unavailable: " + hostile}};
  using enum spec::Verdict;
  for (const auto verdict : {pass, weak, open, unsupported})
    run.records.push_back(record_of(hostile, verdict, spec::Disposition::as_expected));
  for (const auto verdict : {mismatch, crash})
    for (const auto disposition : {spec::Disposition::unexpected, spec::Disposition::known})
      run.records.push_back(record_of(hostile, verdict, disposition));
  run.trailer = spec::Trailer{hostile + ".", true, run.records.size(), 1, {{hostile, 1, hostile}}, hostile};
  return run;
}

TEST(JUnit, IsXmlWhateverTheBytes) {
  std::string every_byte;
  for (int b = 0; b < 256; ++b) every_byte += static_cast<char>(b);
  for (const std::string& hostile :
       {every_byte, std::string("]]>"), std::string("<!-- -- > -->"), std::string("\xef\xbf\xbe\xef\xbf\xbf"),
        std::string("\xed\xa0\x80"), std::string("\xc0\x80"), std::string(100000, '\x12'),
        std::string("&amp;&#0;")}) {
    const std::string xml = junit_of(run_of(hostile));
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
  spec::Run run = run_of("x");
  run.header.machine = "Example CPU";
  run.header.host = "";
  EXPECT_EQ(junit_of(run).find("hostname"), std::string::npos);
  run.header.host = "example";
  EXPECT_NE(junit_of(run).find("hostname=\"example\""), std::string::npos);
}

TEST(JUnit, StringsAreCapped) {
  const std::string xml = junit_of(run_of(std::string(1000000, 'x')));
  EXPECT_NE(xml.find("(995904 more bytes)"), std::string::npos);
  EXPECT_EQ(xml.find(std::string(4097, 'x')), std::string::npos);
}

TEST(JUnit, CountsAreThoseOfTheCases) {
  const std::string xml = junit_of(run_of("x"));
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
  EXPECT_EQ(root.attribute("tests").as_int(), 11);    // 8 records, an engine, a stale entry, the interruption
  EXPECT_EQ(root.attribute("failures").as_int(), 2);  // the mismatch and the stale entry
  EXPECT_EQ(root.attribute("errors").as_int(), 2);    // the crash and the interruption
  EXPECT_EQ(root.attribute("skipped").as_int(), 5);   // open, unsupported, two known, the engine
}

}  // namespace
}  // namespace scatterproof::reports
