// SPDX-License-Identifier: Apache-2.0
// Generated calls for RapidCheck's properties: for tests written in C++ against a kernel or a part of this
// program.
#pragma once

#include <rapidcheck.h>

#include "scatterproof/runner/fuzz/generator.hpp"

namespace scatterproof::runner::fuzz {

/// Calls of a generator, which must outlive it. RapidCheck draws the numbers but does not shrink them,
/// because a smaller number is not a smaller call (runner/shrink does that).
inline rc::Gen<GeneratedCall> arbitrary_call(Generator& generator) {
  constexpr std::uint64_t numbers = 3360;  // 14 sheets of the first four pages: a generator keeps them all
  return rc::gen::noShrink(rc::gen::map(
      rc::gen::suchThat(rc::gen::map(rc::gen::inRange<std::uint64_t>(0, numbers),
                                     [&generator](std::uint64_t number) { return generator.make(number); }),
                        [](const std::optional<GeneratedCall>& made) { return made.has_value(); }),
      [](std::optional<GeneratedCall> made) { return *std::move(made); }));
}

}  // namespace scatterproof::runner::fuzz
