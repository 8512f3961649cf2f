// SPDX-License-Identifier: MIT
#include "tools/options/table.hpp"
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <boost/program_options.hpp>
#include <map>
#include "core/base/error.hpp"
#include "core/base/near_names.hpp"

namespace synthoscope::tools {
namespace {

namespace po = boost::program_options;

/// Boost.Program_options splits the words; which names exist comes from the table.
po::options_description described(const OptionTable& table) {
  po::options_description description;
  for (const OptionGroup& group : table.groups())
    for (const Option& option : group.options) {
      const std::string names =
          option.letter ? fmt::format("{},{}", option.name, option.letter) : option.name;
      if (option.value.empty())
        description.add_options()(names.c_str(), "");
      else if (option.many)
        description.add_options()(names.c_str(),
                                  po::value<std::vector<std::string>>()->multitoken(), "");
      else
        description.add_options()(names.c_str(), po::value<std::vector<std::string>>(), "");
    }
  return description;
}

po::parsed_options split(const OptionTable& table, std::string_view command,
                         std::span<const std::string> words) {
  using namespace po::command_line_style;
  const po::options_description description = described(table);
  const int style = allow_long | long_allow_adjacent | long_allow_next | allow_short |
                    short_allow_adjacent | short_allow_next | allow_dash_for_short;
  try {
    return po::command_line_parser({words.begin(), words.end()})
        .options(description)
        .style(style)
        .allow_unregistered()
        .run();
  } catch (const po::invalid_command_line_syntax& failure) {
    const std::string name = failure.get_option_name();
    if (failure.kind() == po::invalid_syntax::extra_parameter)
      throw InvalidSpec(
          fmt::format("{}: {} is a switch and takes no value; write it alone", command, name));
    throw InvalidSpec(
        fmt::format("{}: {} has no value; write it as {} VALUE", command, name, name));
  } catch (const po::error& failure) {
    throw InvalidSpec(
        fmt::format("{}: {}; see synthoscope {} --help", command, failure.what(), command));
  }
}

[[noreturn]] void refuse_unknown(const OptionTable& table, std::string_view command,
                                 const std::string& token) {
  std::string word = token.substr(0, token.find('='));
  const std::string bare = word.substr(word.find_first_not_of('-'));
  std::vector<std::string> near = near_names(bare, table.names());
  for (std::string& name : near) name.insert(0, "--");
  const std::string advice = near.empty()
                                 ? fmt::format("see synthoscope {} --help", command)
                                 : fmt::format("did you mean {}?", fmt::join(near, " or "));
  throw InvalidSpec(fmt::format("{}: there is no option {}; {}", command, word, advice));
}

void take(const Option& row, std::string_view command, std::string_view shown,
          std::string_view value) {
  try {
    row.take(value);
  } catch (const InvalidSpec& failure) {
    throw InvalidSpec(fmt::format("{}: {}: {}", command, shown, failure.what()));
  }
}

/// Users often write several keys of a scene after one --set.
std::string advice_on_extra(const OptionTable& table, std::string_view command,
                            std::string_view word) {
  if (table.find("set") && word.find('=') != std::string_view::npos)
    return fmt::format("repeat --set for each key: --set {}", word);
  return fmt::format("see synthoscope {} --help", command);
}

/// Returns the row of word `i` of `words`: a row that repeats takes all words that the rows after
/// it leave. Without such a row, further words have none, and the number of rows is returned.
std::size_t row_of_word(const std::vector<Option>& rows, std::size_t i, std::size_t words) {
  const auto repeating = static_cast<std::size_t>(
      std::ranges::find_if(rows, [](const Option& row) { return row.repeats; }) - rows.begin());
  const std::size_t further = words > rows.size() ? words - rows.size() : 0;
  if (i <= repeating) return i;
  return i <= repeating + further ? repeating : i - further;
}

void take_arguments(const OptionTable& table, std::string_view command,
                    const std::vector<std::string>& words) {
  const std::vector<Option>& rows = table.arguments();
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::size_t row = row_of_word(rows, i, words.size());
    if (row >= rows.size())
      throw InvalidSpec(fmt::format("{}: '{}' is one argument too many; {}", command, words[i],
                                    advice_on_extra(table, command, words[i])));
    take(rows[row], command, rows[row].name, words[i]);
  }
  for (std::size_t i = words.size(); i < rows.size(); ++i)
    if (rows[i].required)
      throw InvalidSpec(fmt::format("{}: {} is missing: {}; see synthoscope {} --help", command,
                                    rows[i].name, rows[i].help, command));
}

void require_meaning(const Option& option, std::string_view command) {
  if (option.is_meant && !option.is_meant())
    throw InvalidSpec(fmt::format("{}: --{} has an effect only {}; leave it out", command,
                                  option.name, option.only));
}

}  // namespace

void OptionTable::add(Option option) {
  if (groups_.empty()) group("Options");
  groups_.back().options.push_back(std::move(option));
}

const Option* OptionTable::find(std::string_view name) const {
  for (const OptionGroup& group : groups_)
    for (const Option& option : group.options)
      if (option.name == name ||
          (option.letter && name.size() == 2 && name[0] == '-' && name[1] == option.letter))
        return &option;
  return nullptr;
}

std::vector<std::string> OptionTable::names() const {
  std::vector<std::string> names;
  for (const OptionGroup& group : groups_)
    for (const Option& option : group.options) names.push_back(option.name);
  return names;
}

void parse(const OptionTable& table, std::string_view command, std::span<const std::string> words) {
  std::vector<std::string> arguments;
  std::map<std::string, int> seen;
  for (const auto& found : split(table, command, words).options) {
    if (found.unregistered) refuse_unknown(table, command, found.original_tokens.front());
    if (found.position_key >= 0) {
      arguments.insert(arguments.end(), found.value.begin(), found.value.end());
      continue;
    }
    const Option* row = table.find(found.string_key);
    if (++seen[row->name] > 1 && !row->repeats)
      throw InvalidSpec(fmt::format("{}: --{} is given twice; give it once", command, row->name));
    if (found.value.empty()) take(*row, command, "--" + row->name, "");
    for (const std::string& value : found.value) take(*row, command, "--" + row->name, value);
  }
  take_arguments(table, command, arguments);
  for (const OptionGroup& group : table.groups())
    for (const Option& option : group.options) {
      if (seen.contains(option.name))
        require_meaning(option, command);
      else if (option.required)
        throw InvalidSpec(fmt::format("{}: --{} is missing: {}; write --{} {}", command,
                                      option.name, option.help, option.name, option.value));
    }
}

}  // namespace synthoscope::tools
