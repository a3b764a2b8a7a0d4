// SPDX-License-Identifier: Apache-2.0
// Where the selftest's calls come from.
#include <memory>

#include "scatterproof/engines/reference/reference.hpp"
#include "scatterproof/runner/fuzz/generator.hpp"
#include "scatterproof/runner/selftest/selftest.hpp"
#include "scatterproof/runner/trial/gradients.hpp"

namespace scatterproof::runner::selftest {

CallMaker generated_calls(const spec::SpecLibrary& specs, std::uint64_t seed, bool gradients) {
  const std::shared_ptr<const engines::Engine> reference = engines::make_reference(specs);
  return [seed, reference, gradients](const spec::OpSpec& spec) -> Calls {
    fuzz::GenerationOptions wishes{.offered = [reference, gradients, &spec](const spec::Call& call) {
      return reference->supports(call).yes && (!gradients || may_have_gradients(spec, call));
    }};
    if (gradients) wishes.sides = fuzz::GenerationOptions::Sides::valid, wishes.gradients = true;
    auto generator = std::make_shared<fuzz::Generator>(spec, seed, wishes);
    return [generator](std::uint64_t number) -> std::optional<spec::Call> {
      auto made = generator->make(number);
      if (!made) return std::nullopt;
      return std::move(made->call);
    };
  };
}

}  // namespace scatterproof::runner::selftest
