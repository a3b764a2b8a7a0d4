// SPDX-License-Identifier: Apache-2.0
// Names a user types, installations side by side, and the check of an adapter.
#include "scatterproof/engines/registry.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "mock.hpp"
#include "scatterproof/engines/check_engine.hpp"
#include "scatterproof/engines/install.hpp"

namespace scatterproof::engines {
namespace {

namespace fs = std::filesystem;
using namespace testing;

/// A data folder with one framework, `toy`, whose package lies in two versions beside it.
class Toy : public ::testing::Test {
 protected:
  Toy() {
    std::string name = (fs::temp_directory_path() / "scatterproof-toy-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp");
    root = name;
    places = {(root / "data").string(), (root / "engines").string()};
    fs::create_directories(root / "data/engines/workers/toy");
    write("data/engines/workers/toy/engine.yaml",
          "name: toy\ndescription: a toy\nframework: toy\npackages: [toy==1.0]\n");
    write("wheels.py",
          "import sys, zipfile\n"
          "for v in ('1.0', '2.0'):\n"
          "    with zipfile.ZipFile(f'{sys.argv[1]}/toy-{v}-py3-none-any.whl', 'w') as z:\n"
          "        info = f'toy-{v}.dist-info/'\n"
          "        z.writestr('toy.py', f'version = \"{v}\"')\n"
          "        z.writestr(info + 'METADATA', f'Metadata-Version: 2.1\\nName: toy\\nVersion: {v}\\n')\n"
          "        z.writestr(info + 'WHEEL', 'Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: "
          "py3-none-any\\n')\n"
          "        z.writestr(info + 'RECORD', '')\n");
    const std::string command = "python3 '" + (root / "wheels.py").string() + "' '" + root.string() + "'";
    if (std::system(command.c_str()) != 0) throw std::runtime_error("cannot make the wheels");
  }
  ~Toy() override { fs::remove_all(root); }

  void write(const fs::path& name, const std::string& text) const { std::ofstream(root / name) << text; }
  InstallRequest request(const std::string& engine) const {
    return {engine, {"--quiet", "--no-index", "--find-links", root.string()}};
  }

  fs::path root;
  Places places;
};

TEST_F(Toy, InstallsVersionsSideBySideOnce) {
  std::ostringstream progress;
  const auto first = install_engine(request("toy"), places, progress);
  ASSERT_TRUE(first) << to_string(first.errors());
  EXPECT_EQ(*first, "toy@1.0");
  const auto second = install_engine(request("toy==2.0"), places, progress);
  ASSERT_TRUE(second) << to_string(second.errors());
  EXPECT_EQ(*second, "toy@2.0");

  std::vector<std::string> names;
  for (const auto& listing : list_engines(places))
    if (listing.installed && listing.name.starts_with("toy")) names.push_back(listing.name);
  EXPECT_EQ(names, (std::vector<std::string>{"toy@2.0", "toy@1.0"}));

  InstallRequest again = request("toy");
  again.pip_arguments.emplace_back("--no-such-option");  // pip would refuse it
  EXPECT_TRUE(install_engine(again, places, progress));
}

TEST_F(Toy, AFailedInstallationLeavesNothing) {
  std::ostringstream progress;
  const auto failed = install_engine(request("toy==9.9"), places, progress);
  ASSERT_FALSE(failed);
  EXPECT_NE(failed.errors()[0].what.find("toy==9.9"), std::string::npos);
  for (const auto& entry : fs::directory_iterator(places.engines))
    EXPECT_FALSE(entry.is_directory()) << entry.path() << " was left behind";
}

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
  EXPECT_FALSE(install_engine({"toy==../../x", {}}, places, progress));
}

TEST_F(Toy, WhatIsPartOfTheProgramNeedsNoInstallation) {
  std::ostringstream progress;
  const auto installed = install_engine({"reference", {}}, places, progress);
  ASSERT_TRUE(installed) << to_string(installed.errors());
  EXPECT_EQ(progress.str(), "reference is part of this program: nothing to install\n");
  EXPECT_FALSE(fs::exists(places.engines));
  const auto versioned = install_engine({"reference==1.0", {}}, places, progress);
  ASSERT_FALSE(versioned);
  EXPECT_EQ(versioned.errors()[0].what, "'reference' is part of this program and has one version only");
}

TEST_F(Toy, ABadManifestIsAnErrorWithItsPlace) {
  write("data/engines/workers/toy/engine.yaml",
        "name: toy\ndescription: a toy\nframework: toy\npackages: [toy>=1.0]\n");
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
                      Fault{"repeats-never", "timed calls, repeat: refused: ValueError"}),
    [](const auto& fault) {
      std::string name = fault.param.flag;
      std::ranges::replace(name, '-', '_');
      return name;
    });

}  // namespace
}  // namespace scatterproof::engines
