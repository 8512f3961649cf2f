// SPDX-License-Identifier: MIT
// Serves a page on which scenes are looked at and changed, to the browser of this machine.
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "imageio/input/text_file.hpp"
#include "jobs/machine/gpu_in_use.hpp"
#include "jobs/plan/choose_machine.hpp"
#include "multigpu/make_executor.hpp"
#include "studio/files/file_routes.hpp"
#include "studio/run/made_files.hpp"
#include "studio/run/run_routes.hpp"
#include "studio/run/runner.hpp"
#include "studio/server/routes.hpp"
#include "studio/server/server.hpp"
#include "studio/session/live_preview.hpp"
#include "studio/session/scene_routes.hpp"
#include "tools/commands/commands.hpp"
#include "tools/options/rows.hpp"
#include "tools/options/run.hpp"
#include "tools/options/work.hpp"
#include "tools/start/examples.hpp"
#include "tools/studio/open_browser.hpp"
#include "tools/terminal/result.hpp"

namespace synthoscope::tools {
namespace {

constexpr std::int64_t kMostPorts = 65535;

std::vector<studio::ExampleScene> example_scenes() {
  std::vector<studio::ExampleScene> scenes;
  for (const std::string& name : example_names()) {
    const auto files = files_of_example(name);
    const std::string text{files.front().text};
    scenes.push_back({name, about_of(text), text, {}});
    for (std::size_t i = 1; i < files.size(); ++i)
      scenes.back().files.push_back({std::string{files[i].name}, std::string{files[i].text}});
  }
  return scenes;
}

/// Returns this program, as it was when it started, even if a newer one has replaced its file. Its
/// runs print progress, warnings and failures as lines of JSON.
studio::RunProgram this_program() {
  return {"/proc/self/exe", {"--progress", "json"}};
}

class StudioCommand final : public Command {
 public:
  [[nodiscard]] std::string_view name() const override { return "studio"; }
  [[nodiscard]] std::string_view summary() const override {
    return "Serves a page to choose and change scenes in the browser. They are previewed there, "
           "compared with real images, and made into data sets in the current folder. Prints its "
           "address first. Only this machine can open it, with the token of the address. Ends "
           "with Ctrl-C.";
  }
  void describe(OptionTable& table) override {
    table.add_argument({"SCENE", "", "", "", "scene file to begin with; default: an example",
                        [this](std::string_view text) { scene_ = text; }});
    table.group("Page");
    table.add({"port", "N", "a free one", "", "port of 127.0.0.1 to listen on",
               [this](std::string_view text) {
                 server_.port = static_cast<int>(parse_whole(text, 1, kMostPorts));
               }});
    table.add(switch_row("no-open", no_open_, "do not open the page in a browser"));
    table.add(texts_row("allow-host", "NAME", server_.hosts,
                        "accept requests that call this machine NAME, beside localhost, 127.0.0.1 "
                        "and [::1]; may be repeated"));
    gpu_.describe_choice(table);
    table.group("Running");
    run_.describe_for_one_stage(table);
  }

 private:
  void run(const Invocation& invocation) override;
  void name_files(imageio::RunFiles& files) const override {
    if (!scene_.empty()) files.add_input("SCENE", scene_);
  }
  [[nodiscard]] studio::Studio studio() const;

  std::filesystem::path scene_;
  studio::ServerOptions server_;
  bool no_open_ = false;
  GpuOptions gpu_;
  RunOptions run_;
};

studio::Studio StudioCommand::studio() const {
  studio::Studio made{.folder = std::filesystem::current_path(),
                      .opened = {},
                      .examples = example_scenes(),
                      .events = std::make_shared<studio::EventStream>()};
  if (scene_.empty())
    made.opened = {std::nullopt, made.examples.front().toml};
  else
    made.opened = {scene_.filename().string(), imageio::read_text(scene_)};
  return made;
}

void StudioCommand::run(const Invocation& invocation) {
  const auto shared = std::make_shared<const studio::Studio>(studio());
  Session session{run_, invocation};
  // The page shows progress and warnings
  NoProgress silent;
  NoLog none;
  const RunContext& given = session.context();
  const RunContext context{given.pool, given.memory, silent, none, given.stop};
  jobs::GpuInUse gpu{gpu_, session.workspace()};
  const jobs::ChosenMachine chosen = machine_with_gpus(session.workspace(), gpu);
  const auto blur = multigpu::make_executor(chosen.machine, chosen.devices);
  studio::LivePreview preview{*blur, *shared->events, context};
  studio::MadeFiles made{shared->folder};
  studio::Runner runner{this_program(), shared->folder, *shared->events};
  studio::Router router = studio::studio_routes(shared);
  add_scene_routes(router, shared->folder, preview);
  add_run_routes(router, {shared->folder, runner, made, *blur, context});
  add_file_routes(router, shared->folder, context.memory, preview);
  studio::Server server{std::move(router), server_};
  const std::string address = server.address();
  if (run_.json)
    print_json(Json{{"address", address}});
  else
    print_text(address);
  if (!no_open_) open_browser(address);
  server.run(invocation.stop);
  throw Interrupted(
      "serve the page: a signal ended the program; scenes that were saved are complete, and "
      "synthoscope studio starts it again");
}

}  // namespace

std::unique_ptr<Command> make_studio() {
  return std::make_unique<StudioCommand>();
}

}  // namespace synthoscope::tools
