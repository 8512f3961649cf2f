// SPDX-License-Identifier: MIT
#include "studio/form/same_data_set.hpp"
#include <fmt/format.h>
#include <cctype>
#include <vector>
#include "core/base/json.hpp"
#include "simulator/scene/file/sweep.hpp"

namespace synthoscope::studio {
namespace {

constexpr std::string_view kProgramName = "synthoscope";

/// Returns a word as POSIX shells read it.
std::string shell_word(const std::string& word) {
  constexpr std::string_view kPlain = "_-./+,:@%=";
  bool is_plain = !word.empty();
  std::string quoted;
  for (const char c : word) {
    const bool is_safe =
        std::isalnum(static_cast<unsigned char>(c)) || kPlain.find(c) != std::string_view::npos;
    is_plain = is_plain && is_safe;
    quoted += c == '\'' ? "'\\''" : std::string(1, c);
  }
  return is_plain ? word : "'" + quoted + "'";
}

/// Returns the name of a file so that it cannot be read as an option.
std::string operand(const std::filesystem::path& file) {
  const std::string name = file.string();
  return name.starts_with('-') ? "./" + name : name;
}

/// Returns a text as a literal of Python, which has the escapes of JSON.
std::string python_text(const std::string& text) {
  return text_of(Json(text));
}

/// Returns ", name=value" of a call; empty for no value.
std::string named_argument(std::string_view name, const std::string& value) {
  return value.empty() ? "" : fmt::format(", {}={}", name, value);
}

}  // namespace

std::vector<std::string> arguments_of(const DataSetCommand& command) {
  std::vector<std::string> words{"simulate", operand(command.file), "-o", operand(command.output)};
  const auto add = [&](const char* option, const std::string& value) {
    if (!value.empty()) words.insert(words.end(), {option, value});
  };
  add("--format", command.format);
  add("--truth-layout", command.truth_layout);
  if (command.seed) add("--seed", std::to_string(*command.seed));
  if (command.overwrite) words.emplace_back("--overwrite");
  if (command.resume) words.emplace_back("--resume");
  return words;
}

std::string command_line_of(const DataSetCommand& command) {
  std::string line{kProgramName};
  for (const std::string& word : arguments_of(command)) line += " " + shell_word(word);
  return line;
}

std::string python_lines_of(std::string_view toml, const DataSetCommand& command) {
  if (simulator::parse_sweep(toml, command.file).is_empty()) {
    const auto text_or_none = [](const std::string& word) {
      return word.empty() ? word : python_text(word);
    };
    return fmt::format(
        "import pathlib\nimport synthoscope\n\n"
        "data = synthoscope.simulate(pathlib.Path({}), {}{}{}{}{})\n",
        python_text(command.file.string()), python_text(command.output),
        named_argument("seed", command.seed ? std::to_string(*command.seed) : ""),
        named_argument("format", text_or_none(command.format)),
        named_argument("truth_layout", text_or_none(command.truth_layout)),
        named_argument("overwrite", command.overwrite ? "True" : ""));
  }
  std::string words = python_text(std::string{kProgramName});
  for (const std::string& word : arguments_of(command)) words += ", " + python_text(word);
  return fmt::format("import subprocess\n\nsubprocess.run([{}], check=True)\n", words);
}

}  // namespace synthoscope::studio
