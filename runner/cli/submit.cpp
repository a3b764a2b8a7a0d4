// SPDX-License-Identifier: Apache-2.0
// `submit`: a sharded run as jobs of a batch system.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <sstream>

#include "options.hpp"
#include "scatterproof/runner/cli/cli.hpp"
#include "scatterproof/runner/streams/slurm_scripts.hpp"
#include "scatterproof/spec/core/shell_word.hpp"

namespace scatterproof::runner::cli {
namespace {

namespace fs = std::filesystem;

struct SubmitFlags {
  int shards = 8;
  std::string out = "scatterproof-shards";
  std::vector<std::string> sbatch_args;
  std::vector<std::string> reports;
  int verbosity = 0;
  bool dry_run = false;
  std::vector<std::string> command;
};

/// Options that would make each shard write the same file, or do another shard's work.
spec::Errors check_options(const CLI::App& verb) {
  struct Refused {
    const char* option;
    const char* hint;
  };
  constexpr Refused all[] = {
      {"--shard", "--shards N, before the `--`, says how many there are"},
      {"--report", "reports are made of the whole: give --report before the `--`"},
      {"--resume", "each task resumes its own stream"},
      {"--record", "a recording is of a whole run; make it without `submit`"},
  };
  spec::Errors errors;
  for (const Refused& one : all)
    if (const CLI::Option* option = verb.get_option_no_throw(one.option); option && option->count() > 0)
      errors.push_back(
          {.what = fmt::format("{} cannot be given to the shards", one.option), .hint = one.hint});
  if (const CLI::Option* corpus = verb.get_option_no_throw("--corpus");
      corpus && corpus->count() > 0 && !fs::exists(corpus->as<std::string>()))
    errors.push_back({.what = "the shards cannot write one corpus",
                      .hint = "make it first: scatterproof fuzz --corpus FILE"});
  return errors;
}

spec::Errors check_work(const SubmitFlags& flags, const Context& context) {
  const std::string& verb = flags.command.front();
  if (verb != "run" && verb != "fuzz")
    return {{.what = fmt::format("'{}' cannot be sharded", verb),
             .hint = "submit `run` or `fuzz`: scatterproof submit slurm -- run -e torch"}};
  return check_command(flags.command, context, check_options);
}

/// Makes the folder, which must not hold what an earlier submission wrote: its streams would be resumed.
spec::Errors open_folder(const std::string& folder) {
  std::error_code failed;
  if (std::ranges::any_of(folder, [](unsigned char c) { return c < ' ' || c == '\\'; }))
    return {{.file = folder,
             .what = "Slurm writes no logs where a path has a backslash or a control character",
             .hint = "name another folder with --out"}};
  fs::create_directories(folder, failed);
  if (!failed && fs::is_empty(folder, failed)) return {};
  if (failed) return {{.file = folder, .what = fmt::format("cannot use the folder: {}", failed.message())}};
  return {{.file = folder,
           .what = "the folder is not empty",
           .hint = "its streams may be of an earlier submission; remove it, or name another with --out"}};
}

spec::Errors write_script(const std::string& path, const std::string& text) {
  spec::Errors errors = write_file(path, [&] { return text; });
  if (errors.empty()) fs::permissions(path, fs::perms::owner_exec, fs::perm_options::add);
  return errors;
}

bool is_on_path(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (access((fs::path(folder) / program).c_str(), X_OK) == 0) return true;
  return false;
}

/// The number of the job that sbatch was given, or nothing when it refused; its words are on stderr by then.
std::optional<std::string> sbatch(const std::string& options) {
  FILE* output = popen(("sbatch --parsable " + options).c_str(), "re");
  if (!output) return std::nullopt;
  char text[256] = "";
  const bool answered = std::fgets(text, sizeof text, output) != nullptr;
  const bool refused = pclose(output) != 0;
  const std::string answer = text, job = answer.substr(0, answer.find_first_of(";\n"));  // `job;cluster`
  if (refused || !answered || job.empty() || job.find_first_not_of("0123456789") != std::string::npos)
    return std::nullopt;
  return job;
}

int submit_both(const SlurmWork& work) {
  const std::string shards = spec::shell_word(work.out + "/shards.sh"),
                    merge = spec::shell_word(work.out + "/merge.sh");
  const auto array = sbatch(shards);
  if (!array) {
    std::error_code ignored;  // so that the same command can be given again
    for (const char* script : {"/shards.sh", "/merge.sh"}) fs::remove(work.out + script, ignored);
    return usage_error({{.what = "sbatch refused the shards", .hint = "nothing is queued"}});
  }
  const std::string dependency = fmt::format("--dependency=afterany:{} {}", *array, merge);
  const auto joined = sbatch(dependency);
  if (!joined)
    return usage_error(
        {{.what = fmt::format("the shards are queued as job {}, but sbatch refused to merge them", *array),
          .hint = fmt::format("when they have ended: sh {}", merge)}});
  fmt::print("queued: {} shards as job {}, and job {}, which merges them\n", work.shards, *array, *joined);
  fmt::print("  how far they are:  squeue -j {},{}\n", *array, *joined);
  return as_expected;
}

int submit_slurm(const SubmitFlags& flags, const Context& context) {
  if (const spec::Errors errors = check_work(flags, context); !errors.empty()) return usage_error(errors);
  if (!flags.dry_run && !is_on_path("sbatch"))
    return usage_error({{.what = "sbatch is not on the PATH",
                         .hint = "run this on a machine of the cluster; --dry-run only writes the scripts"}});
  std::error_code ignored;
  SlurmWork work{.program = fs::read_symlink("/proc/self/exe", ignored).string(),
                 .folder = fs::current_path(ignored).string(),
                 .out = fs::absolute(flags.out, ignored).lexically_normal().string(),
                 .shards = flags.shards,
                 .command = flags.command,
                 .sbatch_args = flags.sbatch_args,
                 .reports = flags.reports,
                 .verbose = flags.verbosity > 0};
  if (work.out.ends_with('/')) work.out.pop_back();
  spec::Errors errors = open_folder(work.out);
  const std::string shards = shards_script(work), merge = merge_script(work);
  if (errors.empty()) errors = write_script(work.out + "/shards.sh", shards);
  if (errors.empty()) errors = write_script(work.out + "/merge.sh", merge);
  if (!errors.empty()) return usage_error(errors);
  const std::string out = spec::shell_word(work.out);
  if (flags.dry_run) {
    fmt::print("{}/shards.sh:\n{}\n{}/merge.sh:\n{}\nnothing is queued; these commands do it:\n", out, shards,
               out, merge);
    fmt::print(
        "  job=$(sbatch --parsable {}/shards.sh) && sbatch --dependency=\"afterany:$job\" {}/merge.sh\n", out,
        out);
    return as_expected;
  }
  if (const int code = submit_both(work); code != as_expected) return code;
  fmt::print("  the result:        cat {}/merge.log\n", out);
  fmt::print("  the whole run:     scatterproof report {}/run.jsonl\n", out);
  return as_expected;
}

void add_submit_slurm(CLI::App& parent, Context& context) {
  CLI::App* verb = add_verb(
      parent, context,
      {.name = "slurm",
       .purpose = "Queue an array of shards on Slurm, and a job that merges them",
       .examples = {
           {"scatterproof submit slurm --shards 16 -- run -e torch", "every case on PyTorch, in 16 tasks"},
           {"scatterproof submit slurm --sbatch-arg=--partition=gpu -- fuzz --all --time 1h",
            "an hour of generated calls in each of 8 tasks"}}});
  auto flags = std::make_shared<SubmitFlags>();
  verb->add_option("command", flags->command, "After `--`: run or fuzz, with its arguments")
      ->type_name("COMMAND")
      ->required();
  constexpr int most_shards = 1000;
  add_number(*verb, "--shards", flags->shards, 1, most_shards, "How many parts to make of the work")
      ->default_str("8")
      ->group(group::execute);
  verb->add_option("--out", flags->out, "Write the scripts, streams and logs into this new or empty folder")
      ->type_name("FOLDER")
      ->default_str(flags->out)
      ->group(group::execute);
  verb->add_option("--sbatch-arg", flags->sbatch_args,
                   "An option of sbatch for both jobs, such as --sbatch-arg=--partition=gpu; repeatable")
      ->type_name("ARG")
      ->allow_extra_args(false)
      ->group(group::execute);
  verb->add_flag("--dry-run", flags->dry_run, "Write and print the scripts, and queue nothing")
      ->group(group::execute);
  add_reports(*verb, flags->reports, flags->verbosity);
  verb->callback([flags, &context] { context.exit_code = submit_slurm(*flags, context); });
}

}  // namespace

void add_submit(CLI::App& app, Context& context) {
  CLI::App* verb = add_verb(
      app, context,
      {.name = "submit",
       .purpose = "Split a run over many machines",
       .examples = {{"scatterproof submit slurm --shards 16 -- run -e torch", "16 tasks of a Slurm array"},
                    {"scatterproof submit slurm --dry-run -- fuzz --all", "only see the scripts"}},
       .group = "Test"});
  verb->require_subcommand(1);
  add_submit_slurm(*verb, context);
}

}  // namespace scatterproof::runner::cli
