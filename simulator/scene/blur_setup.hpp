// SPDX-License-Identifier: MIT
// simulator/scene/blur_setup.hpp — how a scene is blurred: its grid, its optics, the window of its
// PSF. A pixel's extent is applied exactly once.
#pragma once
#include <optional>
#include <string>
#include "simulator/light/background.hpp"
#include "simulator/optics/psf.hpp"
#include "simulator/phantom/phantom.hpp"
#include "simulator/scene/scene.hpp"

namespace synthoscope::simulator {

/// The kinds of emitters in a scene that give light.
struct Emitters {
  bool extended = false;  ///< rendered as averages over voxels
  bool points = false;    ///< in the middle of a voxel
};
Emitters emitters_of(const SceneSpec& scene);

/// Returns the grid that light is rendered and blurred on: the sample's, `oversample` times finer
/// along y and x.
Grid blur_grid(const SceneSpec& scene);

/// Returns the scene's optics, with pixel integration decided if the scene leaves it open. It is on
/// for points alone (with `oversample`, over the finer voxel that photons are summed from). For
/// bodies it is off: they are averages over voxels already, and a second box would widen the blur
/// (by 3.6 % at Nyquist's pitch). Beyond coarsest_sampling_um it is on for all: samples of the PSF
/// would add up to too much light, and an average is closer to the true image. Measured PSFs were
/// recorded by pixels: for points alone without `oversample` it is on; for bodies it stays absent,
/// and make_psf decides (optics/measured_resampling.hpp).
OpticsSpec blur_optics(const SceneSpec& scene);

/// Returns the part of blur_grid(scene) that is recorded; no part if all of it is.
Box3 recorded_part(const SceneSpec& scene);

/// Returns the same world on a grid `n` times finer along y and x. A point stays in the middle of
/// its voxel, and an even `n` leaves no finer voxel there: `n` is odd if there are points.
Phantom refined(Phantom phantom, std::int64_t n);

/// Returns the objects of a phantom on the scene's grid, on the grid of the sample.
Phantom on_sample_grid(const Phantom& phantom, const SceneSpec& scene);

/// Returns the objects of a phantom on the scene's grid, on the grid of the blur; null if it is the
/// same grid.
std::optional<Phantom> on_blur_grid(const Phantom& phantom, const SceneSpec& scene);

/// Returns whether on_blur_grid returns another phantom.
bool has_own_blur_grid(const SceneSpec& scene);

/// Returns the background of a frame: of a movie it stays the same, and independent frames have
/// their own. Channels of a frame have the same fields.
Background background_of(const SceneSpec& scene, std::uint64_t seed, std::int64_t frame);

/// Returns the limits of the PSF's window: on a finer grid, the same in micrometres.
PsfSizing blur_sizing(const SceneSpec& scene);

/// @throws InvalidSpec  `oversample` is even and there are points; or pixel integration is
///                      forbidden although samples of the PSF would add up to more light than there
///                      is.
void require_pixels_once(const SceneSpec& scene);

/// Returns a warning for a channel in which nothing gives light.
std::optional<std::string> dark_warning(const SceneSpec& channel);

/// Returns a warning if a pixel's extent is not applied exactly once for all emitters.
std::optional<std::string> pixel_warning(const SceneSpec& scene);

}  // namespace synthoscope::simulator
