// SPDX-License-Identifier: Apache-2.0
// Names a user types, and the check of an adapter.
#include "scatterproof/engines/registry/registry.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "mock.hpp"
#include "scatterproof/engines/registry/check_engine.hpp"
#include "scatterproof/engines/registry/install.hpp"
#include "toy.hpp"

namespace scatterproof::engines {
namespace {

namespace fs = std::filesystem;
using namespace testing;

TEST_F(Toy, WhatIsNotThereIsSaidWithAHint) {
  const spec::SpecLibrary specs{std::vector<spec::OpSpec>{}};
  const auto missing = make_engine("toy", specs, places);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.errors()[0].what, "toy@1.0 is not installed");
  EXPECT_EQ(missing.errors()[0].hint, "scatterproof engines install toy==1.0");
  const auto slip = make_engine("toi", specs, places);
  ASSERT_FALSE(slip);
  EXPECT_EQ(slip.errors()[0].hint, "did you mean 'toy'?");
  std::ostringstream progress;
  EXPECT_FALSE(install_engine({"toy==../../x"}, places, progress));
}

TEST_F(Toy, WhatIsPartOfTheProgramNeedsNoInstallation) {
  std::ostringstream progress;
  const auto installed = install_engine({"reference"}, places, progress);
  ASSERT_TRUE(installed) << to_string(installed.errors());
  EXPECT_EQ(progress.str(), "reference is part of this program: nothing to install\n");
  EXPECT_FALSE(fs::exists(places.engines));
  const auto versioned = install_engine({"reference==1.0"}, places, progress);
  ASSERT_FALSE(versioned);
  EXPECT_EQ(versioned.errors()[0].what, "'reference' is part of this program and has one version only");
}

TEST_F(Toy, AFormIsAnEngineOfTheSameInstallation) {
  write("data/engines/workers/toy/engine.yaml",
        std::string(manifest) +
            "forms: [{name: springs=1, description: a clockwork}, {name: flying, description: a kite},\n"
            "        {name: engine=NAME, description: with that engine}]\n");
  const spec::SpecLibrary specs{std::vector<spec::OpSpec>{}};
  const auto said = [&](const std::string& name) {
    const auto made = make_engine(name, specs, places);
    return made ? "made" : made.errors()[0].what + "; " + made.errors()[0].hint;
  };
  EXPECT_EQ(said("toy:flying"), "toy@1.0 is not installed; scatterproof engines install toy==1.0");
  EXPECT_EQ(said("toy:flyin@1.0"),
            "unknown engine 'toy:flyin@1.0': toy has no form 'flyin'; did you mean 'toy:flying'?");
  EXPECT_EQ(said("toy:"),
            "unknown engine 'toy:': toy has no form ''; its forms are toy, toy:springs=1, toy:flying, "
            "toy:engine=NAME");
  EXPECT_EQ(said("toy:engine="),
            "unknown engine 'toy:engine=': toy has no form 'engine='; its forms are toy, toy:springs=1, "
            "toy:flying, toy:engine=NAME");
  std::ostringstream progress;
  const auto installed = install_engine({"toy:flying"}, places, progress);
  ASSERT_FALSE(installed);
  EXPECT_EQ(installed.errors()[0].what, "toy:flying is a form of toy: one installation holds them all");

  // The worker gets the form's name; nothing else differs. How many threads it has is left to the framework.
  unsetenv("OMP_NUM_THREADS");
  fs::create_directories(root / "engines/toy@1.0/bin");
  write("engines/toy@1.0/bin/python",
        "#!/bin/sh\nprintf '%s' \"[$SCATTERPROOF_FORM], $OMP_NUM_THREADS$OPENBLAS_NUM_THREADS threads\" > " +
            (root / "form").string() + "\n");
  fs::permissions(root / "engines/toy@1.0/bin/python", fs::perms::owner_all);
  for (const std::string form : {"", "springs=1", "flying", "engine=V8:1"}) {
    const std::string name = form.empty() ? "toy" : "toy:" + form;
    auto engine = make_engine(name, specs, places);
    ASSERT_TRUE(engine) << to_string(engine.errors());
    (*engine)->start();
    EXPECT_EQ((*engine)->info().name, name + "@1.0");
    std::string given;
    std::getline(std::ifstream(root / "form"), given);
    EXPECT_EQ(given, '[' + form + "],  threads");
  }
  const auto listings = list_engines(places);
  const auto toy = std::ranges::find(listings, "toy@1.0", &EngineListing::name);
  ASSERT_NE(toy, listings.end());
  ASSERT_EQ(toy->forms.size(), 3U);
  EXPECT_EQ(toy->forms[1].name, "toy:flying");
  EXPECT_EQ(toy->forms[1].description, "a kite");
}

TEST_F(Toy, TheUsersFrameworkComesBeforeThoseThatAreInstalled) {
  const spec::SpecLibrary specs{std::vector<spec::OpSpec>{}};
  const auto interpreter = [&](const std::string& file, const std::string& prints) {
    fs::create_directories((root / file).parent_path());
    write(file, "#!/bin/sh\ncase $1 in *installed_here.py) echo '" + prints + "';; esac\n");
    fs::permissions(root / file, fs::perms::owner_all);
    return (root / file).string();
  };
  for (const std::string release : {"1.0", "2.0"}) interpreter("engines/toy@" + release + "/bin/python", "");
  const auto names = [&](const std::string& python) {
    Places users = places;
    users.python = python;
    std::vector<std::string> listed;
    for (const auto& listing : list_engines(users))
      if (listing.name.starts_with("toy"))
        listed.push_back(listing.name + (listing.python.empty() ? "" : " of the user"));
    const auto meant = make_engine("toy", specs, users);
    const auto named = make_engine("toy@2.0", specs, users);
    listed.push_back(meant ? (*meant)->info().name : to_string(meant.errors()));
    listed.push_back(named ? (*named)->info().name : to_string(named.errors()));
    return listed;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(names(""), (Names{"toy@2.0", "toy@1.0", "toy@1.0", "toy@2.0"}));
  EXPECT_EQ(names(interpreter("newer", "toy 3.0")),
            (Names{"toy@3.0 of the user", "toy@2.0", "toy@1.0", "toy@3.0", "toy@2.0"}));
  EXPECT_EQ(names(interpreter("same", "toy 1.0")),
            (Names{"toy@1.0 of the user", "toy@2.0", "toy@1.0", "toy@2.0"}));
  EXPECT_EQ(names(interpreter("without", "other 1.0")), (Names{"toy@2.0", "toy@1.0", "toy@1.0", "toy@2.0"}));
  Places nowhere = places;
  nowhere.python = "/nowhere/python";
  const auto wrong = make_engine("toy", specs, nowhere);
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.errors()[0].what, "cannot execute the interpreter '/nowhere/python'");
}

TEST_F(Toy, ABadManifestIsAnErrorWithItsPlace) {
  write("data/engines/workers/toy/engine.yaml",
        "name: toy\ndescription: a toy\nframework: toy\npackages: [toy>=1.0]\n"
        "megabytes: {fetched: 1, installed: 1}\n");
  const spec::SpecLibrary specs{std::vector<spec::OpSpec>{}};
  const auto bad = make_engine("toy", specs, places);
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.errors()[0].at.line, 4);
}

