// SPDX-License-Identifier: Apache-2.0
// pip, run with its talk in a log, and what it said in a sentence.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "scatterproof/spec/core/error.hpp"

namespace scatterproof::engines::registry {

/// Runs `pip install` in a virtual environment. `doing` receives a few words on what pip does whenever that
/// changes; pip's whole output goes into the file `log`. Returns the number of bytes fetched. Errors are one
/// sentence.
spec::Result<std::uint64_t> pip_install(const std::string& environment,
                                        const std::vector<std::string>& arguments, const std::string& log,
                                        const std::function<void(const std::string&)>& doing);

/// Why pip failed, by what it said, and by what it only logged: why it did not get a page of an index.
std::string pip_failure(std::string_view talk, std::string_view logged = "");
/// The bytes that a line of pip's names in brackets, if it fetches something: `Downloading x.whl (1.5 MB)`.
std::uint64_t fetched_bytes(std::string_view line);
/// `torch` of `Torch==2.13.0`, as packages are compared.
std::string package_name(std::string_view pin);

}  // namespace scatterproof::engines::registry
