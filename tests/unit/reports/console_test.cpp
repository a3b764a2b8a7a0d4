// SPDX-License-Identifier: Apache-2.0
// What the console folds, and that it folds nothing that differs.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "console_runs.hpp"
#include "text.hpp"

namespace scatterproof::reports {
namespace {

using spec::Verdict;

const std::vector<std::string> natives = {"reference",  "openmp",     "openmp-deterministic",
                                          "thrust-cpp", "thrust-omp", "thrust-tbb"};
const std::vector<std::string> frameworks = {"numpy@2.4.6", "onnx@1.23.2", "onnxruntime@1.31.1",
                                             "torch@2.13.0"};

/// All that is shipped on all engines, nothing unexpected: what a first run is like.
spec::Run green_run() {
  const std::vector<std::string> apis = {"mindspore.mint.scatter",
                                         "numpy.add.at",
                                         "numpy.put_along_axis",
                                         "numpy.take_along_axis",
                                         "onnx.Gather",
                                         "onnx.GatherElements",
                                         "onnx.GatherND",
                                         "onnx.ScatterElements",
                                         "onnx.ScatterND",
                                         "paddle.fluid.layers.scatter",
                                         "paddle.scatter",
                                         "torch.Tensor.index_copy_",
                                         "torch.Tensor.scatter_",
                                         "torch.Tensor.scatter_.value",
                                         "torch.Tensor.scatter_add_",
                                         "torch.Tensor.scatter_reduce_",
                                         "torch.gather",
                                         "torch.scatter_reduce.v1_11"};
  spec::Run run = run_of({"formula"}, {});
  for (const auto* engines : {&natives, &frameworks})
    for (const std::string& engine : *engines) run.header.engines.push_back({engine, "1", "cpu", "ready"});
  for (const char* name : {"thrust-cuda", "thrust-cuda-deterministic"})
    run.header.engines.push_back({name, "", "", "unavailable: no CUDA device"});
  int finding = 0;
  for (const std::string& api : apis) {
    run.records.push_back(record(api, "formula", Verdict::pass, 2));
    for (const std::string& engine : natives) {
      run.records.push_back(record(api, engine, Verdict::pass, 119));
      run.records.push_back(record(api, engine, Verdict::weak, 4));
      run.records.push_back(record(api, engine, Verdict::open, 9));
    }
    for (const std::string& engine : frameworks) {
      const std::string name = engine.substr(0, engine.find('@'));
      const std::string framework = name == "onnxruntime" ? "onnx" : name;
      if (!api.starts_with(framework + ".") || api == "torch.scatter_reduce.v1_11") continue;
      const bool deviates = framework == "onnx" || (framework == "torch" && finding % 3 > 0);
      run.records.push_back(record(api, engine, Verdict::pass, deviates ? 100 + name.size() : 119));
      run.records.push_back(record(api, engine, Verdict::weak, 4));
      run.records.push_back(
          record(api, engine, Verdict::unsupported, 9, engine + " takes no tensors of the type of " + api));
      ++finding;
      if (deviates)
        run.records.push_back(
            known(api, engine, 3, "a long sentence about this deviation (F" + std::to_string(finding) + ")"));
    }
  }
  return run;
}

TEST(Console, AGreenRunFitsAScreen) {
  const auto all = lines(console(green_run()));
  EXPECT_LE(all.size(), 38U);  // of 40: the command stands above, the prompt below
  for (std::size_t i = 0; i + 1 < all.size(); ++i) EXPECT_LE(width_of(all[i]), 80U) << all[i];
  // One line, whatever its length: others look for it.
  EXPECT_EQ(all.back(),
            "Summary: as expected, 15528 calls judged, of them 42 failed (42 known); not judged: 972 open, "
            "171 unsupported");
  const std::string text = console(green_run());
  EXPECT_NE(text.find("\nopenmp, openmp-deterministic, thrust-cpp, thrust-omp, thrust-tbb: as reference\n"),
            std::string::npos);
  EXPECT_NE(text.find("\nformula: all 36 passed\n"), std::string::npos);
  EXPECT_NE(text.find("\nunavailable: thrust-cuda, thrust-cuda-deterministic (no CUDA device)\n"),
            std::string::npos);
}

TEST(Console, VerboseUnfoldsEverything) {
  const std::string text = console(green_run(), 1);
  EXPECT_EQ(text.find(": as reference"), std::string::npos);
  EXPECT_EQ(text.find("same verdicts on every engine"), std::string::npos);
  EXPECT_EQ(text.find("..."), std::string::npos);
  EXPECT_NE(text.find("\nmindspore.mint.scatter  "), std::string::npos);
  EXPECT_NE(text.find("a long sentence about this deviation (F12)\n"), std::string::npos);
}

TEST(Console, AColumnThatDiffersInOneCellDoesNotFold) {
  std::vector<spec::Record> records;
  for (const char* api : {"a", "b", "c"})
    for (const char* engine : {"reference", "openmp", "thrust"})
      records.push_back(record(api, engine, Verdict::pass, 5));
  EXPECT_NE(console(run_of({}, records)).find("openmp, thrust: as reference"), std::string::npos);
  for (const Verdict verdict : {Verdict::pass, Verdict::weak, Verdict::open, Verdict::unsupported}) {
    auto differing = records;
    differing.push_back(record("b", "thrust", verdict));
    const std::string text = console(run_of({}, differing));
    EXPECT_NE(text.find("   reference  thrust\n"), std::string::npos) << text;
    EXPECT_NE(text.find("\nopenmp: as reference\n"), std::string::npos) << text;
  }
}

TEST(Console, AColumnThatHasFewerRowsSaysSo) {
  const std::string text =
      console(run_of({}, {record("a", "numpy", Verdict::pass, 5), record("a", "reference", Verdict::pass, 5),
                          record("b", "reference", Verdict::pass, 5)}));
  EXPECT_NE(text.find("   reference\na  5\nb  5\nnumpy: as reference in 1 of 2 APIs\n"), std::string::npos)
      << text;
}

TEST(Console, AColumnOfAllThePassesThereAreStays) {
  const std::string text =
      console(run_of({}, {record("a", "reference", Verdict::pass, 5), record("a", "torch", Verdict::pass, 4),
                          known("a", "torch", 1, "")}));
  EXPECT_NE(text.find("   reference  torch\n"), std::string::npos) << text;
}

TEST(Console, EnginesComeInTheOrderAsked) {
  const std::string text = console(run_of({"torch", "reference"}, {record("a", "reference", Verdict::weak, 5),
                                                                   record("a", "torch", Verdict::pass, 5)}));
  EXPECT_NE(text.find("   torch  reference\n"), std::string::npos) << text;
}

TEST(Console, RowsWithFailuresComeFirst) {
  const std::string text = console(
      run_of({}, {record("a", "reference", Verdict::pass), record("b", "reference", Verdict::pass),
                  failed("c", "reference"), record("d", "numpy", Verdict::pass), failed("e", "numpy")}));
  EXPECT_TRUE(text.starts_with("   reference\nc  1 failed\na  1\nb  1\n\n   numpy\ne  1 failed\nd  1\n"))
      << text;
}

TEST(Console, ADisputedCaseStandsForTheCallsOfAllEngines) {
  spec::Run run = run_of({"reference", "torch"},
                         {record("a", "reference", Verdict::pass), record("a", "torch", Verdict::pass)});
  run.header.planned = 4;
  EXPECT_EQ(lines(console(run)).back(),
            "Summary: as expected, 2 of 4 calls done: 2 calls judged, of them 0 failed");
  run.records.push_back(record("a", "case", Verdict::disputed));
  run.records.back().disposition = spec::Disposition::unexpected;
  EXPECT_EQ(lines(console(run)).back(),
            "Summary: 1 unexpected failure, 2 calls judged, of them 0 failed; not judged: 1 disputed");
}

TEST(Console, AFailureIsNeverFoldedAway) {
  spec::Run run = green_run();
  run.records.push_back(failed("paddle.scatter", "thrust-tbb"));
  const std::string text = console(run);
  EXPECT_NE(text.find("\npaddle.scatter  119, 4 weak  119, 4 weak, 1 failed\n"), std::string::npos) << text;
  EXPECT_NE(text.find("FAILED paddle.scatter/case on thrust-tbb: mismatch"), std::string::npos);
  EXPECT_TRUE(lines(text).back().starts_with("Summary: 1 unexpected failure, ")) << lines(text).back();
}

TEST(Console, AWorkerIsShownByTheNameItDeclares) {
  const std::string command = "cmd:python3 /somewhere/long/worker.py";
  spec::Record one = failed("a.b", command);
  one.reproduce = "scatterproof run a.b/case --engine '" + command + "'";
  spec::Run run = run_of({command, "x"}, {one, failed("a.b", "x")});
  run.header.engines[0].declared = "mine";
  std::string text = console(run);
  EXPECT_NE(text.find("FAILED a.b/case on mine, x: mismatch"), std::string::npos) << text;
  EXPECT_NE(text.find("mine is " + command), std::string::npos) << text;
  EXPECT_NE(text.find("--engine '" + command + "'"), std::string::npos) << text;
  run.header.engines[1].name = "mine";
  text = console(run);
  EXPECT_EQ(text.find("mine is "), std::string::npos) << "two would have that name";
}

TEST(Console, APathIsNoName) {
  const std::string kernel = "so:/somewhere/far/away/in/a/folder/mine.so";
  const std::string worker = "cmd:python3 /somewhere/far/away/worker.py --fast";
  std::string text = console(run_of({kernel, worker}, {failed("a.b", kernel), failed("c.d", worker)}));
  EXPECT_NE(text.find("FAILED a.b/case on so:mine.so: mismatch"), std::string::npos) << text;
  EXPECT_NE(text.find("FAILED c.d/case on cmd:worker.py: mismatch"), std::string::npos) << text;
  EXPECT_NE(text.find("so:mine.so is " + kernel), std::string::npos) << text;
  const std::string other = "so:/somewhere/else/in/another/folder/mine.so";
  text = console(run_of({kernel, other}, {failed("a.b", kernel), failed("a.b", other)}));
  EXPECT_NE(text.find("on " + kernel + ", " + other), std::string::npos) << "two would have that name\n"
                                                                         << text;
}

TEST(Console, FewKnownDeviationsAreCutToALineEachAndKeepTheFinding) {
  const std::string text = console(
      run_of({}, {known("a", "torch", 2,
                        "a sentence that is so long that it does not fit beside the name of the engine (F12) "
                        "(https://example.org)"),
                  known("b", "torch", 1, "another sentence about the same finding (F12)"),
                  known("b", "torch", 1, "nobody gave it a number")}));
  EXPECT_NE(text.find("      3 torch: a sentence that is so long that it does not fit beside t... (F12)\n"
                      "      1 torch: nobody gave it a number\n"),
            std::string::npos)
      << text;
}

TEST(Console, ManyKnownDeviationsAreCountedByEngineAndFinding) {
  std::vector<spec::Record> records;
  for (const std::string finding : {"F1", "F2", "F10", "F4"})
    for (const char* engine : {"onnx", "torch"})
      records.push_back(known("a", engine, finding == "F2" ? 7 : 1, "it deviates (" + finding + ")"));
  const std::string text = console(run_of({}, records));
  EXPECT_NE(text.find("     10 onnx: 7 F2, 1 F1, 1 F4, 1 F10\n     10 torch: 7 F2, 1 F1, 1 F4, 1 F10\n"),
            std::string::npos)
      << text;
}

TEST(Console, ManyReasonsToBeUnsupportedFoldTheRarest) {
  std::vector<spec::Record> records;
  for (int i = 1; i <= 5; ++i)
    records.push_back(
        record("a", "torch", Verdict::unsupported, static_cast<std::uint64_t>(i), "r" + std::to_string(i)));
  const std::string text = console(run_of({}, records));
  EXPECT_NE(text.find("unsupported\n      5 r5\n      4 r4\n      6 for 3 other reasons (-v: in full)\n"),
            std::string::npos)
      << text;
}

/// A call of one engine that breaks one rule.
spec::Record practised(const std::string& engine, const std::string& rule, Verdict verdict,
                       spec::Diagnosis practice) {
  spec::Record one = record("torch.gather", engine, verdict);
  one.broken = {rule};
  one.practice = std::move(practice);
  return one;
}

TEST(Console, SaysWhatEnginesDoWhereCallsBreakARule) {
  using Kind = spec::DiagnosisKind;
  const spec::Diagnosis refused{.kind = Kind::refused, .subject = "IndexError"};
  const spec::Diagnosis wrapped{.kind = Kind::index_wrapped, .subject = "index"};
  const spec::Diagnosis late{.kind = Kind::refused_after_writing, .subject = "self"};
  const std::string text =
      console(run_of({"a", "b"}, {
                                     practised("a", "range", Verdict::pass, refused),
                                     practised("b", "range", Verdict::open, wrapped),
                                     practised("a", "rank", Verdict::open, refused),
                                     practised("a", "rank", Verdict::open, {.kind = Kind::produced}),
                                     practised("b", "rank", Verdict::crash, {.kind = Kind::crash_by_signal}),
                                     practised("a", "type", Verdict::missing_error, {.kind = Kind::produced}),
                                     practised("b", "type", Verdict::open, {.kind = Kind::produced}),
                                     practised("a", "late", Verdict::open, late),
                                     practised("b", "late", Verdict::open, late),
                                     practised("b", "late", Verdict::open, {.kind = Kind::index_dropped}),
                                     practised("b", "late", Verdict::open, {.kind = Kind::index_filled}),
                                     record("torch.gather", "a", Verdict::pass),
                                 }));
  EXPECT_NE(text.find("where calls break a rule\n"
                      "torch.gather\n"
                      "  late                       enforced (refused after writing): a; mixed (refused\n"
                      "                             after writing or filled or index dropped): b\n"
                      "  range                      enforced: a; lenient (index wrapped once): b\n"
                      "  rank                       crashes: b; mixed (refused or taken): a\n"
                      "  type                       contradicts: a; lenient: b\n"),
            std::string::npos)
      << text;
}

TEST(Console, CountsWhatEnginesDoWhereManyRulesAreBroken) {
  std::vector<spec::Record> records;
  for (int rule = 0; rule < 20; ++rule)
    records.push_back(
        practised("a", "rule-" + std::to_string(rule), Verdict::open,
                  {.kind = rule < 15 ? spec::DiagnosisKind::refused : spec::DiagnosisKind::produced}));
  const std::string text = console(run_of({"a"}, records));
  EXPECT_NE(text.find("where calls break a rule (-v: each rule)\na, rules: 15 enforced, 5 lenient\n"),
            std::string::npos)
      << text;
  EXPECT_NE(console(run_of({"a"}, records), 1).find("  rule-19                    lenient\n"),
            std::string::npos)
      << "a run of one engine does not repeat its name";
}

}  // namespace
}  // namespace scatterproof::reports
