// SPDX-License-Identifier: Apache-2.0
#include "fuzz/generator.hpp"

#include <gtest/gtest.h>
#include <chrono>

#include "scatterproof/spec/oracle.hpp"

namespace scatterproof::runner::fuzz {
namespace {

const spec::SpecLibrary& library() {
  static const spec::SpecLibrary loaded = [] {
    auto result = spec::SpecLibrary::load(std::string(SCATTERPROOF_SOURCE_DIR) + "/spec/ops");
    EXPECT_TRUE(result) << spec::to_string(result.errors());
    return std::move(result).value();
  }();
  return loaded;
}

TEST(Generator, tells_how_long) {
  for (const spec::OpSpec& op : library().all()) {
    const auto t0 = std::chrono::steady_clock::now();
    Generator generator(op, 1);
    const auto t1 = std::chrono::steady_clock::now();
    int none = 0, wrong = 0, valid = 0;
    std::string example;
    double elements = 0;
    std::vector<Generated> all;
    for (std::uint64_t i = 0; i < 5000; ++i) {
      auto made = generator.make(i);
      if (!made) {
        ++none;
        continue;
      }
      all.push_back(std::move(*made));
    }
    const auto t2 = std::chrono::steady_clock::now();
    for (const Generated& made : all) {
      valid += made.broken == nullptr;
      const auto kinds = spec::rule_kinds(op, made.call);
      for (const auto& [n, a] : made.call.arguments) if (auto* t = std::get_if<spec::Tensor>(&a)) elements += double(t->numel());
      for (std::size_t r = 0; r < kinds.size(); ++r)
        if ((kinds[r] == spec::RuleState::Kind::broken) != (made.broken == &op.rules[r])) {
          ++wrong;
          example = spec::to_string(made.call) + " rule " + op.rules[r].id + " meant " + (made.broken ? made.broken->id : "none");
          break;
        }
    }
    const auto ms = [](auto d) { return std::chrono::duration<double, std::milli>(d).count(); };
    std::printf("%-30s make %.0f ms; 5000 in %.0f ms; valid %d none %d wrong %d, elements %.1f %s\n", op.api.c_str(), ms(t1 - t0), ms(t2 - t1), valid, none, wrong, elements / 5000,
                example.c_str());
  }
}

}  // namespace
}  // namespace scatterproof::runner::fuzz
