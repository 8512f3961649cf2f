// SPDX-License-Identifier: MIT
// bench/kernels/kernel_jobs.hpp — what the benchmarks of image kernels are told to measure, as
// JSON.
#pragma once
#include <filesystem>
#include <memory>
#include "core/base/json.hpp"
#include "kernels/correlate/stencil.hpp"
#include "kernels/operation/tiled_operation.hpp"

namespace synthoscope::kernels {

struct Job {
  Json words;      ///< "operation", and what it needs
  Extent3 extent;  ///< of the image
  PixelType type;  ///< of the image
};

/// From an object with "extent" [z, y, x] and "type".
Job job_of(const Json& json);

Extent3 extent_in(const Json& json);

/// What a file holds. @throws IoError
Json json_in(const std::filesystem::path& path);

NeighbourhoodSetting setting_of(const Job& job);

/// The weights of "correlate", or those of "gaussian" and "box", the same along every axis, but
/// none along z where there is one plane.
Stencil stencil_of(const Job& job);
SeparableStencil separable_stencil_of(const Job& job);

/// @throws InvalidSpec  there is no such operation.
std::unique_ptr<Operation> operation_of(const Job& job);

}  // namespace synthoscope::kernels
