// SPDX-License-Identifier: MIT
#include "tools/start/examples.hpp"
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <cctype>
#include "core/base/error.hpp"
#include "core/base/near_names.hpp"

namespace synthoscope::tools {
namespace {

constexpr std::string_view kEnding = ".toml";

}  // namespace

std::vector<std::string> example_names() {
  std::vector<std::string> names;
  for (const ExampleFile& file : example_files())
    if (file.name.ends_with(kEnding))
      names.emplace_back(file.name.substr(0, file.name.size() - kEnding.size()));
  std::stable_partition(names.begin(), names.end(),
                        [](const std::string& name) { return name == "first"; });
  return names;
}

std::vector<ExampleFile> files_of_example(std::string_view asked) {
  const auto all = example_files();
  if (asked == kAllExamples) return all;
  std::string name{asked.ends_with(kEnding) ? asked.substr(0, asked.size() - kEnding.size())
                                            : asked};
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const auto scene = std::find_if(all.begin(), all.end(), [&](const ExampleFile& file) {
    return file.name == fmt::format("{}{}", name, kEnding);
  });
  if (scene == all.end()) {
    const auto names = example_names();
    const auto near = near_names(name, names);
    throw InvalidSpec(fmt::format(
        "init: there is no example '{}'; {}", name,
        near.empty() ? fmt::format("choose {} or {}", fmt::join(names, ", "), kAllExamples)
                     : fmt::format("did you mean {}?", near.front())));
  }
  std::vector<ExampleFile> files{*scene};
  for (const ExampleFile& other : all)
    if (scene->text.find(fmt::format("\"{}\"", other.name)) != std::string_view::npos)
      files.push_back(other);
  return files;
}

std::string about_of(std::string_view scene) {
  std::string text;
  while (scene.starts_with("# ")) {
    const std::size_t end = std::min(scene.find('\n'), scene.size());
    text += fmt::format("{}{}", text.empty() ? "" : " ", scene.substr(2, end - 2));
    scene.remove_prefix(std::min(end + 1, scene.size()));
  }
  text.resize(std::min(text.find(". "), text.size()));
  if (text.ends_with('.')) text.pop_back();
  return text;
}

}  // namespace synthoscope::tools
