// SPDX-License-Identifier: Apache-2.0
// Frameworks installed, repaired and removed: with pip, from wheels made here.
#include "scatterproof/engines/registry/install.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "pip.hpp"
#include "toy.hpp"

namespace scatterproof::engines {
namespace {

using namespace testing;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST_F(Toy, InstallsVersionsSideBySideOnce) {
  std::ostringstream progress;
  const auto first = install_engine(request("toy"), places, progress);
  ASSERT_TRUE(first) << to_string(first.errors());
  EXPECT_EQ(*first, "toy@1.0");
  const std::string said = progress.str(), folder = (root / "engines/toy@1.0").string();
  EXPECT_THAT(said, StartsWith("installing toy==1.0 colour==1.0 helper==1.0 into " + folder +
                               ": about 3 MB to fetch, 40 MB on disk\ntoy@1.0 is installed: 0 MB fetched, "));
  EXPECT_EQ(std::ranges::count(said, '\n'), 2);
  const auto second = install_engine(request("toy==2.0"), places, progress);
  ASSERT_TRUE(second) << to_string(second.errors());
  EXPECT_EQ(*second, "toy@2.0");

  std::vector<std::string> names;
  for (const auto& listing : list_engines(places))
    if (listing.installed && listing.name.starts_with("toy")) names.push_back(listing.name);
  EXPECT_EQ(names, (std::vector<std::string>{"toy@2.0", "toy@1.0"}));

  InstallRequest again = request("toy");
  again.words.emplace_back("--no-such-option");  // pip would refuse it
  EXPECT_TRUE(install_engine(again, places, progress));
}

TEST_F(Toy, AFailedInstallationLeavesNothingNorDoesAKilledOne) {
  fs::create_directories(root / "engines/.installing-toy@2.0/bin");
  fs::create_directories(root / "engines/.removing-toy@1.0/bin");
  const auto fails = [&](const std::string& engine) {
    std::ostringstream progress;
    const auto failed = install_engine(request(engine), places, progress);
    EXPECT_FALSE(failed);
    EXPECT_EQ(left(), (std::vector<std::string>{".lock", "logs"})) << engine;
    return failed ? spec::Error{} : failed.errors().front();
  };
  const auto missing = fails("toy==9.9");
  EXPECT_EQ(missing.what, "cannot install toy@9.9: there is no toy==9.9 for this Python and this machine");
  EXPECT_EQ(missing.hint, "pip's own words are in " + (root / "engines/logs/toy@9.9.txt").string());
  EXPECT_TRUE(fs::exists(root / "engines/logs/toy@9.9.txt"));
  EXPECT_EQ(fails("toy==4.0").what, "cannot install toy@4.0: the packages cannot be installed together");
  EXPECT_THAT(fails("toy==3.0").what,
              AllOf(StartsWith("cannot install toy@3.0: it does not start: ModuleNotFoundError: "),
                    HasSubstr("No module named 'nobody'")));
}

TEST_F(Toy, WhatIsNoVersionIsRefused) {
  const auto refused = [&](const std::string& engine, const std::string& word = "toy==1.0") {
    InstallRequest asked = request(engine);
    asked.words.push_back(word);
    std::ostringstream progress;
    const auto failed = install_engine(asked, places, progress);
    EXPECT_FALSE(failed) << engine;
    EXPECT_FALSE(fs::exists(root / "engines")) << engine;
    return failed ? "" : failed.errors().front().what;
  };
  for (const std::string version :
       {"", "*", "2.*", "--help", "-1", "latest", "1.0,<2", "../1", "1 0", "=1.0"})
    EXPECT_EQ(refused("toy==" + version), "'" + version + "' is not a version");
  EXPECT_EQ(refused("toy", "colour==2.*"), "'2.*' is not a version");
  EXPECT_EQ(refused("toy", "*"), "'*' is not a package");
  EXPECT_EQ(refused("toy", "--help"), "with '--help' pip installs nothing");
}

TEST_F(Toy, AnIndexThatIsNotReachedIsNoMissingRelease) {
  InstallRequest asked{.engine = "toy==2.0",
                       .words = {"--index-url", "http://127.0.0.1:1/simple", "--retries", "0"}};
  std::ostringstream progress;
  const auto failed = install_engine(asked, places, progress);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.errors().front().what, "cannot install toy@2.0: the package index cannot be reached");
}

TEST_F(Toy, PinsOfTheUserWin) {
  std::ostringstream progress;
  InstallRequest pinned = request("toy==4.0");
  pinned.words.emplace_back("Colour==2.0");
  ASSERT_TRUE(install_engine(pinned, places, progress)) << progress.str();
  EXPECT_THAT(progress.str(), StartsWith("installing toy==4.0 Colour==2.0 into "));
}

TEST_F(Toy, WhatAWorkerWritesIntoItsWorkingFolderIsGone) {
  std::string littering = worker;
  littering.insert(littering.find("channel ="),
                   "open('litter', 'w').close()\nassert os.path.exists('litter')\n");
  write("data/engines/workers/toy/worker.py", littering);
  std::ostringstream progress;
  ASSERT_TRUE(install_engine(request("toy==2.0"), places, progress)) << progress.str();
  const spec::SpecLibrary specs{std::vector<spec::OpSpec>{}};
  auto engine = make_engine("toy@2.0", specs, places);
  ASSERT_TRUE(engine);
  EXPECT_EQ((*engine)->start(), "");
  (*engine)->stop();
  EXPECT_FALSE(fs::exists("litter"));
  EXPECT_FALSE(fs::exists(root / "engines/toy@2.0/litter"));
}

TEST_F(Toy, WhatIsBrokenIsInstalledAgain) {
  std::ostringstream progress;
  ASSERT_TRUE(install_engine(request("toy==2.0"), places, progress));
  for (const auto& entry : fs::recursive_directory_iterator(root / "engines/toy@2.0"))
    if (entry.path().filename() == "toy.py") write(entry.path(), "import nobody");
  std::ostringstream again;
  ASSERT_TRUE(install_engine(request("toy==2.0"), places, again));
  EXPECT_THAT(again.str(), AllOf(StartsWith("toy@2.0 does not start: "),
                                 HasSubstr("; installing it again\ninstalling toy==2.0")));
  EXPECT_EQ(left(), (std::vector<std::string>{".lock", "logs", "toy@2.0"}));
  std::ostringstream third;
  ASSERT_TRUE(install_engine(request("toy==2.0"), places, third));
  EXPECT_EQ(third.str(), "toy@2.0 is installed\n");
  InstallRequest pinned = request("toy==2.0");  // it is there, with another colour
  pinned.words.emplace_back("colour==2.0");
  std::ostringstream fourth;
  ASSERT_TRUE(install_engine(pinned, places, fourth));
  EXPECT_THAT(fourth.str(), StartsWith("installing toy==2.0 colour==2.0 into "));
}

TEST_F(Toy, WhatAnEarlierManifestDidNotNameIsAdded) {
  const auto said = [&](const std::string& packages) {
    std::string text = manifest;
    text.replace(text.find("colour==1.0"), std::string("colour==1.0").size(), packages);
    write("data/engines/workers/toy/engine.yaml", text);
    std::ostringstream progress;
    EXPECT_TRUE(install_engine(request("toy==2.0"), places, progress));
    return progress.str();
  };
  EXPECT_THAT(said("colour==1.0"), StartsWith("installing toy==2.0 colour==1.0 into "));
  EXPECT_THAT(said("Colour==2.0, helper==1.0"),
              StartsWith("toy@2.0 was installed without helper==1.0; installing it again\n"
                         "installing toy==2.0 Colour==2.0 helper==1.0 into "));
  EXPECT_EQ(said("Colour==1.0, helper==1.0"),
            "toy@2.0 is installed\n");  // another release may be the user's pin
}

TEST_F(Toy, AnInterpreterThatHasTheFrameworkIsTakenAsItIs) {
  const std::string python = (root / "it's python").string();
  const auto imports = [&](const std::string& text) {
    write("has/toy.py", text);
    write("it's python", "#!/bin/sh\nPYTHONPATH='" + (root / "has").string() + "' exec python3 -B \"$@\"\n");
    fs::permissions(python, fs::perms(0755));
    std::ostringstream progress;
    return install_engine({.engine = "toy", .python = python}, places, progress);
  };
  fs::create_directories(root / "has");
  const auto missing = imports("import nobody");
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.errors()[0].what,
              AllOf(StartsWith(python + " has no toy that starts: "), HasSubstr("nobody")));
  EXPECT_EQ(left(), std::vector<std::string>{".lock"});
  const auto taken = imports("version = '0.9a0'");
  ASSERT_TRUE(taken) << to_string(taken.errors());
  EXPECT_EQ(*taken, "toy@0.9a0");
  EXPECT_EQ(left(), (std::vector<std::string>{".lock", "toy@0.9a0"}));
  EXPECT_EQ(imports("version = '0.9a0'").errors()[0].what, "toy@0.9a0 is installed already");
  std::ostringstream again;
  EXPECT_TRUE(install_engine(request("toy==0.9a0"), places, again));
  EXPECT_EQ(again.str(), "toy@0.9a0 is installed\n");
  EXPECT_EQ(*remove_engine("toy", places), "toy@0.9a0");
  EXPECT_TRUE(fs::exists(python));
}

