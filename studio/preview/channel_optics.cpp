// SPDX-License-Identifier: MIT
#include "studio/preview/channel_optics.hpp"
#include <algorithm>
#include "core/base/assert.hpp"
#include "core/stream/memory_stream.hpp"

namespace synthoscope::studio {
namespace {

std::array<std::optional<double>, 3> widths_of(const Stack& psf,
                                               const simulator::References& references,
                                               const Index3& centre) {
  MemorySource source{psf.view()};
  const Volume<float> voxels = read_all<float>(source);
  const auto& all = voxels.voxels;
  if (!(*std::max_element(all.begin(), all.end()) > 0)) return {};
  const auto position = [](std::int64_t index) { return static_cast<double>(index); };
  return simulator::measure_psf(voxels, references.pitch,
                                {position(centre.z), position(centre.y), position(centre.x)})
      .fwhm_um;
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
      widths_um_{widths_of(*stacks_.psfs().front(), references_, size_.centre)} {}

}  // namespace synthoscope::studio
