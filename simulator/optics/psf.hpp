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
#include "simulator/optics/pupil/optics_spec.hpp"

namespace synthoscope::simulator {

/// Bounds of the window if OpticsSpec::size is absent.
struct PsfSizing {
  /// The volume to be blurred: the window extends by its depth up and down, and is never wider than
  /// light can travel within it. If absent, the window extends by four depths of field (lambda n /
  /// NA^2) up and down.
  std::optional<Extent3> volume;
  std::int64_t lateral_limit = 511;  ///< voxels along y and x, odd
  Extent3 least{1, 1, 1};            ///< least size of a chosen window, voxels, each odd
};

/// A PSF and what is known about it. Planes are [z, y, x]; plane i shows z = origin_um + (i -
/// centre.z) * pitch, the z of the model; if the cover glass lies below, z = origin_um - (i -
/// centre.z) * pitch.
template <class T>
struct BasicPsf {
  Volume<T> voxels;
  Index3 centre;         ///< the middle voxel; along y and x the position of the emitter
  double origin_um = 0;  ///< z of the centre plane: OpticsSpec::axial_origin and shift
  double focus_um = 0;   ///< z of the largest on-axis intensity
  /// Per plane: fraction of the energy of the plane without bounds; 1 where there is no light.
  std::vector<double> captured;
  double plane_energy = 1;  ///< sum of an infinite plane; of the plane in focus if planes differ
  /// Sum of each infinite plane; only for measured PSFs and for models with an excitation.
  std::vector<double> plane_energies;
  std::vector<std::string> notes;  ///< one sentence each: how a file was used, where a pupil ends
  std::vector<std::string> warnings;  ///< one sentence each: sampling, energy outside the window
  Reservation counted;                ///< of the voxels
};
using Psf = BasicPsf<float>;

/// Returns the largest pitch, um, at which a computed PSF that is sampled at the centres of pixels
/// adds up to a plane's light, to 1e-3. With a coarser pitch the sum is wrong, and the PSF must be
/// integrated over the pixel.
double coarsest_sampling_um(const OpticsSpec& spec);

/// Size of the PSF that make_psf computes from the same arguments, and the bytes that it holds.
struct PsfSize {
  Extent3 size;
  Index3 centre;
  std::int64_t voxel_bytes = 0;    ///< while the PSF exists
  std::int64_t working_bytes = 0;  ///< while it is computed
};

/// Computes the size and memory of a PSF. Reads the file of a measured PSF. @throws as make_psf.
PsfSize psf_size(const OpticsSpec& spec, const VoxelSize& pitch, const PsfSizing& sizing,
                 TaskPool& pool, const StopFlag& stop = {});

/// Computes the PSF of `spec` on a grid of `pitch`.
///
/// The values are exact to 1e-6 of the peak; values of a file are interpolated. In the `plane`
/// normalisation a voxel holds the fraction of a plane's energy that falls on it (intensity times
/// pixel area). The default window captures >= 99 % of the energy of its farthest plane, or all
/// that can travel from one voxel of the volume to another. If `size` or the lateral limit forbids
/// that, a warning reports how much is lost. Voxels and working memory are counted against `memory`
/// before they are allocated; null counts nothing.
/// @throws InvalidSpec  a value out of range (see require_valid), an even or non-positive size,
///                      more than 2^31 voxels, or a pitch that is not positive.
/// @throws as open_measured, for a file.
/// @throws PlanError    beyond the budget.
/// @throws Interrupted  `stop` was set: checked for every slab of planes of an aberrated PSF, and
///                      between the steps of others.
/// @accuracy  psf_test compares with an independent quadrature.
template <class T = float>
BasicPsf<T> make_psf(const OpticsSpec& spec, const VoxelSize& pitch, const PsfSizing& sizing,
                     TaskPool& pool, MemoryBudget* memory = nullptr, const StopFlag& stop = {});

/// Returns the plane with the smallest captured fraction, among planes with a twentieth of the
/// light in focus or more.
template <class T>
std::size_t least_captured_plane(const BasicPsf<T>& psf);

/// Returns the sum of the infinite plane `planes` above the PSF's centre, inside or outside its
/// window; 0 outside if the PSF has plane_energies.
double plane_energy(const OpticsSpec& spec, const VoxelSize& pitch, const Psf& psf,
                    std::int64_t planes);

extern template std::size_t least_captured_plane(const Psf&);
extern template BasicPsf<float> make_psf(const OpticsSpec&, const VoxelSize&, const PsfSizing&,
                                         TaskPool&, MemoryBudget*, const StopFlag&);
extern template BasicPsf<double> make_psf(const OpticsSpec&, const VoxelSize&, const PsfSizing&,
                                          TaskPool&, MemoryBudget*, const StopFlag&);

}  // namespace synthoscope::simulator