TEST_F(Toy, OneReleaseOfSeveralIsRemoved) {
  for (const char* release : {"toy@1.0", "toy@2.0"}) {
    fs::create_directories(root / "engines" / release / "bin");
    fs::create_symlink("/bin/true", root / "engines" / release / "bin/python");
  }
  const auto which = remove_engine("toy", places);
  ASSERT_FALSE(which);
  EXPECT_EQ(which.errors()[0].hint, "name one: toy@2.0, toy@1.0");
  EXPECT_FALSE(remove_engine("toy@3.0", places));
  const auto removed = remove_engine("toy@2.0", places);
  ASSERT_TRUE(removed);
  EXPECT_EQ(*removed, "toy@2.0");
  EXPECT_EQ(*remove_engine("toy", places), "toy@1.0");
  EXPECT_EQ(left(), std::vector<std::string>{".lock"});
}

TEST(PipTest, WhatItFetchesIsCounted) {
  EXPECT_EQ(registry::fetched_bytes("  Downloading torch-2.13.0.whl (190.5 MB)"), 190'500'000u);
  EXPECT_EQ(registry::fetched_bytes("Downloading x.whl.metadata (28 kB)"), 28'000u);
  EXPECT_EQ(registry::fetched_bytes("  Using cached torch-2.13.0.whl (190.5 MB)"), 0u);
  EXPECT_EQ(registry::fetched_bytes("Downloading nothing"), 0u);
}

TEST(PipTest, AFailureIsOneSentence) {
  EXPECT_EQ(registry::pip_failure("x\nERROR: Could not install: [Errno 28] No space left on device\n"),
            "the disk is full");
  EXPECT_EQ(registry::pip_failure("NewConnectionError: Temporary failure in name resolution\n"
                                  "ERROR: No matching distribution found for torch==2.13.0\n"),
            "the package index cannot be reached");
  const auto log = [](const std::string& why) {
    return registry::pip_failure(
        "ERROR: No matching distribution found for toy==1.0\n",
        "ResolutionImpossible\n Could not fetch URL https://index/toy/: " + why + " - skipping\n");
  };
  EXPECT_EQ(log("connection error: Max retries exceeded"), "the package index cannot be reached");
  EXPECT_EQ(log("503 Server Error: Service Unavailable for url"),
            "the package index answers with HTTP status 503");
  EXPECT_EQ(log("407 Client Error: Proxy Authentication Required"),
            "the package index answers with HTTP status 407");
  EXPECT_EQ(log("404 Client Error: Not Found"), "there is no toy==1.0 for this Python and this machine");
  EXPECT_EQ(log("connection error: Read timed out."), "the package index does not answer");
  EXPECT_EQ(log("There was a problem confirming the ssl certificate: x"),
            "there is no secure connection to the package index");
  EXPECT_EQ(registry::pip_failure("ERROR: something else\nmore"), "something else");
}

}  // namespace
}  // namespace scatterproof::engines
