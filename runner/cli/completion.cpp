// SPDX-License-Identifier: Apache-2.0
// `completion bash|zsh|fish`: a script that asks `scatterproof __complete WORDS...` for candidates, each on
// one line with a tab and its meaning; files where there are none.
#include <fmt/format.h>

#include <memory>

#include "options.hpp"
#include "scatterproof/runner/cli/cli.hpp"

namespace scatterproof::runner::cli {
namespace {

// Bash splits words at = : and @ and replaces only the last part; the text before it is cut off again.
constexpr std::string_view bash = R"(# bash completion of scatterproof
_scatterproof_words() { # the words of a line, of which the last may be unfinished, without their quotes
  local line=$1 at char quote= word= is_word=
  words=()
  for ((at = 0; at < ${#line}; ++at)); do
    char=${line:at:1}
    if [[ $quote == \\ ]]; then word+=$char quote=
    elif [[ $quote && $char == "$quote" ]]; then quote=
    elif [[ $quote ]]; then word+=$char
    elif [[ $char == [\\\"\'] ]]; then quote=$char is_word=1
    elif [[ $char != [[:space:]] ]]; then word+=$char is_word=1
    elif [[ $is_word ]]; then words+=("$word") word= is_word=
    fi
  done
  words+=("$word")
}
_scatterproof() {
  local command=${COMP_WORDS[0]} line=${COMP_LINE:0:COMP_POINT} words current part prefix
  _scatterproof_words "${line#"$command"}"
  command=${command//[\\\"\']}
  [[ $command == "~/"* ]] && command=$HOME/${command:2}
  current=${words[-1]} part=${COMP_WORDS[COMP_CWORD]:-} part=${part//[\\\"\']}
  case $part in = | : | @) prefix=$current ;; *) prefix=${current%"$part"} ;; esac
  mapfile -t COMPREPLY < <("$command" __complete "${words[@]}" 2>/dev/null | cut -f1)
  COMPREPLY=("${COMPREPLY[@]#"$prefix"}")
  [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
  [[ ${#COMPREPLY[@]} -eq 0 && $part == *[=:]* ]] && _scatterproof_files
  return 0
}
_scatterproof_files() { # what follows = or : in a word that bash does not split, as it is in quotes
  compgen -f -- "$part" >/dev/null && return
  mapfile -t COMPREPLY < <(compgen -f -- "${part##*[=:]}")
  COMPREPLY=("${COMPREPLY[@]/#/"${part%"${part##*[=:]}"}"}")
  compopt -o filenames 2>/dev/null
}
# A path in quotes ends with one, as bash looks it up.
complete -o default -F _scatterproof scatterproof "scatterproof'" 'scatterproof"'
)";

constexpr std::string_view zsh = R"(#compdef scatterproof
# zsh completion of scatterproof
_scatterproof() {
  local -a lines whole parts # those that end with = go on
  local line
  lines=("${(@f)$("${(Q)words[1]}" __complete "${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
  for line in "${lines[@]}"; do
    case ${line%%$'\t'*} in
      '') ;;
      *=) parts+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}") ;;
      *) whole+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}") ;;
    esac
  done
  (( ${#parts} )) && _describe scatterproof parts -S ''
  (( ${#whole} )) && _describe scatterproof whole
  (( ${#parts} + ${#whole} )) || _files || { compset -P '*[=:]' && _files }
}
if [[ ${funcstack[1]} == _scatterproof ]]; then _scatterproof "$@"; else compdef _scatterproof scatterproof; fi
)";

constexpr std::string_view fish = R"(# fish completion of scatterproof
function __scatterproof_complete
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  set -l found ($words[1] __complete $words[2..-1] "$current" 2>/dev/null)
  if test (count $found) -gt 0
    printf '%s\n' $found
  else
    __fish_complete_path "$current"
  end
end
complete -c scatterproof -f -a '(__scatterproof_complete)'
)";

}  // namespace

void add_completion(CLI::App& app, Context& context) {
  CLI::App* verb =
      add_verb(app, context,
               {.name = "completion",
                .purpose = "Print the completion script of a shell",
                .examples = {{"source <(scatterproof completion bash)", "complete in this bash"},
                             {"scatterproof completion fish > ~/.config/fish/completions/scatterproof.fish",
                              "complete in every new fish"}},
                .group = "Help"});
  auto shell = std::make_shared<std::string>();
  only_values(verb->add_option("shell", *shell, "The shell"), "SHELL", {"bash", "zsh", "fish"})->required();
  verb->callback([shell] { fmt::print("{}", *shell == "bash" ? bash : *shell == "zsh" ? zsh : fish); });
}

}  // namespace scatterproof::runner::cli
