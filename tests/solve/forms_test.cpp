// SPDX-License-Identifier: Apache-2.0
// Forms of every shipped spec, filled in the plainest way and held against the rules by evaluation.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "scatterproof/spec/oracle.hpp"
#include "scatterproof/spec/solve.hpp"

namespace scatterproof::spec {
namespace {

const SpecLibrary& library() {
  static const SpecLibrary loaded = [] {
    auto result = SpecLibrary::load(std::string(SCATTERPROOF_SOURCE_DIR) + "/spec/ops");
    EXPECT_TRUE(result) << to_string(result.errors());
    return std::move(result).value();
  }();
  return loaded;
}

RandomBits bits_from(std::uint64_t seed) {
  return [state = seed * 77]() mutable {
    std::uint64_t z = (state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  };
}

TEST(Forms, tells_how_long) {
  for (const OpSpec& spec : library().all()) {
    const auto start = std::chrono::steady_clock::now();
    FormSolver solver(spec);
    const auto made = std::chrono::steady_clock::now();
    const RandomBits bits = bits_from(1);
    std::size_t valid = 0, draws = 0;
    std::set<std::string> distinct;
    for (int i = 0; i < 20; ++i) {
      for (const Form& form : solver.draw(nullptr, 4, bits)) ++valid, distinct.insert(to_string(form.call));
      draws += 4;
    }
    const auto drawn = std::chrono::steady_clock::now();
    std::string rules;
    for (const Rule& rule : spec.rules) {
      std::size_t n = 0;
      for (int i = 0; i < 5; ++i) n += solver.draw(&rule, 4, bits).size();
      rules += rule.id + " " + std::to_string(n) + ", ";
    }
    const auto broken = std::chrono::steady_clock::now();
    const auto ms = [](auto d) { return std::chrono::duration<double, std::milli>(d).count(); };
    std::printf("%-34s make %.0f ms, valid %zu of %zu (%zu distinct) in %.0f ms; broken in %.0f ms: %s\n", spec.api.c_str(),
                ms(made - start), valid, draws, distinct.size(), ms(drawn - made), ms(broken - drawn), rules.c_str());
  }
}

}  // namespace
}  // namespace scatterproof::spec
