// SPDX-License-Identifier: MIT
// fit/run/known_keys.hpp — what a user knows of an image before it is fitted.
#pragma once
#include <filesystem>
#include <string_view>
#include "fit/run/fit_stages.hpp"

namespace synthoscope::fit {

/// @throws InvalidSpec  there is no such stage: names all.
Stage stage_named(std::string_view name);

/// Gives the scene to start from a camera of a file, and keeps it.
/// @throws as simulator::read_camera
void take_camera(FitRequest& request, const std::filesystem::path& file);

/// Gives it a measured PSF, and keeps it. @throws as imageio::inspect
void take_psf(FitRequest& request, const std::filesystem::path& file);

/// Gives it a key, as "optics.na=1.2", and keeps it. @throws as simulator::apply_override
void take_key(FitRequest& request, std::string_view assignment);

}  // namespace synthoscope::fit
