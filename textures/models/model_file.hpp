// SPDX-License-Identifier: MIT
// textures/models/model_file.hpp — a model in one HDF5 file: numbers as tables, the rest as JSON at
// its root.
#pragma once
#include <filesystem>
#include <string>
#include "core/run/run_context.hpp"
#include "textures/models/texture_model.hpp"

namespace synthoscope::textures {

/// What holds a model that was read.
struct ReadModel {
  TextureModel model;
  Reservation held;
};

/// Writes a file that appears under its name when it is whole. Equal models give equal bytes.
/// Tables /dictionary (centroid, size), /image (class), /texture (image, origin, size, histogram);
/// the attribute `provenance` of the root says in JSON what they mean.
/// @throws InvalidSpec  the file is there and `overwrite` is not set.  @throws IoError
/// @throws PlanError    the memory has no room for what is written, in double.
void write_model(const std::filesystem::path& path, const TextureModel& model, bool overwrite,
                 MemoryBudget& memory);

/// Reads what write_model wrote.
/// @throws InvalidInput  it is no such file, or broken: says what is wrong.  @throws IoError
/// @throws PlanError     the memory has no room for it.
ReadModel read_model(const std::filesystem::path& path, const RunContext& context);

}  // namespace synthoscope::textures
