// SPDX-License-Identifier: Apache-2.0
// Where the selftest's calls come from.
#include <memory>

#include "fuzz/generator.hpp"
#include "selftest.hpp"

namespace scatterproof::runner::selftest {

CallMaker generated_calls(std::uint64_t seed) {
  return [seed](const spec::OpSpec& spec) -> Calls {
    auto generator = std::make_shared<fuzz::Generator>(spec, seed);
    return [generator](std::uint64_t number) -> std::optional<spec::Call> {
      auto made = generator->make(number);
      if (!made) return std::nullopt;
      return std::move(made->call);
    };
  };
}

}  // namespace scatterproof::runner::selftest
