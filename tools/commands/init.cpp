// SPDX-License-Identifier: MIT
// Writes an example scene to begin with.
#include <fmt/format.h>
#include <algorithm>
#include "core/base/json.hpp"
#include "imageio/output/atomic_file.hpp"
#include "imageio/run/new_output.hpp"
#include "tools/commands/commands.hpp"
#include "tools/options/rows.hpp"
#include "tools/options/run.hpp"
#include "tools/start/examples.hpp"
#include "tools/terminal/result.hpp"

namespace synthoscope::tools {
namespace {

class Init final : public Command {
 public:
  [[nodiscard]] std::string_view name() const override { return "init"; }
  [[nodiscard]] std::string_view summary() const override {
    return "Writes an example scene to begin with. The files that it names come with it. Without a "
           "name it lists all examples.";
  }
  void describe(OptionTable& table) override {
    table.add_argument({"NAME", "", "", "", "example to write, such as first, or all",
                        [this](std::string_view text) { name_ = text; }});
    table.group("Result");
    table.add(lettered('o', path_row("output", "DIR", folder_,
                                     "folder to write into; default: the current folder")));
    table.add(switch_row("overwrite", overwrite_, "replace files that exist"));
    table.group("Running");
    run_.describe_output(table);
  }

 private:
  void run(const Invocation& invocation) override;
  void name_files(imageio::RunFiles&) const override {}
  void list() const;
  void write() const;

  std::string name_;
  std::filesystem::path folder_ = ".";
  bool overwrite_ = false;
  RunOptions run_;
};

void Init::run(const Invocation&) {
  if (name_.empty())
    list();
  else
    write();
}

void Init::list() const {
  const auto names = example_names();
  std::size_t widest = 0;
  for (const auto& name : names) widest = std::max(widest, name.size());
  Json rows = Json::array();
  std::string text;
  for (const auto& name : names) {
    const std::string about = about_of(files_of_example(name).front().text);
    rows.push_back({{"name", name}, {"about", about}});
    text += fmt::format("{:{}}  {}\n", name, widest, about);
  }
  if (run_.json) return print_json(Json{{"examples", rows}});
  print_text(text + "\nsynthoscope init NAME writes NAME.toml, and init all writes all of them");
}

/// Checks all names before it writes the first file. The scene is written last, so that its files
/// exist when it does.
void Init::write() const {
  const auto files = files_of_example(name_);
  std::vector<std::filesystem::path> paths;
  for (const ExampleFile& file : files) paths.push_back((folder_ / file.name).lexically_normal());
  for (const auto& path : paths) imageio::require_new_output(path, overwrite_);
  std::error_code ignored;  // a missing folder is reported when a file is written
  for (const auto& path : paths) std::filesystem::create_directories(path.parent_path(), ignored);
  for (std::size_t i = files.size(); i-- > 0;)
    imageio::write_file_atomically(paths[i], files[i].text, overwrite_);
  const std::string scene = paths.front().string();
  if (run_.json) {
    Json names = Json::array();
    for (const auto& path : paths) names.push_back(path.string());
    return print_json(Json{{"files", names}});
  }
  print_summary(fmt::format("wrote {}\nsynthoscope simulate {} -o {}", scene, scene, name_));
}

}  // namespace

std::unique_ptr<Command> make_init() {
  return std::make_unique<Init>();
}

}  // namespace synthoscope::tools
