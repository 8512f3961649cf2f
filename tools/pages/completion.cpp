// SPDX-License-Identifier: MIT
#include "tools/pages/completion.hpp"
#include <fmt/format.h>
#include <algorithm>
#include "core/base/error.hpp"
#include "tools/commands/commands.hpp"
#include "tools/pages/reference.hpp"

namespace synthoscope::tools {
namespace {

bool is_placeholder(std::string_view word) {
  return word.empty() || std::ranges::any_of(word, [](char c) { return c >= 'A' && c <= 'Z'; });
}

NextWords& behind(std::string_view said, std::vector<NextWords>& all) {
  const auto known =
      std::ranges::find_if(all, [&](const NextWords& next) { return next.said == said; });
  if (known != all.end()) return *known;
  return all.emplace_back(NextWords{std::string{said}, {}});
}

void add_word(NextWords& next, std::string_view word, std::string_view help) {
  for (const NextWord& known : next.words)
    if (known.word == word) return;
  next.words.push_back({std::string{word}, std::string{help}});
}

}  // namespace

std::vector<std::string> fixed_words(std::string_view value) {
  std::vector<std::string> words;
  if (value.find('|') == std::string_view::npos) return words;
  while (true) {
    const std::string_view word = value.substr(0, value.find('|'));
    if (!is_placeholder(word)) words.emplace_back(word);
    if (word.size() == value.size()) return words;
    value.remove_prefix(word.size() + 1);
  }
}

Follows follows(const Option& option) {
  if (option.value.empty()) return Follows::nothing;
  if (option.is_path) return option.value.starts_with("DIR") ? Follows::folders : Follows::files;
  return fixed_words(option.value).empty() ? Follows::text : Follows::words;
}

std::vector<NextWords> next_words() {
  std::vector<NextWords> all;
  behind("", all);
  for_each_command([&](const Command& command, const OptionTable& table) {
    const std::string_view name = command.name(), help = first_sentence(command.summary());
    const std::size_t blank = name.find(' ');
    const bool is_of_two = blank != std::string_view::npos;
    const std::string_view first = name.substr(0, blank);
    add_word(behind("", all), first, is_of_two ? "Several commands: see its --help" : help);
    if (is_of_two) add_word(behind(first, all), name.substr(blank + 1), help);
    if (!table.arguments().empty())
      for (const std::string& word : fixed_words(table.arguments().front().name))
        add_word(behind(name, all), word, "");
  });
  return all;
}

std::vector<std::string> commands_before_commands() {
  std::vector<std::string> names;
  for_each_command([&](const Command& command, const OptionTable& table) {
    if (!table.arguments().empty() && !fixed_words(table.arguments().front().name).empty())
      names.emplace_back(command.name());
  });
  return names;
}

std::string completion_script(std::string_view shell) {
  if (shell == "bash") return bash_completion();
  if (shell == "zsh") return zsh_completion();
  if (shell == "fish") return fish_completion();
  throw InvalidSpec(fmt::format(
      "print the completion of shell '{}': there is none; the shells are bash, zsh and fish",
      shell));
}

}  // namespace synthoscope::tools
