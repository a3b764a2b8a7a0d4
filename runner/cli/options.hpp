// SPDX-License-Identifier: Apache-2.0
// Options that several verbs have, each declared once, and how values are checked and described.
//
// The help, the completion and the manual pages read three things from CLI11's options. The type name stands
// for the value; after a colon it lists the possible values (`WHEN:auto always never`). The default string is
// shown as [default: ...]. The group is the heading.
#pragma once

#include <CLI/App.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scatterproof/runner/catalogue/catalogue.hpp"

namespace scatterproof::runner::cli {

struct Context;

/// The headings of the help, in the order of a verb's work.
namespace group {
inline constexpr const char* select = "Select";
inline constexpr const char* generate = "Generate";
inline constexpr const char* execute = "Execute";
inline constexpr const char* judge = "Judge";
inline constexpr const char* report = "Report";
inline constexpr const char* general = "General";
}  // namespace group

/// What a check below found of an option's value, as an error.
spec::Error invalid_value(const std::string& option, const std::string& finding);

/// Checks for ->check(). What they find becomes `invalid ... 'x' for --option: use ...`.
CLI::Validator whole_number(std::uint64_t least, std::uint64_t most);
CLI::Validator existing_path();
/// Declares the values there are, for the help and the completion too.
CLI::Option* only_values(CLI::Option* option, const std::string& stands_for, std::vector<std::string> values);

/// `60`, `60s`, `500ms`, `5m`, `1h`: seconds.
std::optional<double> read_duration(const std::string& text);
CLI::Option* add_duration(CLI::App& verb, const std::string& name, double& seconds, double longest,
                          const std::string& what);
CLI::Option* add_duration(CLI::App& verb, const std::string& name, std::optional<double>& seconds,
                          double longest, const std::string& what);

/// A whole number from `least` to 2^31 - 1 or, for std::uint64_t, 2^64 - 1.
CLI::Option* add_number(CLI::App& verb, const std::string& name, int& number, int least, int most,
                        const std::string& what);
CLI::Option* add_number(CLI::App& verb, const std::string& name, std::uint64_t& number, std::uint64_t least,
                        const std::string& what);

/// `80` or `80%`: from 0 to 100.
CLI::Option* add_percent(CLI::App& verb, const std::string& name, std::optional<double>& percent,
                         const std::string& what);

/// A number of times: from 1 to 1000.
CLI::Option* add_ratio(CLI::App& verb, const std::string& name, std::optional<double>& ratio,
                       const std::string& what);

/// Positional words that select cases; --api, -k and --shard.
void add_selection(CLI::App& verb, CaseSelection& selection);
void add_specs(CLI::App& verb, std::string& folder);
void add_shard(CLI::App& verb, std::string& shard, const std::string& what);
void add_engine(CLI::App& verb, std::vector<std::string>& engines, const std::string& when_left_out);
void add_reports(CLI::App& verb, std::vector<std::string>& reports, int& verbosity);
/// How many at once; as many as there are cores when left out.
void add_jobs(CLI::App& verb, int& jobs, const std::string& what);
void add_color(CLI::App& verb, Context& context);

}  // namespace scatterproof::runner::cli
