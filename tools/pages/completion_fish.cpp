// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>
#include "tools/commands/commands.hpp"
#include "tools/pages/completion.hpp"
#include "tools/pages/reference.hpp"

namespace synthoscope::tools {
namespace {

constexpr std::string_view kFishTests = R"(
# Whether exactly these words were said before the one that is typed
function __synthoscope_said
    set -l words (commandline -opc)
    set -e words[1]
    test "$words" = "$argv"
end

# Whether it is the options of this command that are typed
function __synthoscope_runs
    set -l words (commandline -opc)
    set -e words[1]
    if contains -- "$words[1]" $__synthoscope_before_commands
        set -e words[1]
    end
    set -l wanted (count $argv)
    test "$words[1..$wanted]" = "$argv"
end

)";

std::string fish_quoted(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + '\'';
}

std::string fish_value(const Option& option) {
  switch (follows(option)) {
    case Follows::nothing:
      return "";
    case Follows::text:
      return " -x";
    case Follows::words:
      return fmt::format(" -x -a '{}'", fmt::join(fixed_words(option.value), " "));
    case Follows::files:
      return " -r -F";
    case Follows::folders:
      return " -x -a '(__fish_complete_directories)'";
  }
  return "";
}

std::string fish_options(std::string_view condition, const OptionTable& table) {
  std::string text;
  for (const OptionGroup& group : table.groups())
    for (const Option& option : group.options)
      text += fmt::format("complete -c synthoscope -n '{}' -l {}{}{} -d {}\n", condition,
                          option.name, option.letter ? fmt::format(" -s {}", option.letter) : "",
                          fish_value(option), fish_quoted(option.help));
  return text;
}

}  // namespace

std::string fish_completion() {
  std::string text = fmt::format(
      "# Completion of synthoscope for fish, made by `synthoscope --completion fish`.\n"
      "set -g __synthoscope_before_commands {}\n{}",
      fmt::join(commands_before_commands(), " "), kFishTests);
  for (const NextWords& next : next_words())
    for (const NextWord& word : next.words)
      text +=
          fmt::format("complete -c synthoscope -n '__synthoscope_said{}{}' -f -a {} -d {}\n",
                      next.said.empty() ? "" : " ", next.said, word.word, fish_quoted(word.help));
  text += fish_options("__synthoscope_said", program_options());
  for_each_command([&](const Command& command, const OptionTable& table) {
    const std::string condition = fmt::format("__synthoscope_runs {}", command.name());
    text += fish_options(condition, table) +
            fmt::format("complete -c synthoscope -n '{}' -l help -d 'arguments and options'\n",
                        condition);
  });
  return text;
}

}  // namespace synthoscope::tools
