// SPDX-License-Identifier: Apache-2.0
// Where the selftest's calls come from.
#include <memory>

#include "scatterproof/engines/reference/reference.hpp"
#include "scatterproof/runner/fuzz/generator.hpp"
#include "scatterproof/runner/selftest/selftest.hpp"

namespace scatterproof::runner::selftest {

CallMaker generated_calls(const spec::SpecLibrary& specs, std::uint64_t seed) {
  const std::shared_ptr<const engines::Engine> reference = engines::make_reference(specs);
  const auto offered = [reference](const spec::Call& call) { return reference->supports(call).yes; };
  return [seed, offered](const spec::OpSpec& spec) -> Calls {
    auto generator =
        std::make_shared<fuzz::Generator>(spec, seed, fuzz::GenerationOptions{.offered = offered});
    return [generator](std::uint64_t number) -> std::optional<spec::Call> {
      auto made = generator->make(number);
      if (!made) return std::nullopt;
      return std::move(made->call);
    };
  };
}

}  // namespace scatterproof::runner::selftest
