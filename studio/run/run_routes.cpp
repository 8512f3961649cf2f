// SPDX-License-Identifier: MIT
#include "studio/run/run_routes.hpp"
#include <fmt/format.h>
#include <string>
#include <utility>
#include <vector>
#include "core/base/error.hpp"
#include "imageio/output/atomic_file.hpp"
#include "simulator/scene/file/scene_file.hpp"
#include "simulator/scene/file/sweep.hpp"
#include "studio/form/same_data_set.hpp"
#include "studio/run/estimate.hpp"
#include "studio/run/free_names.hpp"
#include "studio/server/saved_scene.hpp"

namespace synthoscope::studio {
namespace {

namespace fs = std::filesystem;

std::string optional_text(const Json& object, const char* name) {
  return object.contains(name) ? text_in(object, name) : std::string{};
}

/// @throws InvalidSpec  `name` is no name of a folder in the folder of the program.
void require_folder_name(const std::string& name) {
  if (!is_plain_name(name) || name.ends_with(".toml") || name.front() == '-')
    throw InvalidSpec(
        fmt::format("make a data set in '{}': only a plain folder name is accepted, which does not "
                    "begin with a dash or a dot and does not end in .toml",
                    name));
}

/// Returns the folders of the sets of a sweep, which do not depend on its seed; none for a scene
/// without a sweep, or one that is wrong: the run says how.
std::vector<std::string> folders_of_sets(const std::string& toml, const fs::path& file) {
  std::vector<std::string> folders;
  try {
    const simulator::SweepSpec sweep = simulator::parse_sweep(toml, file);
    if (sweep.is_empty()) return folders;
    const simulator::SceneSpec scene = simulator::parse_scene_of_sweep(toml, file);
    for (const simulator::SweepSet& set : sets_of(scene, sweep, 0)) folders.push_back(set.folder);
  } catch (const Error&) {
    folders.clear();
  }
  return folders;
}

Response run_data_set(const Request& request, const RunServices& services) {
  const fs::path& folder = services.folder;
  const Json asked = object_of(request);
  const std::string toml = text_in(asked, "toml"), name = text_in(asked, "name");
  const DataSetCommand command{.file = name,
                               .output = text_in(asked, "output"),
                               .format = optional_text(asked, "format"),
                               .truth_layout = optional_text(asked, "truth_layout"),
                               .overwrite = flag_in(asked, "overwrite"),
                               .resume = flag_in(asked, "resume"),
                               .seed = whole_number_in(asked, "seed")};
  require_scene_name(name);
  require_folder_name(command.output);
  const RunJob job{
      .kind = RunKind::data_set,
      .arguments = arguments_of(command),
      .output = command.output,
      .sets = folders_of_sets(toml, folder / name),
      .when_done = [&made = services.made, output = command.output] { made.add_data_set(output); }};
  // The scene is written once it is certain that this run has its turn
  const auto prepare = [&] {
    require_free_names(folder, command, toml);
    const fs::path scene = folder / name;
    if (!has_text(scene, toml)) imageio::write_file_atomically(scene, toml, command.overwrite);
  };
  try {
    return json_response(json_of(services.runner.start(job, prepare)));
  } catch (const NamesTaken& taken) {
    const Json free{{"name", taken.file}, {"output", taken.output}};
    return json_response({{"error", taken.what()}, {"free", free}}, 409);
  }
}

Response run_report(const Request& request, const RunServices& services) {
  const fs::path& folder = services.folder;
  MadeFiles& made = services.made;
  const Json asked = object_of(request);
  const std::string output = text_in(asked, "output"), set = optional_text(asked, "set");
  const fs::path data = set.empty() ? fs::path{output} : fs::path{output} / set;
  if (!made.has_data_set(output) || !(set.empty() || is_plain_name(set)) ||
      !is_there(folder / data))
    throw RequestFailure(404, fmt::format("make a report of {}: it is no data set that was made "
                                          "here since the program started; make it first",
                                          data.string()));
  const std::string page =
      fmt::format("{}{}-report.html", output, set.empty() ? set : fmt::format("-{}", set));
  const bool may_replace = made.has_page(page) || flag_in(asked, "overwrite");
  RunJob job{.kind = RunKind::report,
             .arguments = {"report", data.string(), "-o", page},
             .output = output,
             .page = page,
             .when_done = [&made, page] { made.add_page(page); }};
  if (may_replace) job.arguments.emplace_back("--overwrite");
  const RunState state = services.runner.start(job, [&] {
    if (!may_replace && is_there(folder / page))
      throw RequestFailure(
          409, fmt::format("make the report {}: the file exists already; replace it, or rename it",
                           page));
  });
  return json_response(json_of(state));
}

Response show_state(const RunServices& services) {
  Json state = json_of(services.runner.state());
  state["folder"] = services.folder.string();
  return json_response(state);
}

Response show_estimate(const Request& request, const RunServices& services) {
  return json_response(estimate_json(text_in(object_of(request), "toml"),
                                     services.folder / "scene.toml", services.blur.machine(),
                                     services.context));
}

}  // namespace

void add_run_routes(Router& router, const RunServices& services) {
  router.add("GET", "/api/run", [services](const auto&) { return show_state(services); });
  router.add("POST", "/api/run",
             [services](const Request& request) { return run_data_set(request, services); });
  router.add("POST", "/api/stop", [services](const Request& request) {
    static_cast<void>(object_of(request));
    return json_response(json_of(services.runner.stop()));
  });
  router.add("POST", "/api/estimate",
             [services](const Request& request) { return show_estimate(request, services); });
  router.add("POST", "/api/report",
             [services](const Request& request) { return run_report(request, services); });
  const auto show = [services](const Request& request) {
    return services.made.show(request.parts);
  };
  for (const char* path :
       {"/data/*", "/data/*/*", "/data/*/*/*", "/data/*/*/*/*", "/data/*/*/*/*/*"})
    router.add("GET", path, show);
}

}  // namespace synthoscope::studio
