// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/fuzz/form_store.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "scatterproof/runner/calls/call_hash.hpp"
#include "scatterproof/runner/fuzz/generator.hpp"
#include "shipped.hpp"

namespace scatterproof::runner::fuzz {
namespace {

namespace fs = std::filesystem;

class Store : public testing::Test {
 protected:
  Store() {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    std::ofstream(program_) << "a program";
  }
  ~Store() override { fs::remove_all(folder_); }
  FormStore store() const { return {folder_ + "/forms", program_}; }
  std::vector<fs::path> files() const {
    std::vector<fs::path> found;
    if (fs::exists(folder_ + "/forms"))
      for (const auto& entry : fs::recursive_directory_iterator(folder_ + "/forms"))
        if (entry.is_regular_file()) found.push_back(entry.path());
    return found;
  }
  static StoredForms solved(const spec::OpSpec& op) {
    std::vector<const spec::Rule*> broken{nullptr, nullptr};
    for (const spec::Rule& rule : op.rules) broken.push_back(&rule);
    spec::Dice dice(7, 0);
    const spec::FormSolver solver(op);
    return {solver.draw(broken, 1, dice), solver.any_reads_data(), solver.any_compares_index()};
  }

  const std::string folder_ = testing::TempDir() + "scatterproof_form_store_test";
  const std::string program_ = folder_ + "/program";
};

void expect_same(const spec::CallForm& a, const spec::CallForm& b) {
  EXPECT_EQ(hash_of(a.call), hash_of(b.call));
  EXPECT_EQ(a.broken, b.broken);
  EXPECT_EQ(std::tuple(a.far, a.by_values, a.recheck), std::tuple(b.far, b.by_values, b.recheck));
  ASSERT_EQ(a.index.size(), b.index.size());
  for (std::size_t i = 0; i < a.index.size(); ++i) {
    EXPECT_EQ(a.index[i].argument, b.index[i].argument);
    EXPECT_EQ(a.index[i].lists, b.index[i].lists);
    EXPECT_EQ(a.index[i].good, b.index[i].good);
    EXPECT_EQ(a.index[i].bad, b.index[i].bad);
  }
  ASSERT_EQ(a.inside.has_value(), b.inside.has_value());
  if (a.inside) {
    EXPECT_EQ(hash_of(*a.inside), hash_of(*b.inside));
  }
}

TEST_F(Store, GivesBackWhatItWasGiven) {
  for (const char* api : {"torch.scatter_reduce", "numpy.put", "onnx.GatherND", "jax.ops.segment_sum",
                          "paddle.put_along_axis", "tensorflow.scatter_nd"}) {
    const spec::OpSpec& op = *shipped_specs().find(api);
    const StoredForms stored = solved(op);
    ASSERT_FALSE(stored.forms.empty());
    store().write(op, "key", stored);
    const auto back = store().read(op, "key");
    ASSERT_TRUE(back) << api;
    EXPECT_EQ(back->any_reads_data, stored.any_reads_data);
    EXPECT_EQ(back->any_compares_index, stored.any_compares_index);
    ASSERT_EQ(back->forms.size(), stored.forms.size());
    for (std::size_t i = 0; i < stored.forms.size(); ++i) expect_same(back->forms[i], stored.forms[i]);
    EXPECT_FALSE(store().read(op, "another key"));
  }
  EXPECT_FALSE(store().read(*shipped_specs().find("torch.gather"), "key"));
}

TEST_F(Store, CallsAreTheSameWithIt) {
  const spec::OpSpec& op = *shipped_specs().find("torch.scatter_add");
  const auto hashes = [&](std::shared_ptr<const FormStore> store) {
    Generator generator(op, 11, {.store = std::move(store)});
    std::vector<std::uint64_t> all;
    for (std::uint64_t number = 0; number < 600; ++number) {
      const auto made = generator.make(number);
      all.push_back(made ? hash_of(made->call) : 0);
    }
    return all;
  };
  const auto without = hashes(nullptr);
  const auto kept = std::make_shared<const FormStore>(store());
  EXPECT_EQ(hashes(kept), without);
  const auto pages = files().size();
  EXPECT_GE(pages, 2u);
  EXPECT_EQ(hashes(kept), without) << "read from the store";
  EXPECT_EQ(files().size(), pages);
}

TEST_F(Store, AVariantHasTheFormsOfItsSpec) {
  const spec::OpSpec& variant = *shipped_specs().find("torch.scatter_add");
  ASSERT_FALSE(variant.variant_of.empty());
  const spec::OpSpec& base = *shipped_specs().find(variant.variant_of);
  const auto kept = std::make_shared<const FormStore>(store());
  Generator(base, 11, {.store = kept}).make(0);
  const auto solved_once = files().size();
  ASSERT_EQ(solved_once, 1u);
  Generator alone(variant, 11, {}), after(variant, 11, {.store = kept});
  for (std::uint64_t number = 0; number < 100; ++number) {
    const auto one = alone.make(number), other = after.make(number);
    ASSERT_EQ(one.has_value(), other.has_value());
    if (!one) continue;
    EXPECT_EQ(other->call.api, variant.api);
    EXPECT_EQ(hash_of(one->call), hash_of(other->call)) << number;
  }
  EXPECT_EQ(files().size(), solved_once) << "solved again";
}

TEST_F(Store, ADamagedFileIsNone) {
  const spec::OpSpec& op = *shipped_specs().find("torch.gather");
  store().write(op, "key", solved(op));
  ASSERT_EQ(files().size(), 1u);
  fs::resize_file(files()[0], fs::file_size(files()[0]) / 2);
  EXPECT_FALSE(store().read(op, "key"));
  std::ofstream(files()[0]) << "";
  EXPECT_FALSE(store().read(op, "key"));
}

TEST_F(Store, AnotherProgramHasNone) {
  const spec::OpSpec& op = *shipped_specs().find("torch.gather");
  store().write(op, "key", solved(op));
  std::ofstream(program_) << "another program";
  EXPECT_FALSE(store().read(op, "key"));
}

TEST_F(Store, AnotherSpecHasNone) {
  spec::OpSpec op = *shipped_specs().find("torch.gather");
  const std::string copy = folder_ + "/gather.yaml";
  fs::copy_file(op.file, copy);
  op.file = copy;
  store().write(op, "key", solved(op));
  EXPECT_TRUE(store().read(op, "key"));
  fs::last_write_time(copy, fs::last_write_time(copy) + std::chrono::seconds(1));
  EXPECT_FALSE(store().read(op, "key"));
}

TEST_F(Store, OldProgramsAreRemoved) {
  const spec::OpSpec& op = *shipped_specs().find("torch.gather");
  const StoredForms forms = solved(op);
  for (int i = 0; i < 7; ++i) {
    std::ofstream(program_, std::ios::app) << "more";
    store().write(op, "key", forms);
  }
  EXPECT_EQ(files().size(), 4u);
  EXPECT_TRUE(store().read(op, "key"));
}

TEST_F(Store, WithoutAFolderNothingIsKept) {
  const spec::OpSpec& op = *shipped_specs().find("torch.gather");
  const FormStore nowhere("", program_);
  nowhere.write(op, "key", solved(op));
  EXPECT_FALSE(nowhere.read(op, "key"));
}

}  // namespace
}  // namespace scatterproof::runner::fuzz
