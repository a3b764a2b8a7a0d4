// SPDX-License-Identifier: Apache-2.0
// Records as JSON lines and back: nothing is lost, nothing throws, damage is named.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <limits>
#include <sstream>
#include <thread>
#include <utility>

#include "record_spool.hpp"
#include "scatterproof/reports/reporter.hpp"

namespace scatterproof::spec {
namespace {

Header header() {
  Header header;
  header.tool_version = "0.1.0";
  header.started = "2024-05-01T12:00:00Z";
  header.command_line = "scatterproof run \"a b\"";
  header.machine = "a machine";
  header.seed = 18446744073709551615U;
  header.libraries = {{"fmt", "9.1.0"}};
  header.engines = {
      {.name = "cmd:./mine", .version = "0.1.0", .device = "cpu", .state = "ready", .declared = "mine"}};
  header.planned = 2;
  return header;
}
Record record() {
  Record record;
  record.id = "torch.gather/doc/example-5";
  record.api = "torch.gather";
  record.engine = "torch@2.13.0";
  record.version = "2.13.0";
  record.device = "cpu";
  record.verdict = Verdict::mismatch;
  record.mode = ComparisonMode::bound;
  record.disposition = Disposition::known;
  record.diagnosis = {DiagnosisKind::unexpected_refusal, "RuntimeError", {}};
  record.outcome = OutcomeSummary{.kind = "produced",
                                  .wrote = {"self"},
                                  .dtype = "f32",
                                  .shape = {2, 1},
                                  .digest = "0123456789abcdef",
                                  .values = "[[1.0], [2.0]]"};
  record.broken = {"index-in-range", "same-rank"};
  record.practice = {DiagnosisKind::index_clamped, "index", {}};
  record.recast = "f32, index i32";
  record.explanation = "one\ntwo\t\"three\"\\";
  record.message = "Exception from a.cpp:3:\nwhy";
  record.reproduce = "scatterproof run 'torch.gather/doc/example-5'";
  record.known_reason = "because";
  record.known_file = "ci.yaml";
  record.known_line = 12;
  record.bound = 0.1;
  record.sensitivity = 1e300;
  record.number = 7;
  record.call_globs = {{"* index=i32[*", 2}, {"*=f64[*", 0}};
  record.passed = 40;
  record.seed = 3;
  record.call_seconds = 1e-9;
  record.judge_seconds = 0.25;
  return record;
}
Trailer trailer(std::size_t records) {
  Trailer one{"2024-05-01T12:00:01Z",       true, records, 2, {{"baseline.yaml", 3, "never matched"}},
              "scatterproof run --resume x"};
  one.calls_per_second = 12.5;
  one.gates = {{"min-coverage", "too little"}};
  one.reach = {{"so:./mine.so", 9, 2, {"of rank 3 or more"}}};
  one.next = "scatterproof fuzz";
  one.skipped = {{"torch", "torch.gather", 12}};
  one.unreached = {"numpy.put", "numpy.take"};
  return one;
}

class Stream : public testing::Test {
 protected:
  Result<spec::Run> read(const std::string& text) {
    const std::string path = testing::TempDir() + "scatterproof_stream_test.jsonl";
    std::ofstream(path, std::ios::binary) << text;
    return read_stream(path);
  }
  /// `line: what` of the only error, or what came instead.
  std::string error_of(const std::string& text) {
    const auto run = read(text);
    if (run) return "no error";
    if (run.errors().size() != 1) return to_string(run.errors());
    return std::to_string(run.errors()[0].at.line) + ": " + run.errors()[0].what;
  }
  const std::string head = to_json_line(header()) + "\n";
  const std::string line = to_json_line(record()) + "\n";
};

TEST_F(Stream, ComesBackAsItWent) {
  const auto run = read(head + line + to_json_line(trailer(1)) + "\n");
  ASSERT_TRUE(run) << to_string(run.errors());
  EXPECT_EQ(run->header.seed, 18446744073709551615U);
  EXPECT_EQ(run->header.command_line, "scatterproof run \"a b\"");
  EXPECT_EQ(run->header.machine, "a machine");
  EXPECT_EQ(run->header.started, "2024-05-01T12:00:00Z");
  EXPECT_EQ(run->header.tool_version, "0.1.0");
  EXPECT_EQ(run->header.libraries.at("fmt"), "9.1.0");
  EXPECT_EQ(run->header.planned, 2U);
  ASSERT_EQ(run->header.engines.size(), 1U);
  EXPECT_EQ(run->header.engines[0].name, "cmd:./mine");
  EXPECT_EQ(run->header.engines[0].declared, "mine");
  EXPECT_EQ(run->header.engines[0].version, "0.1.0");
  EXPECT_EQ(run->header.engines[0].device, "cpu");
  EXPECT_EQ(run->header.engines[0].state, "ready");
  ASSERT_EQ(run->records.size(), 1U);
  const Record& back = run->records[0];
  EXPECT_EQ(back.id, "torch.gather/doc/example-5");
  EXPECT_EQ(back.api, "torch.gather");
  EXPECT_EQ(back.engine, "torch@2.13.0");
  EXPECT_EQ(back.version, "2.13.0");
  EXPECT_EQ(back.device, "cpu");
  EXPECT_EQ(back.verdict, Verdict::mismatch);
  EXPECT_EQ(back.mode, ComparisonMode::bound);
  EXPECT_EQ(back.disposition, Disposition::known);
  EXPECT_EQ(back.diagnosis, (Diagnosis{DiagnosisKind::unexpected_refusal, "RuntimeError", {}}));
  ASSERT_TRUE(back.outcome);
  EXPECT_EQ(back.outcome->kind, "produced");
  EXPECT_EQ(back.outcome->dtype, "f32");
  EXPECT_EQ(back.outcome->shape, (Shape{2, 1}));
  EXPECT_EQ(back.outcome->digest, "0123456789abcdef");
  EXPECT_EQ(back.outcome->values, "[[1.0], [2.0]]");
  EXPECT_EQ(back.broken, (std::vector<std::string>{"index-in-range", "same-rank"}));
  EXPECT_EQ(back.outcome->wrote, record().outcome->wrote);
  EXPECT_EQ(back.practice, (Diagnosis{DiagnosisKind::index_clamped, "index", {}}));
  EXPECT_EQ(back.recast, "f32, index i32");
  EXPECT_EQ(back.explanation, "one\ntwo\t\"three\"\\");
  EXPECT_EQ(back.message, "Exception from a.cpp:3:\nwhy");
  EXPECT_EQ(back.reproduce, "scatterproof run 'torch.gather/doc/example-5'");
  EXPECT_EQ(back.known_reason, "because");
  EXPECT_EQ(back.known_file, "ci.yaml");
  EXPECT_EQ(back.known_line, 12);
  EXPECT_EQ(back.bound, 0.1);
  EXPECT_EQ(back.sensitivity, 1e300);
  EXPECT_EQ(back.seed, 3U);
  EXPECT_EQ(back.call_seconds, 1e-9);
  EXPECT_EQ(back.judge_seconds, 0.25);
  ASSERT_TRUE(run->trailer);
  EXPECT_EQ(run->trailer->ended, "2024-05-01T12:00:01Z");
  EXPECT_TRUE(run->trailer->interrupted);
  EXPECT_EQ(run->trailer->records, 1U);
  EXPECT_EQ(run->trailer->exit_code, 2);
  EXPECT_EQ(run->trailer->resume, "scatterproof run --resume x");
  ASSERT_EQ(run->trailer->stale.size(), 1U);
  EXPECT_EQ(run->trailer->stale[0].file, "baseline.yaml");
  EXPECT_EQ(run->trailer->stale[0].line, 3);
  EXPECT_EQ(run->trailer->stale[0].text, "never matched");
  EXPECT_EQ(run->trailer->calls_per_second, 12.5);
  ASSERT_EQ(run->trailer->gates.size(), 1U);
  EXPECT_EQ(run->trailer->gates[0].gate, "min-coverage");
  EXPECT_EQ(run->trailer->gates[0].text, "too little");
  ASSERT_EQ(run->trailer->reach.size(), 1U);
  EXPECT_EQ(run->trailer->reach[0].engine, "so:./mine.so");
  EXPECT_EQ(run->trailer->reach[0].calls, 9U);
  EXPECT_EQ(run->trailer->reach[0].reached, 2U);
  EXPECT_EQ(run->trailer->reach[0].never, std::vector<std::string>{"of rank 3 or more"});
  EXPECT_EQ(run->trailer->next, "scatterproof fuzz");
  ASSERT_EQ(run->trailer->skipped.size(), 1U);
  EXPECT_EQ(run->trailer->skipped[0].engine, "torch");
  EXPECT_EQ(run->trailer->skipped[0].api, "torch.gather");
  EXPECT_EQ(run->trailer->skipped[0].calls, 12U);
  EXPECT_EQ(run->trailer->unreached, (std::vector<std::string>{"numpy.put", "numpy.take"}));
}

TEST_F(Stream, EveryWordComesBack) {
  std::string text = head;
  std::vector<Record> sent;
  for (int verdict = 0; verdict < 11; ++verdict) {
    Record one = record();
    one.id += std::to_string(verdict);
    one.verdict = static_cast<Verdict>(verdict);
    one.mode = static_cast<ComparisonMode>(verdict % 5);
    one.disposition = static_cast<Disposition>(verdict % 3);
    sent.push_back(one);
    text += to_json_line(one) + "\n";
  }
  const auto run = read(text);
  ASSERT_TRUE(run) << to_string(run.errors());
  ASSERT_EQ(run->records.size(), sent.size());
  for (std::size_t i = 0; i < sent.size(); ++i) {
    EXPECT_EQ(run->records[i].verdict, sent[i].verdict);
    EXPECT_EQ(run->records[i].mode, sent[i].mode);
    EXPECT_EQ(run->records[i].disposition, sent[i].disposition);
  }
}

TEST_F(Stream, NumbersThatJsonLacksAreLeftOut) {
  for (const double number : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    Record one = record();
    one.bound = one.sensitivity = number;
    one.call_seconds = one.judge_seconds = number;
    const std::string text = to_json_line(one);
    for (const char* word : {"nan", "inf", "null", "\"bound\":", "\"sensitivity\":"})
      EXPECT_EQ(text.find(word), std::string::npos) << word;
    const auto run = read(head + text + "\n");
    ASSERT_TRUE(run) << to_string(run.errors());
    EXPECT_FALSE(run->records[0].bound);
    EXPECT_EQ(run->records[0].call_seconds, 0);
  }
}

TEST_F(Stream, AnyBytesMakeALine) {
  Record one = record();
  one.explanation.clear();
  for (int b = 0; b < 256; ++b) one.explanation += static_cast<char>(b);
  const std::string text = to_json_line(one);
  EXPECT_EQ(text.find('\n'), std::string::npos);
  EXPECT_NE(text.find("\xef\xbf\xbd"), std::string::npos);  // the replacement character
  const auto run = read(head + text + "\n");
  ASSERT_TRUE(run) << to_string(run.errors());
  EXPECT_EQ(run->records[0].explanation.substr(0, 128), one.explanation.substr(0, 128));
}

TEST_F(Stream, ACutOffLastLineIsNoError) {
  const std::string whole = head + line + line;
  for (std::size_t end = head.size(); end < whole.size(); end += 7) {
    const auto run = read(whole.substr(0, end));
    ASSERT_TRUE(run) << end << "\n" << to_string(run.errors());
    EXPECT_FALSE(run->trailer);
    EXPECT_EQ(run->records.size(), (end - head.size() + 1) / line.size());
  }
}

TEST_F(Stream, AnEndThatCountsOtherRecordsIsNoEnd) {
  const auto run = read(head + line + to_json_line(trailer(2)));  // no newline: it may be cut off
  ASSERT_TRUE(run);
  EXPECT_FALSE(run->trailer);
}

TEST_F(Stream, DamageIsNamedByLine) {
  EXPECT_EQ(error_of(""), "0: the file is empty");
  EXPECT_EQ(error_of(head.substr(0, 20)), "1: not a line of JSON");
  EXPECT_EQ(error_of(line), "1: the stream does not begin with a header");
  EXPECT_EQ(error_of(head + "{\n" + line), "2: not a line of JSON");
  EXPECT_EQ(error_of(head + "\n" + line), "2: not a line of JSON");
  EXPECT_EQ(error_of(head + "[1]\n"), "2: not a JSON object");
  EXPECT_EQ(error_of(head + "{\"type\":\"bad\"}\n"), "2: 'type' has the unknown value 'bad'");
  EXPECT_EQ(error_of(head + "{\"type\":\"record\"}\n"), "2: 'id' is missing");
  EXPECT_EQ(error_of(head + "{\"type\":\"record\",\"id\":3}\n"), "2: 'id' is not a string");
  EXPECT_EQ(error_of(head + head), "2: a second header");
  EXPECT_EQ(error_of(head + to_json_line(trailer(0)) + "\n" + line), "3: a line after the end record");
  EXPECT_EQ(error_of(head + to_json_line(trailer(2)) + "\n"),
            "2: the end record counts 2 records, the stream has 0");
  EXPECT_EQ(error_of(head + std::string(100000, '[') + "\n"), "2: not a line of JSON");
  std::string later = head;
  later.replace(later.find("\"stream_version\":2"), 18, "\"stream_version\":3");
  EXPECT_EQ(error_of(later), "1: stream version 3 is unknown: this program reads 1 to 2");
  std::string word = line;
  word.replace(word.find("mismatch"), 8, "mishmash");
  EXPECT_EQ(error_of(head + word), "2: 'verdict' has the unknown value 'mishmash'");
  std::string negative = line;
  negative.replace(negative.find("\"seed\":3"), 8, "\"seed\":-3");
  EXPECT_EQ(error_of(head + negative), "2: 'seed' is not an integer of at least 0");
}

TEST_F(Stream, AllDamageAtOnce) {
  const auto run = read(head + "{\n" + line + "{}\n");
  ASSERT_FALSE(run);
  ASSERT_EQ(run.errors().size(), 2U);
  EXPECT_EQ(run.errors()[0].at.line, 2);
  EXPECT_EQ(run.errors()[1].at.line, 4);
  EXPECT_FALSE(read_stream("/nonexistent/stream.jsonl"));
}

TEST_F(Stream, ALineReadQuicklyIsWhatAnyReaderReads) {
  // The line again, or why not. A space before it keeps it from the reader of what to_json_line writes.
  const auto read_line = [&](const std::string& text) {
    const auto run = read(head + text + "\n");
    if (!run) return to_string(run.errors());
    return run->records.size() == 1 ? to_json_line(run->records[0]) : std::string("no record");
  };
  std::string text = to_json_line(record());
  EXPECT_EQ(read_line(text), text);
  for (std::size_t at = 0; at < text.size(); ++at)
    for (const char c : {'"', '\\', '0', '.', 'e', ',', '}', '\x7f', '\xc3'}) {
      const char was = std::exchange(text[at], c);
      ASSERT_EQ(read_line(text), read_line(' ' + text)) << text;
      text[at] = was;
    }
  for (const char* number :
       {"-0", "-1", "01", "1.", ".5", "1e5", "1E-400", "1e400", "18446744073709551616", "0.1"}) {
    std::string other = text;
    const std::size_t begin = other.find("\"bound\":") + 8;
    other.replace(begin, other.find(',', begin) - begin, number);
    EXPECT_EQ(read_line(other), read_line(' ' + other)) << other;
  }
}

class File : public Stream {
 protected:
  /// Of a call of its own.
  static std::string line_of(std::size_t number) {
    Record one = record();
    one.id += std::to_string(number);
    return to_json_line(one) + "\n";
  }
  std::string write(const std::string& text) {
    const std::string path = testing::TempDir() + "scatterproof_stream_file_test.jsonl";
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }
  static std::vector<std::uint64_t> places_in(const StreamFile& stream) {
    std::vector<std::uint64_t> places;
    EXPECT_TRUE(stream.each([&](const Record&, std::uint64_t place) { places.push_back(place); }).empty());
    return places;
  }
};

TEST_F(File, GivesItsRecordsAsOftenAsAsked) {
  std::vector<std::uint64_t> looked;
  const std::string other = line_of(2);
  const auto stream = StreamFile::open(write(head + line + other + to_json_line(trailer(2))),
                                       [&](const Record&, std::uint64_t place) { looked.push_back(place); });
  ASSERT_TRUE(stream);
  EXPECT_EQ(looked, (std::vector<std::uint64_t>{head.size(), head.size() + line.size()}));
  for (int i = 0; i < 2; ++i) EXPECT_EQ(places_in(*stream), looked);
  const auto second = stream->at(looked[1]);
  ASSERT_TRUE(second);
  EXPECT_EQ(to_json_line(*second) + "\n", other);
}

TEST_F(File, HasOneRecordOfACallOnAnEngine) {
  Record other = record();
  other.engine = "another@1";
  const auto stream = StreamFile::open(write(head + line + to_json_line(other) + "\n" + line));
  ASSERT_FALSE(stream);
  EXPECT_NE(to_string(stream.errors()).find(":4:1: error: a second record of "), std::string::npos);
  Record kind = record();
  kind.outcome.reset();
  EXPECT_TRUE(StreamFile::open(write(head + to_json_line(kind) + "\n" + to_json_line(kind) + "\n")));
}

TEST_F(File, IsWhatItWasWhenItWasOpened) {
  const std::string path = write(head + line);
  const auto stream = StreamFile::open(path);
  ASSERT_TRUE(stream);
  std::ofstream(path, std::ios::binary | std::ios::app) << line;
  EXPECT_EQ(places_in(*stream).size(), 1U);
  std::ofstream(path, std::ios::binary | std::ios::trunc) << head;
  EXPECT_FALSE(stream->each([](const Record&, std::uint64_t) {}).empty());
  EXPECT_FALSE(stream->at(head.size()));
}

TEST_F(File, OfAPipeIsKept) {
  const std::string path = testing::TempDir() + "scatterproof_stream_pipe";
  std::remove(path.c_str());
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  std::string text = head;
  constexpr std::size_t records = 5000;
  for (std::size_t i = 0; i < records; ++i) text += line_of(i);
  std::thread writer([&] { std::ofstream(path, std::ios::binary) << text; });
  const auto stream = StreamFile::open(path);
  writer.join();
  ASSERT_TRUE(stream);
  EXPECT_EQ(stream->records(), records);
  for (int i = 0; i < 2; ++i) EXPECT_EQ(places_in(*stream).size(), records);
}

TEST_F(Stream, UnknownFieldsAreIgnored) {
  std::string more = line;
  more.replace(more.find("\"seed\""), 6, "\"weather\":[1,{}],\"seed\"");
  EXPECT_TRUE(read(head + more));
}

TEST(Spooled, ARecordComesBackAsItWent) {
  Record one = record();
  one.message = "\xff\0";  // as it came, whatever it holds
  one.retried = {Verdict::pass, Verdict::crash};
  one.file = "a.yaml";
  one.line = 3;
  one.snippet = "x";
  one.count = 4;
  one.call_globs = {{"*=f64[*", 2}};
  one.passed = 9;
  reports::RecordSpool spool;
  std::vector<std::uint64_t> places;
  for (int i = 0; i < 5000; ++i) {
    one.id = std::to_string(i);
    places.push_back(spool.add(one));
  }
  for (int i = 4999; i >= 0; --i) {
    one.id = std::to_string(i);
    const Record back = spool.read(places[static_cast<std::size_t>(i)]);
    ASSERT_EQ(to_json_line(back), to_json_line(one));
    ASSERT_EQ(back.message, one.message);
  }
}

TEST_F(Stream, EachLineIsFlushedAsItComes) {
  struct Counting : std::stringbuf {
    int sync() override { return ++flushes, 0; }
    int flushes = 0;
  } buffer;
  std::ostream out(&buffer);
  const auto reporter = reports::make_reporter("jsonl", out, {});
  reporter->run_started(header());
  EXPECT_EQ(buffer.flushes, 1);
  reporter->call_judged(record());
  EXPECT_EQ(buffer.flushes, 2);
  EXPECT_EQ(buffer.str(), head + line);
}

}  // namespace
}  // namespace scatterproof::spec
