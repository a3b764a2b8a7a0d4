// SPDX-License-Identifier: Apache-2.0
// Kept results: what one release of an engine was seen to do, in one small file that later runs renew.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "scatterproof/spec/core/error.hpp"

namespace scatterproof::runner::site {

/// One thing that an API was seen to do with the inputs of a class.
struct KeptBehaviour {
  std::string name;  ///< as in comparisons: `refuses`, `as defined`, readings joined by ` and `
  std::size_t inputs = 0;
  bool repeated = true;  ///< false: asked again, it did something else
};

struct KeptFailure {
  std::string id;  ///< the case's
  std::string verdict;
  std::string why;  ///< a line
};

/// What was seen of one API.
struct KeptApi {
  std::map<std::string, std::uint64_t> verdicts;           ///< calls
  std::map<std::string, std::string> rules;                ///< by broken rule: what the engine does
  std::vector<KeptFailure> failures;                       ///< the first ones
  std::map<std::string, std::vector<KeptBehaviour>> seen;  ///< by input class; "": inputs in none
};

struct KeptEngine {
  std::string engine;   ///< without its release: `torch`, `torch:compile`
  std::string release;  ///< its own version
  std::string device;
  std::string date;  ///< of the newest of its results, `2026-11-23`
  std::map<std::string, KeptApi> apis;

  std::string name() const { return engine + '@' + release; }
};

/// What is known of all engines: by engine, then from the oldest release to the newest.
class KeptResults {
 public:
  /// Every file of a folder. Errors: a file that keeps no results.
  static spec::Result<KeptResults> read(const std::string& folder);
  /// Takes in a stream of `run`: it replaces what was known of these APIs on these releases.
  spec::Errors add_run(const std::string& path);
  /// The same for what `compare --json` wrote.
  spec::Errors add_comparison(const std::string& path);
  /// One file for each engine and release.
  spec::Errors write(const std::string& folder) const;

  const std::vector<KeptEngine>& all() const { return engines_; }
  /// The newest release of each engine that was seen with the API.
  std::vector<const KeptEngine*> newest_with(const std::string& api) const;

 private:
  KeptEngine& engine(const std::string& name, const std::string& version);
  void add_family(const nlohmann::json& family);  ///< of a comparison
  void sort();

  std::vector<KeptEngine> engines_;
};

}  // namespace scatterproof::runner::site
