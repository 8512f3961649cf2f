// SPDX-License-Identifier: MIT
#include "tools/pages/help.hpp"
#include <fmt/format.h>
#include "tools/terminal/wrapped_text.hpp"

namespace synthoscope::tools {
namespace {

constexpr std::size_t kIndent = 6;

/// Choices that fill more than a line continue under the first of them.
std::string in_lines(std::string spelled) {
  const std::size_t first = spelled.rfind(' ') + 1, room = kColumns - 2;
  for (std::size_t line = 0; spelled.size() - line > room;) {
    const std::size_t end = spelled.rfind('|', line + room - 1);
    if (end == std::string::npos || end <= line + first) break;
    spelled.insert(end + 1, '\n' + std::string(first + 2, ' '));
    line = end + 2;
  }
  return spelled;
}

std::string in_cell(std::string_view text) {
  std::string cell;
  for (const char c : text) cell += c == '|' ? std::string{"\\|"} : std::string{c};
  return cell;
}

}  // namespace

std::string spelled_option(const Option& option) {
  const std::string letter = option.letter ? fmt::format("-{}, ", option.letter) : "";
  const std::string value = option.value.empty() ? "" : fmt::format(" {}", option.value);
  return fmt::format("{}--{}{}", letter, option.name, value);
}

std::string explained_option(const Option& option) {
  std::string text = option.help;
  if (!option.unit.empty()) text += fmt::format(", in {}", option.unit);
  if (!option.default_text.empty()) text += fmt::format(" (default: {})", option.default_text);
  return text;
}

std::string usage_line(std::string_view command, const OptionTable& table) {
  std::string line = fmt::format("synthoscope {}", command);
  for (const Option& argument : table.arguments())
    line +=
        argument.required ? fmt::format(" {}", argument.name) : fmt::format(" [{}]", argument.name);
  bool more = false;
  for (const OptionGroup& group : table.groups())
    for (const Option& option : group.options) {
      if (option.required || option.letter)
        line += option.letter ? fmt::format(" -{} {}", option.letter, option.value)
                              : fmt::format(" --{} {}", option.name, option.value);
      else
        more = true;
    }
  return more ? line + " [options]" : line;
}

std::string help_text(std::string_view command, std::string_view summary,
                      const OptionTable& table) {
  std::string text =
      fmt::format("usage: {}\n\n{}", usage_line(command, table), wrapped(summary, 0));
  if (!table.arguments().empty()) text += '\n';
  for (const Option& argument : table.arguments())
    text += fmt::format("  {}\n{}", argument.name, wrapped(argument.help, kIndent));
  for (const OptionGroup& group : table.groups()) {
    text += fmt::format("\n{}:\n", group.title);
    for (const Option& option : group.options)
      text += fmt::format("  {}\n{}", in_lines(spelled_option(option)),
                          wrapped(explained_option(option), kIndent));
  }
  return text;
}

std::string help_markdown(std::string_view command, std::string_view summary,
                          const OptionTable& table) {
  std::string text = fmt::format("## {}\n\n{}\n\n```text\n{}\n```\n", command, summary,
                                 usage_line(command, table));
  if (!table.arguments().empty()) text += "\n| argument | meaning |\n|---|---|\n";
  for (const Option& argument : table.arguments())
    text += fmt::format("| `{}` | {} |\n", in_cell(argument.name), in_cell(argument.help));
  for (const OptionGroup& group : table.groups()) {
    text += fmt::format("\n### {} {}\n\n| option | default | unit | meaning |\n|---|---|---|---|\n",
                        command, group.title);
    for (const Option& option : group.options)
      text += fmt::format("| `{}` | {} | {} | {} |\n", in_cell(spelled_option(option)),
                          in_cell(option.default_text), option.unit, in_cell(option.help));
  }
  return text;
}

}  // namespace synthoscope::tools
