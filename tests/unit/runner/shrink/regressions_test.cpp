// SPDX-License-Identifier: Apache-2.0
// Saved failures: read back as they were, never twice, and run with the rest.
#include "scatterproof/runner/shrink/regressions.hpp"

#include <stdlib.h>
#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <set>

#include "scatterproof/runner/calls/call_hash.hpp"
#include "shipped.hpp"

namespace scatterproof::runner::shrink {
namespace {

namespace fs = std::filesystem;

class Regressions : public testing::Test {
 protected:
  Regressions() {
    std::string name = (fs::temp_directory_path() / "regressions-XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  ~Regressions() override { fs::remove_all(folder_); }

  SavedCase saved(const spec::Call& call) {
    const auto result =
        save_regression(folder_, call, "it went wrong: \"7\" came", {"mismatch", "torch@2.13.0"});
    EXPECT_TRUE(result) << (result ? "" : spec::to_string(result.errors()));
    return result ? *result : SavedCase{};
  }

  fs::path folder_;
};

TEST_F(Regressions, AreReadBackAsTheyWere) {
  for (const spec::Case& one : shipped().cases) {
    const SavedCase saved = this->saved(one.call);
    const auto loaded = spec::load_cases(saved.file, shipped().specs);
    ASSERT_TRUE(loaded) << spec::to_string(loaded.errors());
    ASSERT_EQ(loaded->size(), 1u);
    EXPECT_EQ(hash_of(loaded->front().call), hash_of(one.call))
        << to_string(one.call) << to_string(loaded->front().call);
    EXPECT_EQ(loaded->front().id, saved.id);
    EXPECT_EQ(loaded->front().why, "it went wrong: \"7\" came");
    EXPECT_EQ(loaded->front().tags, (std::vector<std::string>{"mismatch", "torch@2.13.0"}));
    EXPECT_FALSE(this->saved(one.call).added);
  }
  const auto all = spec::load_case_tree(folder_, shipped().specs);
  ASSERT_TRUE(all) << spec::to_string(all.errors());
  std::set<std::uint64_t> distinct;
  for (const spec::Case& one : shipped().cases) distinct.insert(hash_of(one.call));
  EXPECT_EQ(all->size(), distinct.size());
  for (const auto& entry : fs::recursive_directory_iterator(folder_))
    EXPECT_TRUE(entry.is_directory() || entry.path().extension() == ".yaml") << entry.path();
}

TEST_F(Regressions, LeaveNothingWhereThereIsNoRoom) {
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit little{10, before.rlim_max};
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &little);
  const auto result = save_regression(folder_, shipped().cases.front().call, "it went wrong", {});
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  ASSERT_FALSE(result);
  EXPECT_NE(spec::to_string(result.errors()).find(".yaml: error: cannot write the file: File too large"),
            std::string::npos);
  for (const auto& entry : fs::recursive_directory_iterator(folder_))
    EXPECT_TRUE(entry.is_directory()) << entry.path();
}

TEST_F(Regressions, HaveIdsThatNeverChange) {
  spec::Call call{"torch.gather",
                  {{"input", spec::Tensor(spec::DType::f32, {2})},
                   {"dim", spec::Scalar::of_int(0)},
                   {"index", spec::Tensor(spec::DType::i64, {1})}}};
  const std::string before = saved(call).id;
  EXPECT_EQ(before, "torch.gather/found/f9e6f0e8");
  call.arguments[1].second = spec::Scalar::of_int(-1);
  EXPECT_NE(saved(call).id, before);
}

TEST_F(Regressions, AreRunWithTheRest) {
  const fs::path source = SCATTERPROOF_SOURCE_DIR;
  fs::create_directories(folder_ / "data/cases/regressions");
  fs::create_directory_symlink(source / "spec", folder_ / "data/spec");
  const spec::Case& one = shipped().cases.front();
  const auto saved =
      save_regression(folder_ / "data/cases/regressions", one.call, "it went wrong", {"mismatch"});
  ASSERT_TRUE(saved);
  const auto catalogue = load_catalogue({}, {(folder_ / "data").string(), ""});
  ASSERT_TRUE(catalogue) << spec::to_string(catalogue.errors());
  ASSERT_EQ(catalogue->cases.size(), 1u);
  EXPECT_EQ(catalogue->cases.front().id, saved->id);
}

TEST_F(Regressions, WhatACaseFileCannotHoldIsNotSaved) {
  const spec::Tensor large(spec::DType::u8, {200'000});
  spec::Call call{"torch.gather", {{"input", spec::Argument(large)}}};
  for (std::int64_t n = 0; n < large.numel(); ++n)
    std::get<spec::Tensor>(call.arguments[0].second).set_at_position(n, spec::Scalar::of_int(n % 251));
  const auto saved = save_regression(folder_, call, "it went wrong", {});
  ASSERT_FALSE(saved);
  EXPECT_NE(spec::to_string(saved.errors()).find("values in one file"), std::string::npos);
  EXPECT_TRUE(!fs::exists(folder_ / "torch.gather") || fs::is_empty(folder_ / "torch.gather"));
}

TEST_F(Regressions, CannotBeSavedWhereAFileStands) {
  std::ofstream(folder_ / "torch.gather") << "in the way";
  spec::Call call{"torch.gather", {}};
  const auto saved = save_regression(folder_, call, "it went wrong", {});
  ASSERT_FALSE(saved);
  EXPECT_NE(spec::to_string(saved.errors()).find("cannot save the case"), std::string::npos);
}

}  // namespace
}  // namespace scatterproof::runner::shrink
