// SPDX-License-Identifier: MIT
#include "simulator/imaging/lens.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <numeric>
#include "core/stream/memory_stream.hpp"
#include "simulator/optics/psf_parts.hpp"
#include "simulator/scene/blur_setup.hpp"
#include "simulator/scene/file/scene_file.hpp"

namespace synthoscope::simulator {
namespace {

Extent3 larger(const Extent3& a, const Extent3& b) {
  return {std::max(a.z, b.z), std::max(a.y, b.y), std::max(a.x, b.x)};
}

/// Returns the factor that turns the values of a model's equation into the normalisation `asked`.
/// @throws InvalidSpec  there is no light to bring to a sum or a peak of 1.
double scale_to(const OpticsSpec& asked, const Psf& psf) {
  const auto& [extent, voxels] = psf.voxels;
  switch (asked.normalization) {
    case PsfNormalization::plane:
      return 1 / psf.plane_energy;
    case PsfNormalization::sum:
      return inverse_of(std::accumulate(voxels.begin(), voxels.end(), 0.0), asked, extent);
    case PsfNormalization::peak:
      return inverse_of(static_cast<double>(*std::max_element(voxels.begin(), voxels.end())), asked,
                        extent);
    case PsfNormalization::none:
      break;
  }
  return 1;
}

void multiply(Psf& psf, double by, TaskPool& pool) {
  if (by == 1) return;
  auto& voxels = psf.voxels.voxels;
  pool.for_ranges(volume(psf.voxels.extent), 1 << 16, [&](std::int64_t begin, std::int64_t end) {
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i)
      voxels[i] = static_cast<float>(voxels[i] * by);
  });
  psf.plane_energy *= by;
  for (double& energy : psf.plane_energies) energy *= by;
}

void tell(const Psf& psf, Log& log) {
  for (const auto& note : psf.notes) log.note(note);
  for (const auto& warning : psf.warnings) log.warn(warning);
}

void write(const Psf& psf, Sink& file, TaskPool& pool) {
  const Extent3& extent = psf.voxels.extent;
  const auto write_plane = [&](std::int64_t z) {
    file.write(plane(extent, z),
               HostView3<const float>{psf.voxels.view().row(z, 0), {1, extent.y, extent.x}});
  };
  if (file.accepts() == BoxOrder::any)
    pool.for_each(extent.z, write_plane);
  else
    for (std::int64_t z = 0; z < extent.z; ++z) write_plane(z);
  file.close();
}

}  // namespace

PsfSize psf_size_of(const References& references, const SceneSpec& scene, TaskPool& pool,
                    const StopFlag& stop) {
  PsfSizing sizing = blur_sizing(scene);
  const auto size_of = [&](const Reference& one) {
    return psf_size(one.optics, references.pitch, sizing, pool, stop);
  };
  PsfSize most = size_of(references.all.front());
  if (!references.vary()) return most;
  for (const Reference& one : references.all)
    sizing.least = larger(sizing.least, size_of(one).size);
  for (const Reference& one : references.all) {
    const PsfSize its = size_of(one);
    const std::int64_t working = std::max(most.working_bytes, its.working_bytes);
    most = its;
    most.working_bytes = working;
  }
  return most;
}

ReferencePsfs::ReferencePsfs(const SceneSpec& scene, const References& references,
                             const PsfSize& largest)
    : references_{references}, asked_{scene.optics}, sizing_{blur_sizing(scene)} {
  if (references.vary()) sizing_.least = largest.size;
}

std::string ReferencePsfs::key() const {
  const Reference& only = references_.all.front();
  SceneSpec scene;
  scene.optics = only.optics;
  const auto& [volume, limit, least] = sizing_;
  return fmt::format("{} {} {} {} {} {} {} {}", to_json(scene), only.gain, references_.pitch.z_um,
                     references_.pitch.y_um, references_.pitch.x_um, volume.value_or(Extent3{}),
                     limit, least);
}

Psf ReferencePsfs::make(std::size_t i, TaskPool& pool, MemoryBudget* memory, const StopFlag& stop) {
  const Reference& reference = references_.all[i];
  Psf psf = make_psf(reference.optics, references_.pitch, sizing_, pool, memory, stop);
  if (i == 0 && references_.vary()) scale_ = scale_to(asked_, psf);
  multiply(psf, scale_ * reference.gain, pool);
  return psf;
}

Lens::Lens(const SceneSpec& scene, const References& references, const PsfSize& largest,
           const Stacks& stacks, std::size_t index, PsfMemory* memory, const RunContext& context) {
  context.progress.begin("psf", references.count());
  if (const auto warning = pixel_warning(scene)) context.log.warn(*warning);
  if (const auto warning = pattern_warning(scene.pattern, scene.optics, blur_grid(scene)))
    context.log.warn(*warning);
  if (const auto said = references.description(); !said.empty()) context.log.note(said);
  ReferencePsfs psfs{scene, references, largest};
  for (std::size_t i = 0; i < references.all.size(); ++i) {
    context.stop.check();
    const auto compute = [&] { return psfs.make(i, context.pool, &context.memory, context.stop); };
    const auto made = memory && !references.vary() ? memory->get(psfs.key(), compute)
                                                   : std::make_shared<const Psf>(compute());
    const Psf& psf = *made;
    if (i == 0 || i + 1 == references.all.size()) tell(psf, context.log);
    if (i == 0) first_origin_um_ = psf.origin_um;
    write(psf, *stacks.create_psf(psf.voxels.extent, psf.centre, index, i), context.pool);
    const Reference& reference = references.all[i];
    PlaneEnergies energies = energies_of_planes(reference.optics, references.pitch, psf,
                                                blur_grid(scene).extent.z, context.pool);
    if (references.vary()) {
      sources_.push_back(stacks.open_psf(index, i));
    } else {
      only_ = made;
      sources_.push_back(std::make_unique<MemorySource>(only_->voxels.view()));
    }
    terms_.push_back({sources_.back().get(), std::move(energies), &reference.weights});
    context.progress.advance(1);
  }
}

}  // namespace synthoscope::simulator
