// SPDX-License-Identifier: MIT
// tests/support/work_case.hpp — an image, a kernel and the problem they pose, kept alive together.
#pragma once
#include <utility>
#include <vector>
#include "core/stream/memory_stream.hpp"
#include "fftconv/request.hpp"

namespace synthoscope::test {

/// Sources refer to the volumes here, so a case stays where it was made.
struct WorkCase {
  WorkCase(Volume<double> image_voxels, Volume<double> kernel_voxels)
      : image{std::move(image_voxels)}, kernel{std::move(kernel_voxels)} {
    problem.image = image.extent;
    problem.kernel = kernel.extent;
    problem.center = {(kernel.extent.z - 1) / 2, (kernel.extent.y - 1) / 2,
                      (kernel.extent.x - 1) / 2};
  }
  WorkCase(const WorkCase&) = delete;
  WorkCase& operator=(const WorkCase&) = delete;

  Volume<double> image, kernel;
  MemorySource image_source{ConstVoxelView{std::as_const(image).view()}};
  MemorySource kernel_source{ConstVoxelView{std::as_const(kernel).view()}};
  fftconv::Problem problem;
  fftconv::Term term{&image_source, {&kernel_source, 0, 1}, {}};
};

}  // namespace synthoscope::test
