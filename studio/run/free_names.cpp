// SPDX-License-Identifier: MIT
#include "studio/run/free_names.hpp"
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <string_view>
#include <system_error>

namespace synthoscope::studio {

namespace fs = std::filesystem;

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(fs::symlink_status(path, ignored));
}

bool has_text(const fs::path& path, const std::string& text) {
  std::error_code ignored;
  if (!fs::is_regular_file(fs::symlink_status(path, ignored))) return false;
  if (fs::file_size(path, ignored) != text.size()) return false;
  std::ifstream file{path, std::ios::binary};
  return std::string{std::istreambuf_iterator<char>{file}, {}} == text;
}

std::string next_free_name(const fs::path& folder, const std::string& name) {
  constexpr std::string_view kEnding = ".toml";
  constexpr std::size_t kMostDigits = 6;
  const std::string_view ending = name.ends_with(kEnding) ? kEnding : "";
  std::string stem = name.substr(0, name.size() - ending.size());
  int number = 2;
  const auto before = stem.find_last_not_of("0123456789");
  const auto digits = before == std::string::npos ? 0 : stem.size() - before - 1;
  if (digits > 0 && digits <= kMostDigits && before > 0 && stem[before] == '_') {
    number = std::stoi(stem.substr(before + 1)) + 1;
    stem.resize(before);
  }
  for (;; ++number) {
    std::string next = fmt::format("{}_{}{}", stem, number, ending);
    if (!is_there(folder / next)) return next;
  }
}

void require_free_names(const fs::path& folder, const DataSetCommand& command,
                        const std::string& toml) {
  if (command.overwrite) return;
  const std::string file = command.file.string();
  const bool is_other_scene = is_there(folder / file) && !has_text(folder / file, toml);
  const bool is_other_folder = !command.resume && is_there(folder / command.output);
  if (!is_other_scene && !is_other_folder) return;
  const std::string scene =
      is_other_scene ? fmt::format("the file {} exists and holds another scene", file) : "";
  const std::string output =
      is_other_folder ? fmt::format("the folder {} exists already", command.output) : "";
  throw NamesTaken(fmt::format("{}{}{}; choose another name, or replace it", scene,
                               is_other_scene && is_other_folder ? ", and " : "", output),
                   is_other_scene ? next_free_name(folder, file) : file,
                   is_other_folder ? next_free_name(folder, command.output) : command.output);
}

}  // namespace synthoscope::studio
