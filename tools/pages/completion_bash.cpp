// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include "tools/commands/commands.hpp"
#include "tools/pages/completion.hpp"
#include "tools/pages/reference.hpp"

namespace synthoscope::tools {
namespace {

constexpr std::string_view kBashComplete = R"BASH(
# The words of $1 that go on from what is typed
_synthoscope_offer() {
  mapfile -t COMPREPLY < <(compgen -W "$1" -- "$cur")
}

# Files, or folders alone (-d)
_synthoscope_offer_files() {
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(compgen "$1" -- "$cur")
}

_synthoscope() {
  local words=("${COMP_WORDS[@]:1:COMP_CWORD-1}") cur=${COMP_WORDS[COMP_CWORD]}
  local option=${COMP_WORDS[COMP_CWORD-1]} command next
  COMPREPLY=()
  # --option=value comes as three words
  if [[ $cur == '=' ]]; then cur=''; fi
  if [[ $option == '=' ]]; then option=${COMP_WORDS[COMP_CWORD-2]}; fi
  next=$(_synthoscope_next "${words[*]}")
  if [[ -n $next ]]; then
    _synthoscope_offer "$next"
    return
  fi
  if _synthoscope_takes_a_command "${words[0]}"; then words=("${words[@]:1}"); fi
  command=${words[0]}
  if [[ -n $(_synthoscope_next "$command") ]]; then command+=" ${words[1]}"; fi
  if [[ $command == -* ]]; then command=''; fi
  case $(_synthoscope_follows "$command $option") in
    files) _synthoscope_offer_files -f ;;
    folders) _synthoscope_offer_files -d ;;
    text) ;;
    words\ *) _synthoscope_offer "$(_synthoscope_follows "$command $option" | cut -d' ' -f2-)" ;;
    *)
      if [[ $cur == -* ]]; then
        _synthoscope_offer "$(_synthoscope_options "$command")"
      else
        _synthoscope_offer_files -f
      fi
      ;;
  esac
}

complete -F _synthoscope synthoscope
)BASH";

std::string answer_of(const Option& option) {
  switch (follows(option)) {
    case Follows::nothing:
      return "";
    case Follows::text:
      return "text";
    case Follows::words:
      return fmt::format("words {}", fmt::join(fixed_words(option.value), " "));
    case Follows::files:
      return "files";
    case Follows::folders:
      return "folders";
  }
  return "";
}

/// The options of all commands, and the patterns "command option" of each answer.
struct BashTables {
  std::string options;
  std::map<std::string, std::vector<std::string>> answers;

  void add(std::string_view command, const OptionTable& table) {
    std::string spelled = "--help";
    for (const OptionGroup& group : table.groups())
      for (const Option& option : group.options) {
        if (option.name != "help") spelled += " --" + option.name;
        const std::string answer = answer_of(option);
        if (answer.empty()) continue;
        answers[answer].push_back(fmt::format("'{} --{}'", command, option.name));
        if (option.letter)
          answers[answer].push_back(fmt::format("'{} -{}'", command, option.letter));
      }
    options += fmt::format("    '{}') echo '{}' ;;\n", command, spelled);
  }
};

}  // namespace

std::string bash_completion() {
  BashTables tables;
  tables.add("", program_options());
  for_each_command(
      [&](const Command& command, const OptionTable& table) { tables.add(command.name(), table); });
  std::string text =
      "# Completion of synthoscope for bash, made by `synthoscope --completion bash`.\n\n"
      "# What may go on to a command\n_synthoscope_next() {\n  case $1 in\n";
  for (const NextWords& next : next_words()) {
    text += fmt::format("    '{}') echo '", next.said);
    for (const NextWord& word : next.words) text += word.word + ' ';
    text += next.said.empty() ? "--help --version --man --completion' ;;\n" : "--help' ;;\n";
  }
  text += fmt::format(
      "  esac\n}}\n\n_synthoscope_takes_a_command() {{\n  [[ $1 == @({}) ]]\n}}\n\n"
      "# Options of a command\n_synthoscope_options() {{\n  case $1 in\n{}  esac\n}}\n\n"
      "# What follows an option: files, folders, some text or one of these words\n"
      "_synthoscope_follows() {{\n  case $1 in\n",
      fmt::join(commands_before_commands(), "|"), tables.options);
  for (const auto& [answer, patterns] : tables.answers)
    text += fmt::format("    {})\n      echo {} ;;\n", fmt::join(patterns, " | \\\n    "), answer);
  return text + "  esac\n}\n" + std::string{kBashComplete};
}

}  // namespace synthoscope::tools
