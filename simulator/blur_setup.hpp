// SPDX-License-Identifier: MIT
// simulator/blur_setup.hpp — what the blur of a scene is done with: its grid, its optics, the
// window of its PSF. A pixel's extent comes in exactly once.
#pragma once
#include <optional>
#include <string>
#include "simulator/optics/psf.hpp"
#include "simulator/phantom/phantom.hpp"
#include "simulator/scene.hpp"

namespace synthoscope::simulator {

/// Which kinds of emitters a scene holds that are not dark.
struct Emitters {
  bool extended = false;  ///< rendered as averages over voxels
  bool points = false;    ///< in the middle of a voxel
};
Emitters emitters_of(const SceneSpec& scene);

/// The grid that light is rendered and blurred on: the scene's, `oversample` times finer along y
/// and x.
Grid blur_grid(const SceneSpec& scene);

/// The scene's optics with a decision about pixel integration. Where the scene leaves it open it is
/// on for points alone (with `oversample`, over the finer voxel that photons are added up from):
/// bodies are averages over voxels already, and two boxes would widen the blur (by 3.6 % at
/// Nyquist's pitch). Beyond coarsest_sampling_um it is on for all: samples of the PSF would make
/// light, and an average comes closer to the true image than they do. Measured PSFs were recorded
/// by pixels: for bodies it stays open, for points alone it is on, see Resampling.
OpticsSpec blur_optics(const SceneSpec& scene);

/// The same world on a grid `n` times finer along y and x. Points lie in the middle of a voxel of
/// `phantom`, where an even `n` leaves no finer voxel: `n` is odd if there are any.
Phantom refined(const Phantom& phantom, std::int64_t n);

/// Where the window of the PSF may reach: on finer grids, to as many micrometres.
PsfSizing blur_sizing(const SceneSpec& scene);

/// @throws InvalidSpec  `oversample` is even beside points; or pixel integration is forbidden where
///                      samples of the PSF would make light that is not there.
void require_pixels_once(const SceneSpec& scene);

/// What to say of a channel that sees nothing that is there.
std::optional<std::string> dark_warning(const SceneSpec& channel);

/// What to say where a pixel's extent does not come in exactly once for all emitters.
std::optional<std::string> pixel_warning(const SceneSpec& scene);

}  // namespace synthoscope::simulator
