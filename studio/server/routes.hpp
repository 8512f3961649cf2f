// SPDX-License-Identifier: MIT
// studio/server/routes.hpp — all paths that the page asks for, and what answers them.
#pragma once
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>
#include "studio/server/event_stream.hpp"
#include "studio/server/router.hpp"

namespace synthoscope::studio {

struct ExampleFile {
  std::string name;  ///< plain: it lies beside the scene
  std::string text;
};

struct ExampleScene {
  std::string name;   ///< "first"
  std::string about;  ///< one sentence
  std::string toml;
  std::vector<ExampleFile> files;  ///< those that it names
};

/// The scene that the page opens first.
struct OpenedScene {
  std::optional<std::string> name;  ///< of its file; none for an example
  std::string toml;
};

/// What the program gives the page.
struct Studio {
  std::filesystem::path folder;  ///< scenes are saved here, and nothing is written elsewhere
  OpenedScene opened;
  std::vector<ExampleScene> examples;
  std::shared_ptr<EventStream> events;
};

/// Returns the table of all paths. Among them are
///
///     GET  /api/examples/NAME   {"toml", "missing_files"}: names of files that it needs
///     POST /api/examples/NAME   writes these into the folder: {"written": [NAME, ...]}
Router studio_routes(const std::shared_ptr<const Studio>& studio);

}  // namespace synthoscope::studio
