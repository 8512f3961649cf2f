// SPDX-License-Identifier: MIT
// simulator/optics/psf.hpp — the point spread function of an optical set-up on a voxel grid.
#pragma once
#include <optional>
#include <string>
#include <vector>
#include "core/base/units.hpp"
#include "core/run/memory_budget.hpp"
#include "core/run/stop.hpp"
#include "core/run/task_pool.hpp"
#include "core/stream/memory_stream.hpp"
#include "simulator/optics/optics_spec.hpp"

namespace synthoscope::simulator {

/// What bounds the window when OpticsSpec::size is absent.
struct PsfSizing {
  /// The volume to be blurred: the window reaches its depth up and down, and is never wider than
  /// light can travel within it. Without one, four depths of field (lambda n / NA^2) up and down.
  std::optional<Extent3> volume;
  std::int64_t lateral_limit = 511;  ///< voxels along y and x, odd
  Extent3 least{1, 1, 1};            ///< voxels of a window that is chosen, each odd
};

/// A PSF and what is known about it. Planes are [z, y, x]; plane i shows
/// z = origin_um + (i - centre.z) * pitch, the z of the model; where the cover glass lies below,
/// z = origin_um - (i - centre.z) * pitch.
template <class T>
struct BasicPsf {
  Volume<T> voxels;
  Index3 centre;         ///< the middle voxel: the emitter's position, laterally
  double origin_um = 0;  ///< z of the centre plane; the shift that the axial origin asked for
  double focus_um = 0;   ///< z of the largest on-axis intensity
  std::vector<double> captured;  ///< per plane: fraction of its infinite plane's energy
  double plane_energy = 1;  ///< what an infinite plane adds up to; the one in focus if they differ
  /// Of a file, and of confocal to sted: per plane, what its full width adds up to.
  std::vector<double> plane_energies;
  std::vector<std::string> notes;     ///< one sentence each: what was made of a file
  std::vector<std::string> warnings;  ///< one sentence each: sampling, energy outside the window
  Reservation counted;                ///< of the voxels
};
using Psf = BasicPsf<float>;

/// The largest pitch, um, at which a computed PSF that is sampled at the centres of pixels adds up
/// to a plane's light, to 1e-3. Farther apart samples make light that is not there, and the PSF has
/// to be integrated over the pixel.
double coarsest_sampling_um(const OpticsSpec& spec);

/// What make_psf makes of the same arguments, and what it holds, in bytes.
struct PsfRoom {
  Extent3 size;
  Index3 centre;
  std::int64_t voxel_bytes = 0;    ///< as long as the PSF is there
  std::int64_t working_bytes = 0;  ///< while it is computed
};

/// Reads the file of a measured PSF. @throws as make_psf.
PsfRoom psf_room(const OpticsSpec& spec, const VoxelSize& pitch, const PsfSizing& sizing,
                 TaskPool& pool, const StopFlag& stop = {});

/// Computes the PSF of `spec` on a grid of `pitch`.
///
/// The values are exact to 1e-6 of the peak; those of a file are interpolated. In the `plane`
/// normalisation a voxel holds the fraction of a plane's energy that falls on it (intensity times
/// pixel area). The default window captures >= 99 % of the energy of its farthest plane, or all
/// that can travel from one voxel of the volume to another. Where `size` or the lateral limit
/// forbids that, a warning says how much is lost. Voxels, and what is held while they are computed,
/// are counted against `memory` before they are taken; null counts nothing.
/// @throws InvalidSpec  a value out of range (see require_valid), an even or non-positive size,
///                      more than 2^31 voxels, or a pitch that is not positive.
/// @throws as open_measured, for a file.
/// @throws PlanError    beyond the budget.
/// @throws Interrupted  `stop` was set: looked at for every slab of planes of an aberrated PSF, and
///                      between the steps of others.
/// @accuracy  psf_test compares with an independent quadrature.
template <class T = float>
BasicPsf<T> make_psf(const OpticsSpec& spec, const VoxelSize& pitch, const PsfSizing& sizing,
                     TaskPool& pool, MemoryBudget* memory = nullptr, const StopFlag& stop = {});

/// The plane of whose energy the window holds the least, among those with a twentieth of the light
/// in focus or more.
template <class T>
std::size_t least_captured_plane(const BasicPsf<T>& psf);

/// What the infinite plane `planes` above the PSF's centre adds up to, in or out of its window;
/// nothing out of it where the PSF has plane_energies.
double plane_energy(const OpticsSpec& spec, const VoxelSize& pitch, const Psf& psf,
                    std::int64_t planes);

extern template std::size_t least_captured_plane(const Psf&);
extern template BasicPsf<float> make_psf(const OpticsSpec&, const VoxelSize&, const PsfSizing&,
                                         TaskPool&, MemoryBudget*, const StopFlag&);
extern template BasicPsf<double> make_psf(const OpticsSpec&, const VoxelSize&, const PsfSizing&,
                                          TaskPool&, MemoryBudget*, const StopFlag&);

}  // namespace synthoscope::simulator
