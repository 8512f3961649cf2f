// SPDX-License-Identifier: MIT
// simulator/optics/psf_models.hpp — how each model makes its PSF; psf.hpp chooses among them.
#pragma once
#include "simulator/optics/psf.hpp"

namespace synthoscope::simulator {

// All behave as make_psf and psf_size, for valid specs, without their warnings.

template <class T>
BasicPsf<T> make_radial_psf(const OpticsSpec& spec, const VoxelSize& pitch, const PsfSizing& sizing,
                            TaskPool& pool, MemoryBudget* memory, const StopFlag& stop);
PsfSize radial_psf_size(const OpticsSpec& spec, const VoxelSize& pitch, const PsfSizing& sizing,
                        TaskPool& pool);

template <class T>
BasicPsf<T> make_aberrated_psf(const OpticsSpec& spec, const VoxelSize& pitch,
                               const PsfSizing& sizing, TaskPool& pool, MemoryBudget* memory,
                               const StopFlag& stop);
PsfSize aberrated_psf_size(const OpticsSpec& spec, const VoxelSize& pitch, const PsfSizing& sizing,
                           TaskPool& pool);

template <class T>
BasicPsf<T> make_gaussian_psf(const OpticsSpec& spec, const VoxelSize& pitch,
                              const PsfSizing& sizing, TaskPool& pool, MemoryBudget* memory);
PsfSize gaussian_psf_size(const OpticsSpec& spec, const VoxelSize& pitch, const PsfSizing& sizing);

template <class T>
BasicPsf<T> make_measured_psf(const OpticsSpec& spec, const VoxelSize& pitch,
                              const PsfSizing& sizing, TaskPool& pool, MemoryBudget* memory,
                              const StopFlag& stop);
PsfSize measured_psf_size(const OpticsSpec& spec, const VoxelSize& pitch, const PsfSizing& sizing,
                          TaskPool& pool, const StopFlag& stop);

}  // namespace synthoscope::simulator
