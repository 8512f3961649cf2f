// SPDX-License-Identifier: MIT
// Manual pages, from the option tables.
#include <fmt/format.h>
#include <algorithm>
#include "core/base/error.hpp"
#include "core/base/version.hpp"
#include "tools/commands/commands.hpp"
#include "tools/pages/help.hpp"
#include "tools/pages/reference.hpp"
#include "tools/terminal/exit_code.hpp"

namespace synthoscope::tools {
namespace {

/// A line of text, in which roff sees no request and no hyphen.
std::string roff(std::string_view text) {
  std::string line = text.starts_with('.') || text.starts_with('\'') ? "\\&" : "";
  for (const char c : text) {
    if (c == '\\')
      line += "\\e";
    else if (c == '-')
      line += "\\-";
    else if (c == '\'')
      line += "\\(aq";
    else
      line += c;
  }
  return line;
}

std::string page_name(std::string_view command) {
  std::string name = command.empty() ? "synthoscope" : fmt::format("synthoscope-{}", command);
  std::replace(name.begin(), name.end(), ' ', '-');
  return name;
}

std::string head(std::string_view command, std::string_view does, std::string_view usage,
                 std::string_view summary) {
  return fmt::format(
      ".TH {} 1 \"\" \"synthoscope {}\" \"synthoscope\"\n.SH NAME\n{} \\- {}\n"
      ".SH SYNOPSIS\n\\fB{}\\fR\n.SH DESCRIPTION\n{}\n",
      roff(page_name(command)), kVersion, roff(page_name(command)), roff(does), roff(usage),
      roff(summary));
}

std::string entry(std::string_view term, std::string_view meaning) {
  return fmt::format(".TP\n\\fB{}\\fR\n{}\n", roff(term), roff(meaning));
}

std::string tables(const OptionTable& table) {
  std::string text = table.arguments().empty() ? "" : ".SH ARGUMENTS\n";
  for (const Option& argument : table.arguments()) text += entry(argument.name, argument.help);
  if (!table.groups().empty()) text += ".SH OPTIONS\n";
  for (const OptionGroup& group : table.groups()) {
    text += fmt::format(".SS {}\n", roff(group.title));
    for (const Option& option : group.options)
      text += entry(spelled_option(option), explained_option(option));
  }
  return text;
}

std::string foot() {
  std::string text = ".SH EXIT STATUS\n";
  for (const auto& [code, meaning] : exit_code_meanings())
    text += entry(std::to_string(code), meaning);
  text += ".SH ENVIRONMENT\n";
  for (const auto& [variable, meaning] : environment_variables()) text += entry(variable, meaning);
  return text;
}

std::string program_page() {
  std::string text =
      head("", "microscopy images with exact ground truth, convolution of any size",
           "synthoscope COMMAND [arguments and options]",
           "Simulates microscopy images with exact ground truth, and convolves images of any size. "
           "Each command has its own page, such as synthoscope-simulate(1).") +
      ".SH COMMANDS\n";
  for (const auto& command : all_commands())
    text += entry(command->name(), first_sentence(command->summary()));
  return text + tables(program_options()) + foot();
}

}  // namespace

std::string man_page(std::string_view name) {
  if (name.empty()) return program_page();
  std::string text;
  for_each_command([&](const Command& command, const OptionTable& table) {
    if (command.name() != name) return;
    text =
        head(name, first_sentence(command.summary()), usage_line(name, table), command.summary()) +
        tables(table) + foot() + ".SH SEE ALSO\n\\fBsynthoscope\\fR(1)\n";
  });
  if (!text.empty()) return text;
  throw InvalidSpec(fmt::format(
      "print the man page of '{}': there is no such command; see synthoscope --list-commands",
      name));
}

}  // namespace synthoscope::tools
