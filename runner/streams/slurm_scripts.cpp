// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/streams/slurm_scripts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "scatterproof/spec/core/shell_word.hpp"

namespace scatterproof::runner {
namespace {

/// A word of a `#SBATCH` line: sbatch reads quotes and backslashes much as a shell does.
std::string sbatch_word(const std::string& word) {
  std::string quoted = "\"";
  for (const char c : word) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + '"';
}

/// A path in which sbatch replaces nothing.
std::string literal_path(const std::string& path) {
  std::string literal;
  for (const char c : path) literal += c == '%' ? std::string("%%") : std::string(1, c);
  return literal;
}

std::string preamble(const SlurmWork& work, const std::vector<std::string>& own) {
  std::string text = "#!/bin/sh\n";
  for (const std::string& word : own) text += fmt::format("#SBATCH {}\n", sbatch_word(word));
  for (const std::string& word : work.sbatch_args) text += fmt::format("#SBATCH {}\n", sbatch_word(word));
  return text;
}

std::string words(const std::vector<std::string>& all) {
  std::string text;
  for (const std::string& word : all) text += ' ' + spec::shell_word(word);
  return text;
}

}  // namespace

std::string shards_script(const SlurmWork& work) {
  std::string text = preamble(work, {"--job-name=scatterproof", fmt::format("--array=1-{}", work.shards),
                                     fmt::format("--output={}/shard-%a.log", literal_path(work.out)),
                                     "--open-mode=append", "--requeue"});
  text += fmt::format(
      "# Shard 3 alone: sbatch --array=3 shards.sh. Its number among all is said here, because Slurm counts "
      "the tasks of\n"
      "# one sbatch only.\n"
      "cd {} || exit\n"
      "stream={}/shard-$SLURM_ARRAY_TASK_ID.jsonl\n",
      spec::shell_word(work.folder), spec::shell_word(work.out));
  if (work.command.front() == "run")
    text +=
        "# What a task has judged that was ended or requeued is kept, once it has a first line.\n"
        "if [ -f \"$stream.before\" ]; then mv \"$stream.before\" \"$stream\"; fi\n"
        "if [ -f \"$stream\" ] && read -r _ <\"$stream\"; then set -- --resume \"$stream\"; fi\n";
  text += fmt::format(
      "exec {} {} --shard \"$SLURM_ARRAY_TASK_ID/{}\" --report \"jsonl=$stream\" --report console=- "
      "\"$@\"{}\n",
      spec::shell_word(work.program), work.command.front(), work.shards,
      words({work.command.begin() + 1, work.command.end()}));
  return text;
}

std::string merge_script(const SlurmWork& work) {
  std::vector<std::string> reports{fmt::format("jsonl={}/run.jsonl", work.out)};
  if (std::ranges::none_of(work.reports, [](const std::string& one) { return one.ends_with("=-"); }))
    reports.emplace_back("console=-");
  reports.insert(reports.end(), work.reports.begin(), work.reports.end());
  std::string options;
  if (work.verbose) options += " -v";
  for (const std::string& report : reports) options += " --report " + spec::shell_word(report);
  const std::string out = spec::shell_word(work.out);
  const std::string again = fmt::format("sbatch --wait --array={{}} {}/shards.sh; sh {}/merge.sh", out, out);
  std::string text =
      preamble(work, {"--job-name=scatterproof-merge",
                      fmt::format("--output={}/merge.log", literal_path(work.out)), "--requeue"});
  text += fmt::format("cd {} || exit\n", spec::shell_word(work.folder));
  text += fmt::format(
      "set -- {0}/shard-*.jsonl\n"
      "if [ ! -e \"$1\" ]; then\n"
      "  echo 'error: no shard has begun: the logs next to this script say why' >&2\n"
      "  echo '  hint: run all again: sbatch shards.sh' >&2\n"
      "  exit 7\n"
      "fi\n"
      "exec {1} merge \"$@\" --again {2}{3}\n",
      out, spec::shell_word(work.program), spec::shell_word(again), options);
  return text;
}

}  // namespace scatterproof::runner
