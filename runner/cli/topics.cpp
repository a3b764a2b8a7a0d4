// SPDX-License-Identifier: Apache-2.0
#include "topics.hpp"

namespace scatterproof::runner::cli {

std::span<const Topic> topics() {
  static const Topic all[] = {
      {.name = "exit-codes",
       .purpose = "What the exit code of scatterproof says; scripts may rely on it",
       .section =
           {.title = "Exit codes",
            .entries =
                {{"0", "Everything is as expected: passes, and failures that a baseline knows"},
                 {"1", "An unexpected verdict or finding, a stale baseline entry, or a gate that fails"},
                 {"2", "Interrupted, or the stream is cut off; what was judged is kept"},
                 {"3", "A bug in scatterproof"},
                 {"4", "A wrong option, or errors in a case, spec, baseline, settings or recording file"},
                 {"5", "Nothing was selected, or no selected engine offers what was"},
                 {"7", "An engine that was asked for could not start, or shards are missing"}}}},
      {.name = "environment",
       .purpose = "Environment variables that scatterproof reads",
       .section = {
           .title = "Environment",
           .entries = {
               {"SCATTERPROOF_DATA",
                "Folder with spec/, cases/ and engines/workers/ [default: found above the program]"},
               {"SCATTERPROOF_ENGINES",
                "Folder of installed frameworks [default: $XDG_DATA_HOME/scatterproof/engines]"},
               {"SCATTERPROOF_PYTHON",
                "Interpreter whose frameworks come before those that are installed [default: the one for "
                "which pip installed scatterproof, if any]"},
               {"SCATTERPROOF_CONFIG",
                "File of settings [default: scatterproof.yaml here, or above in the repository]"},
               {"SCATTERPROOF_PROFILE", "Profile of settings in force, unless --profile names one"},
               {"SCATTERPROOF_HISTORY",
                "The history's file or PostgreSQL URL [default: history.db next to the kept runs]"},
               {"XDG_DATA_HOME", "Where data of the user is kept [default: ~/.local/share]"},
               {"XDG_STATE_HOME",
                "Where the streams of the last ten runs are kept, in scatterproof/runs [default: "
                "~/.local/state]"},
               {"NO_COLOR", "When not empty: no colour, unless --color overrides it"},
               {"CLICOLOR_FORCE, FORCE_COLOR", "When not empty: colour even if stdout is not a terminal"},
               {"TERM", "dumb: no colour"},
               {"OMP_NUM_THREADS", "Threads of the engines openmp and thrust-omp [default: all cores]"}}}}};
  return all;
}

}  // namespace scatterproof::runner::cli
