// SPDX-License-Identifier: MIT
#include "studio/preview/channel_optics.hpp"
#include <algorithm>
#include "core/base/assert.hpp"
#include "core/stream/memory_stream.hpp"
#include "simulator/report/psf_profile.hpp"

namespace synthoscope::studio {
namespace {

/// Returns the widths that the report of a data set shows.
std::array<std::optional<double>, 3> widths_of(const Stack& psf,
                                               const simulator::References& references,
                                               const Index3& centre) {
  MemorySource source{psf.view()};
  std::array<std::optional<double>, 3> widths;
  const auto profiles = simulator::psf_profiles(source, centre, references.pitch);
  for (std::size_t axis = 0; axis < widths.size(); ++axis) widths[axis] = profiles[axis].width_um();
  return widths;
}

/// Returns as many voxels on both sides of the voxel in the middle; the PSF itself if it is
/// smaller.
SharedStack middle_of(const SharedStack& psf, MemoryBudget& memory) {
  const Extent3& all = psf->extent;
  const auto begin = [](std::int64_t voxels, std::int64_t most) {
    return std::max<std::int64_t>(0, voxels / 2 - most / 2);
  };
  const Index3 origin{begin(all.z, kMiddleOfPsf.z), begin(all.y, kMiddleOfPsf.y),
                      begin(all.x, kMiddleOfPsf.x)};
  if (origin == Index3{}) return psf;
  const auto size = [](std::int64_t voxels, std::int64_t from, std::int64_t most) {
    return from == 0 ? voxels : std::min(most, voxels - from);
  };
  const Box3 part{origin,
                  {size(all.z, origin.z, kMiddleOfPsf.z), size(all.y, origin.y, kMiddleOfPsf.y),
                   size(all.x, origin.x, kMiddleOfPsf.x)}};
  auto middle = std::make_shared<Stack>(part.size, psf->type, memory, "middle of a PSF");
  MemorySource source{psf->view()};
  source.read(part, middle->view());
  return middle;
}

}  // namespace

std::unique_ptr<Sink> PsfStacks::create_psf(const Extent3& extent, const Index3&, std::size_t,
                                            std::size_t reference) const {
  SYNTHOSCOPE_ASSERT(reference, ==, psfs_.size());
  psfs_.push_back(std::make_shared<Stack>(extent, PixelType::float32, memory_, "a PSF"));
  return std::make_unique<MemorySink>(psfs_.back()->view());
}

std::unique_ptr<Source> PsfStacks::open_psf(std::size_t, std::size_t reference) const {
  return std::make_unique<MemorySource>(psfs_.at(reference)->view());
}

std::filesystem::path PsfStacks::scratch_folder() const {
  return std::filesystem::temp_directory_path();
}

std::unique_ptr<Sink> PsfStacks::create_stack(std::string_view name, std::int64_t, PixelType,
                                              std::size_t) const {
  SYNTHOSCOPE_ASSERT(name, ==, std::string_view{"psf"});
  return nullptr;
}

std::unique_ptr<Source> PsfStacks::open_stack(std::string_view name, std::int64_t,
                                              std::size_t) const {
  SYNTHOSCOPE_ASSERT(name, ==, std::string_view{"psf"});
  return nullptr;
}

ChannelOptics::ChannelOptics(const simulator::SceneSpec& scene, simulator::PsfMemory& psfs,
                             const RunContext& context)
    : references_{references_of(scene, context.pool)},
      size_{psf_size_of(references_, scene, context.pool, context.stop)},
      held_{context.memory.reserve(size_.voxel_bytes, "the PSF of the preview")},
      stacks_{context.memory},
      lens_{scene, references_, size_, stacks_, 0, &psfs, context},
      widths_um_{widths_of(*stacks_.psfs().front(), references_, size_.centre)},
      psf_middle_{middle_of(stacks_.psfs().front(), context.memory)} {}

}  // namespace synthoscope::studio
