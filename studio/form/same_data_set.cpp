// SPDX-License-Identifier: MIT
#include "studio/form/same_data_set.hpp"
#include <fmt/format.h>
#include <cctype>
#include <vector>
#include "core/base/json.hpp"
#include "simulator/scene/file/sweep.hpp"

namespace synthoscope::studio {
namespace {

constexpr std::string_view kOutputFolder = "data";

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

std::vector<std::string> words_of_command(const std::filesystem::path& file,
                                          std::optional<std::int64_t> seed) {
  std::vector<std::string> words{"synthoscope", "simulate", operand(file), "-o",
                                 std::string{kOutputFolder}};
  if (seed) words.insert(words.end(), {"--seed", std::to_string(*seed)});
  return words;
}

}  // namespace

std::string command_line_of(const std::filesystem::path& file, std::optional<std::int64_t> seed) {
  std::string line;
  for (const std::string& word : words_of_command(file, seed))
    line += (line.empty() ? "" : " ") + shell_word(word);
  return line;
}

std::string python_lines_of(std::string_view toml, const std::filesystem::path& file,
                            std::optional<std::int64_t> seed) {
  if (simulator::parse_sweep(toml, file).is_empty())
    return fmt::format(
        "import pathlib\nimport synthoscope\n\n"
        "data = synthoscope.simulate(pathlib.Path({}), {}{})\n",
        python_text(file.string()), python_text(std::string{kOutputFolder}),
        seed ? fmt::format(", seed={}", *seed) : "");
  std::string words;
  for (const std::string& word : words_of_command(file, seed))
    words += (words.empty() ? "" : ", ") + python_text(word);
  return fmt::format("import subprocess\n\nsubprocess.run([{}], check=True)\n", words);
}

}  // namespace synthoscope::studio
