// SPDX-License-Identifier: Apache-2.0
// A worker that executes the calls of one shared library: `scatterproof_plugin_host /path/libmine.so`.
#include <cstdio>

#include "engine.hpp"
#include "scatterproof/engines/server/serve.hpp"

int main(int argc, char** argv) {
  using namespace scatterproof::engines;
  if (argc != 2) {
    std::fputs("usage: scatterproof_plugin_host LIBRARY, started by scatterproof\n", stderr);
    return 1;
  }
  auto specs = shipped_specs_by_need();
  if (!specs) return decline(to_string(specs.errors()));
  auto library = plugin::Library::load(argv[1]);
  if (const auto* reason = std::get_if<std::string>(&library)) return decline(*reason);
  return serve(
      *plugin::make_plugin_engine(std::get<plugin::Library>(std::move(library)), std::move(specs).value()));
}
