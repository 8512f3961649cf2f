// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>
#include "tools/commands/commands.hpp"
#include "tools/pages/completion.hpp"
#include "tools/pages/reference.hpp"

namespace synthoscope::tools {
namespace {

/// In quotes, where _arguments gives brackets and colons a meaning.
std::string zsh_escaped(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\'') {
      escaped += "'\\''";
      continue;
    }
    if (c == ':' || c == '[' || c == ']' || c == '\\') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string zsh_value(const Option& option) {
  const auto with = [&](std::string_view action) {
    return fmt::format(":{}:{}", zsh_escaped(option.value), action);
  };
  switch (follows(option)) {
    case Follows::nothing:
      return "";
    case Follows::text:
      return with(" ");
    case Follows::words:
      return with(fmt::format("({})", fmt::join(fixed_words(option.value), " ")));
    case Follows::files:
      return with("_files");
    case Follows::folders:
      return with("_files -/");
  }
  return "";
}

std::string zsh_arguments(const OptionTable& table) {
  std::string text = "      _arguments \\\n";
  for (const OptionGroup& group : table.groups())
    for (const Option& option : group.options) {
      const std::string rest = fmt::format("[{}]{}'", zsh_escaped(option.help), zsh_value(option));
      const std::string again = option.repeats ? "*" : "";
      text += fmt::format("        '{}--{}{} \\\n", again, option.name, rest);
      if (option.letter) text += fmt::format("        '{}-{}{} \\\n", again, option.letter, rest);
    }
  return text + "        '--help[arguments and options]' '*:file:_files'\n";
}

}  // namespace

std::string zsh_completion() {
  std::string text =
      "#compdef synthoscope\n"
      "# Completion of synthoscope for zsh, made by `synthoscope --completion zsh`.\n\n"
      "_synthoscope() {\n  local -a next\n"
      "  case \"${words[2,CURRENT-1]}\" in\n";
  for (const NextWords& next : next_words()) {
    text += fmt::format("    '{}')\n      next=(\n", next.said);
    for (const NextWord& word : next.words)
      text += fmt::format("        '{}:{}'\n", word.word, zsh_escaped(word.help));
    text += "      ) ;;\n";
  }
  text += fmt::format(
      "  esac\n"
      "  if (( $#next )) && [[ $words[CURRENT] != -* ]]; then\n"
      "    _describe -t commands command next\n    return\n  fi\n"
      "  if [[ $words[2] == ({}) ]]; then shift words; (( CURRENT-- )); fi\n"
      "  case \"$words[2] $words[3]\" in\n",
      fmt::join(commands_before_commands(), "|"));
  for_each_command([&](const Command& command, const OptionTable& table) {
    const bool is_of_two = command.name().find(' ') != std::string_view::npos;
    text += fmt::format(
        "    '{}'{})\n      shift {} words; (( CURRENT -= {} ))\n{}      ;;\n",
        is_of_two ? std::string{command.name()} : fmt::format("{} ", command.name()),
        is_of_two ? "" : "*", is_of_two ? 2 : 1, is_of_two ? 2 : 1, zsh_arguments(table));
  });
  return text + "    *)\n" + zsh_arguments(program_options()) +
         "      ;;\n  esac\n}\n\n"
         "# In a folder of fpath this file is the function itself\n"
         "if [[ $funcstack[1] == _synthoscope ]]; then\n  _synthoscope \"$@\"\nelse\n"
         "  compdef _synthoscope synthoscope\nfi\n";
}

}  // namespace synthoscope::tools