/// The mock, checked by command.
std::vector<ProtocolCheck> check(const Mock& mock) {
  std::string command = "cmd:";
  for (const auto& word : mock.options.command) command += "'" + word + "' ";
  const auto findings = check_engine(command, {SCATTERPROOF_SOURCE_DIR, "/nowhere"});
  EXPECT_TRUE(findings);
  return findings ? *findings : std::vector<ProtocolCheck>{};
}

std::vector<std::string> faults(const std::vector<ProtocolCheck>& findings) {
  std::vector<std::string> result;
  for (const auto& finding : findings) {
    EXPECT_EQ(finding.ok, finding.hint.empty()) << finding.what;
    if (!finding.ok) result.push_back(finding.what);
  }
  return result;
}

TEST(CheckTest, AnEngineWithoutAProtocolIsSentToARun) {
  const auto findings = check_engine("reference", {SCATTERPROOF_SOURCE_DIR, "/nowhere"});
  ASSERT_TRUE(findings);
  EXPECT_EQ(faults(*findings), std::vector<std::string>{});
  EXPECT_NE(findings->front().what.find("scatterproof run --engine reference"), std::string::npos);
}

TEST_F(Toy, TheLineThatStartsAWorkerByHandCanBePasted) {
  write("its file.py", "print('as by hand')\n");
  const auto command = "cmd:python3 \"" + (root / "its file.py").string() + "\"";
  const auto findings = check_engine(command, places);
  ASSERT_TRUE(findings);
  const std::string& hint = findings->front().hint;
  const std::string mark = "by hand: ";
  ASSERT_NE(hint.find(mark), std::string::npos);
  const auto printed = (root / "printed").string();
  const auto pasted = hint.substr(hint.find(mark) + mark.size()) + " > '" + printed + "'";
  EXPECT_EQ(std::system(pasted.c_str()), 0) << pasted;
  std::string line;
  std::getline(std::ifstream(printed) >> std::ws, line);
  EXPECT_EQ(line, "as by hand");
}

TEST(CheckTest, AnHonestWorkerHasNoFaults) {
  const Mock mock({"--all-dtypes"});
  const auto findings = check(mock);
  EXPECT_EQ(faults(findings), std::vector<std::string>{});
  EXPECT_GE(findings.size(), 20u);
  EXPECT_EQ(mock.processes_left(), 0);
}

struct Fault {
  std::string flag;
  std::string says;
};

class CheckFaults : public ::testing::TestWithParam<Fault> {};

TEST_P(CheckFaults, IsFound) {
  const auto found = faults(check(Mock({"--" + GetParam().flag})));
  EXPECT_TRUE(std::ranges::any_of(found, [](const auto& what) {
    return what.find(GetParam().says) != what.npos;
  })) << ::testing::PrintToString(found);
}

INSTANTIATE_TEST_SUITE_P(
    , CheckFaults,
    ::testing::Values(Fault{"refuses-to-start", "before it answered start"},
                      Fault{"echo-transposes", "[[1, 8, 15], [22, 29, 36]] came back as"},
                      Fault{"echo-widens", "f32 came back as f64"}, Fault{"echo-overwrites", "overwritten"},
                      Fault{"numbers-as-f32", "the number 0.1"},
                      Fault{"refuse-crashes", "a refused call: crashed"},
                      Fault{"all-apis", "a call it does not offer"}, Fault{"print-to-channel", "stdout"},
                      Fault{"lives-on", "did not exit after stop"},
                      Fault{"makes-daemon", "left running outside its process group"},
                      Fault{"exits-badly", "exit status 3"}, Fault{"declares-nothing", "declares 0 APIs"},
                      Fault{"repeats-never", "timed calls, repeat: refused: ValueError"},
                      Fault{"loops-never", "a bare loop: refused: ValueError"}),
    [](const auto& fault) {
      std::string name = fault.param.flag;
      std::ranges::replace(name, '-', '_');
      return name;
    });

}  // namespace
}  // namespace scatterproof::engines
