// SPDX-License-Identifier: MIT
#include "simulator/timelapse/timelapse.hpp"
#include <numeric>
#include <utility>
#include "simulator/base/frames.hpp"
#include "simulator/phantom/footprint_source.hpp"
#include "simulator/phantom/geometry/population.hpp"
#include "simulator/phantom/kinds.hpp"
#include "simulator/timelapse/movie.hpp"

namespace synthoscope::simulator {
namespace {

MovieSpec movie_of(const SceneSpec& scene) {
  MovieSpec movie{phantom_of(scene), scene.time,       scene.grid,
                  scene.frames,      margin_of(scene), scene.masks};
  if (!movie.time.in_plane && scene.grid.extent.z == 1) movie.time.in_plane = true;
  return movie;
}

/// Returns the scene's seed; any seed if there is none yet, as the run counts with its own.
std::uint64_t seed_of(const SceneSpec& scene) {
  return static_cast<std::uint64_t>(scene.seed.value_or(0));
}

}  // namespace

Timelapse::Timelapse(const SceneSpec& scene, const RunContext& context)
    : phantom_{phantom_of(scene)},
      grid_{scene.grid},
      sample_{sample_grid(scene)},
      margin_{margin_of(scene)},
      masks_{scene.masks},
      time_{scene.time},
      seed_{seed_of(scene)} {
  if (time_.is_movie()) movie_ = std::make_shared<const Movie>(movie_of(scene), seed_, context);
}

std::int64_t Timelapse::bytes(const SceneSpec& scene) {
  return scene.time.is_movie() ? Movie::bytes(movie_of(scene), seed_of(scene)) : 0;
}

std::int64_t Timelapse::working_bytes(const SceneSpec& scene) {
  return scene.time.is_movie() ? Movie::working_bytes(movie_of(scene), seed_of(scene)) : 0;
}

PhantomSpec Timelapse::spec_of(std::int64_t frame) const {
  PhantomSpec spec = phantom_;
  const RandomStream draws{frame_seed(seed_, frame), RandomStage::object_counts};
  std::uint64_t kind = 0;
  Kinds::for_each([&]<class Kind>(Kind) {
    auto& part = Kind::part(spec);
    if constexpr (requires { part.count_spread; }) {
      if (part.count_spread > 0) {
        const double spread = std::exchange(part.count_spread, 0);
        const NumberRange range = spread_number(number_of(part, sample_), spread);
        const double choices = static_cast<double>(range.most - range.least + 1);
        part.count =
            range.least + static_cast<std::int64_t>(choices * uniform32(draws.block(kind)[0]));
        part.density_per_mm3.reset();
      }
    }
    ++kind;
  });
  return spec;
}

Phantom Timelapse::phantom(std::int64_t frame, const RunContext& context) const {
  if (movie_) return movie_->phantom(frame, context);
  return on_grid(make_phantom(spec_of(frame), sample_, frame_seed(seed_, frame), context), grid_,
                 size_um({margin_, grid_.pitch}));
}

std::int64_t Timelapse::masks_bytes(const SceneSpec& scene, int threads) {
  if (scene.masks == MaskKind::section) return 0;
  return phantom_bytes(fullest_phantom_of(scene), sample_grid(scene)) +
         threads * FootprintSource::bytes(scene.grid.extent);
}

std::unique_ptr<Source> Timelapse::masks(const Phantom& phantom,
                                         const std::vector<std::uint16_t>& labels) const {
  if (masks_ == MaskKind::footprint)
    return std::make_unique<FootprintSource>(phantom, labels, margin_.z);
  return std::make_unique<LabelSource>(phantom, labels);
}

std::optional<Phantom> Timelapse::shifted_by_focus_drift(const Phantom& phantom,
                                                         std::int64_t frame) const {
  if (time_.focus_drift_um_per_second == 0) return std::nullopt;
  Phantom seen = phantom;
  shift(seen, {movie_->focus_um(frame), 0, 0});
  return seen;
}

bool Timelapse::has_structures() const {
  return simulator::has_structures(phantom_, sample_);
}

FrameLabels Timelapse::labels_of(std::int64_t frame) const {
  FrameLabels names;
  if (movie_) {
    names.labels = movie_->labels(frame);
    names.objects = movie_->first_labels(frame);
    for (const std::uint16_t label : names.labels)
      names.parents.push_back(movie_->tracks().all()[std::size_t{label} - 1].parent);
    return names;
  }
  const std::int64_t each = number_of(phantom_, sample_), here = number_of(spec_of(frame), sample_);
  names.labels.resize(static_cast<std::size_t>(here));
  std::iota(names.labels.begin(), names.labels.end(), static_cast<std::uint16_t>(frame * each + 1));
  names.objects = names.labels;
  names.parents.resize(static_cast<std::size_t>(here));
  return names;
}

Headcounts headcounts_of(const SceneSpec& scene) {
  const PhantomSpec phantom = phantom_of(scene);
  const Grid sample = sample_grid(scene);
  const std::int64_t each = number_of(phantom, sample);
  const std::int64_t nuclei = number_of(phantom.nuclei, sample),
                     cells = number_of(phantom.cells, sample);
  const auto in_every_frame = [&](std::int64_t objects) {
    return Headcount{objects, scene.frames * objects, scene.frames * objects};
  };
  if (!scene.time.is_movie())
    return {in_every_frame(nuclei), in_every_frame(cells), in_every_frame(each)};
  const auto moving = headcounts_of(movie_of(scene), seed_of(scene));
  const std::int64_t others = each - nuclei - cells;
  return {moving.nuclei,
          moving.cells,
          {moving.nuclei.most + moving.cells.most + others,
           moving.nuclei.rows + moving.cells.rows + scene.frames * others,
           moving.nuclei.lives + moving.cells.lives + others}};
}

PhantomSpec fullest_phantom_of(const SceneSpec& scene) {
  return scene.time.is_movie() ? fullest(movie_of(scene), seed_of(scene)) : phantom_of(scene);
}

}  // namespace synthoscope::simulator
