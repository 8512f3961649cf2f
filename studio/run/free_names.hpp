// SPDX-License-Identifier: MIT
// studio/run/free_names.hpp — whether the names of a run's scene and folder are free.
#pragma once
#include <filesystem>
#include <string>
#include <utility>
#include "core/base/error.hpp"
#include "studio/form/same_data_set.hpp"

namespace synthoscope::studio {

/// A run that would replace a scene or a folder. Its sentence says which.
struct NamesTaken final : Error {
  NamesTaken(const std::string& sentence, std::string its_file, std::string its_output)
      : Error{sentence}, file{std::move(its_file)}, output{std::move(its_output)} {}
  std::string file, output;  ///< names that are free; one that is free already stays
};

/// Returns whether there is a file, a folder or a link.
bool is_there(const std::filesystem::path& path);

/// Returns whether a regular file, and no link to one, has this text.
bool has_text(const std::filesystem::path& path, const std::string& text);

/// Returns the first free name of "cells_2.toml", "cells_3.toml" and so on for "cells.toml"; for
/// "cells_7.toml" it begins with "cells_8.toml". Those of a folder have no ending.
std::string next_free_name(const std::filesystem::path& folder, const std::string& name);

/// @param folder  in which the names of the command are
/// @param toml    text of the scene
/// @throws NamesTaken  the run would replace a file with another text, or a folder, and the command
///                     does not ask for it.
void require_free_names(const std::filesystem::path& folder, const DataSetCommand& command,
                        const std::string& toml);

}  // namespace synthoscope::studio
