// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace scatterproof::spec {

/// Quotes a word for a POSIX shell where it needs it: printed commands can be pasted.
std::string shell_word(std::string_view word);

}  // namespace scatterproof::spec
