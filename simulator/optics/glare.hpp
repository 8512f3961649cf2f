// SPDX-License-Identifier: MIT
// simulator/optics/glare.hpp — light that lens and sample scatter into a wide halo.
//
// Veiling glare: surfaces, barrel and camera of a microscope, and the sample, send a share s of the
// light of a point into a halo around its image,
//
//     h'(r, z) = (1 - s) h(r, z) + s (h * K)(r, z),  K(r) = exp(-r / L) / (2 pi L^2)
//
// The planes keep their light. exp(-r / L) is the mean of Gaussians whose variance along each axis
// is 2 u L^2, u distributed as Gamma(3/2) (the Laplace transform of exp(-sqrt(p))), so K is
// computed as a sum of five separable ones, by Gauss-Laguerre quadrature of degree 1/2.
#pragma once
#include "simulator/optics/psf.hpp"

namespace synthoscope::simulator {

/// Returns `sharp`, the size of a PSF without glare, with room for the halo of `spec` on both sides
/// along y and x: six times glare_um, at most what `sizing` allows. Explicit sizes stay.
Extent3 size_with_glare(const OpticsSpec& spec, const VoxelSize& pitch, const PsfSizing& sizing,
                        const Extent3& sharp);

/// Returns the bytes that add_glare needs in addition to a PSF of `size`.
std::int64_t glare_working_bytes(const OpticsSpec& spec, const Extent3& sharp, const Extent3& size,
                                 std::size_t voxel_bytes, int threads);

/// Adds the halo to a PSF that was computed without it, and counts its voxels against `memory`;
/// does nothing if glare_share is 0. Scales normalised PSFs again, so that sum or peak are 1.
/// @throws PlanError  beyond the budget.
template <class T>
void add_glare(BasicPsf<T>& psf, const OpticsSpec& spec, const VoxelSize& pitch,
               const PsfSizing& sizing, TaskPool& pool, MemoryBudget* memory);

extern template void add_glare(BasicPsf<float>&, const OpticsSpec&, const VoxelSize&,
                               const PsfSizing&, TaskPool&, MemoryBudget*);
extern template void add_glare(BasicPsf<double>&, const OpticsSpec&, const VoxelSize&,
                               const PsfSizing&, TaskPool&, MemoryBudget*);

}  // namespace synthoscope::simulator
