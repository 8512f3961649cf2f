// SPDX-License-Identifier: MIT
// tests/support/one_psf.hpp — a PSF in memory that is the same everywhere, as Imaging takes it.
#pragma once
#include <vector>
#include "core/run/task_pool.hpp"
#include "core/stream/memory_stream.hpp"
#include "simulator/imaging/imaging.hpp"
#include "simulator/scene/blur_setup.hpp"

namespace synthoscope::test {

/// Of the set-up of a scene; `psf` must outlive it.
struct OnePsf {
  OnePsf(const simulator::SceneSpec& scene, const simulator::Psf& psf)
      : voxels{psf.voxels.view()},
        terms{{&voxels,
               energies_of_planes(blur_optics(scene), blur_grid(scene).pitch, psf,
                                  scene.grid.extent.z, pool),
               &everywhere}} {}
  OnePsf(const OnePsf&) = delete;
  OnePsf& operator=(const OnePsf&) = delete;

  TaskPool pool{1};
  MemorySource voxels;
  simulator::VoxelWeights everywhere;
  std::vector<simulator::BlurTerm> terms;
};

}  // namespace synthoscope::test
