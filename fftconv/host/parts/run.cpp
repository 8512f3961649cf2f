// SPDX-License-Identifier: MIT
#include "fftconv/host/parts/run.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <numeric>
#include <optional>
#include "core/base/error.hpp"
#include "core/base/stopwatch.hpp"
#include "core/stream/scratch_volume.hpp"
#include "core/stream/store_as.hpp"
#include "fftconv/host/parts/exchange.hpp"
#include "fftconv/host/parts/folded_source.hpp"
#include "fftconv/host/parts/unfold.hpp"
#include "fftconv/host/stages/columns.hpp"
#include "fftconv/host/stages/planes_back.hpp"
#include "fftconv/host/stages/planes_forward.hpp"
#include "fftconv/planes/mean_removal.hpp"

namespace synthoscope::fftconv {
namespace {

/// All planes of a folded source, placed by the runs of two axes.
PlaneInput planes_of(Source& folded, std::vector<IndexRun> y_runs, std::vector<IndexRun> x_runs) {
  PlaneInput input;
  input.source = &folded;
  input.plane_source.resize(static_cast<std::size_t>(folded.extent().z));
  std::iota(input.plane_source.begin(), input.plane_source.end(), std::int64_t{0});
  input.y_runs = std::move(y_runs);
  input.x_runs = std::move(x_runs);
  input.in_pairs = true;
  return input;
}

template <class Real>
class PartsRun {
 public:
  PartsRun(const Plan& plan, const Term& term, Epilogue& epilogue, Sink& sink, Team* team,
           const RunContext& context)
      : plan_{plan},
        term_{term},
        axes_{plan},
        layout_{make_layout(plan.work, plan.transform, plan.cut)},
        part_{layout_of_part(layout_)},
        decimation_{decimation_of(layout_)},
        team_{team && team->member().count > 1 ? team : nullptr},
        share_{share_of_parts(decimation_, wanted_extent(plan.work).z,
                              team_ ? team_->member() : Shard{})},
        transforms_{layout_, plan.cut.fft},
        pool_{affordable_threads(context, plan.memory_bytes(), thread_bytes(layout_, plan.work))},
        context_{pool_, context.memory, context.progress, context.log, context.stop} {
    output_.epilogue = &epilogue;
    output_.sink = &sink;
  }

  RunReport run(const std::filesystem::path& scratch_folder) {
    const auto mean = prepare_mean_removal(term_, plan_.work, axes_, context_);
    output_.mean = mean.mean;
    output_.response = mean.response.get();
    require_room_to_exchange();
    auto parts = make_planes(share_.parts.count * part_.ring_planes, scratch_folder);
    watch_.lap("prepare");
    convolve_parts(*parts);
    if (team_) {
      auto gathered = make_planes(decimation_.parts * 2 * share_.planes.count, scratch_folder);
      context_.progress.begin("exchange parts", 1);
      exchange_parts(*team_, decimation_, result_.z, *parts, *gathered, spectra_bytes(),
                     context_.memory, context_.stop);
      parts = std::move(gathered);
      watch_.lap("exchange");
    }

    context_.progress.begin("unfold", 1);
    unfold<Real>(decimation_, result_, *parts, output_, axes_, *transforms_.functions,
                 spectra_bytes() + pool_.threads() * thread_bytes(layout_, plan_.work), context_,
                 team_ ? std::optional{share_.planes} : std::nullopt);
    watch_.lap("unfold");
    report_.instruction_set = transforms_.functions->instruction_set;
    report_.fft = version_of(plan_.cut.fft);
    report_.seconds = watch_.total();
    report_.peak_memory_bytes = context_.memory.peak();
    return report_;
  }

 private:
  static constexpr PixelType kType = pixel_type_of<Real>();

  /// Own parts and the planes of all are there at once, when spectra are gone.
  void require_room_to_exchange() const {
    if (!team_ || plan_.cut.parts_on_disk) return;
    const std::int64_t planes =
        share_.parts.count * part_.ring_planes + decimation_.parts * 2 * share_.planes.count;
    const std::int64_t bytes =
        planes * result_.y * result_.x * std::int64_t{sizeof(Real)} + spectra_bytes();
    const std::int64_t free = context_.memory.limit() - context_.memory.used();
    if (bytes > free)
      throw PlanError(
          fmt::format("exchange parts: {} bytes are needed at once and {} are free; raise --memory "
                      "by {}, or use more ranks",
                      bytes, free, bytes - free));
  }

  /// Planes of parts, cropped to the result.
  [[nodiscard]] std::unique_ptr<ScratchVolume> make_planes(
      std::int64_t planes, const std::filesystem::path& scratch_folder) const {
    const Extent3 kept{std::max<std::int64_t>(1, planes), result_.y, result_.x};
    return plan_.cut.parts_on_disk
               ? std::make_unique<ScratchVolume>(kept, kType, scratch_folder)
               : std::make_unique<ScratchVolume>(kept, kType, context_.memory, "parts");
  }

  /// Held while parts are convolved; free again when they are unfolded.
  [[nodiscard]] std::int64_t spectra_bytes() const {
    return (part_.ring_planes + part_.kernel_planes) * part_.plane_reals *
           std::int64_t{sizeof(Real)};
  }

  /// One part after the other through folding, planes, columns and planes into `parts`.
  void convolve_parts(ScratchVolume& parts) {
    HostBuffer<Real> image{context_.memory, part_.ring_planes * part_.plane_reals, "image part"};
    HostBuffer<Real> kernel{context_.memory, part_.kernel_planes * part_.plane_reals,
                            "kernel part"};
    auto scratch = make_scratch<Real>(layout_, plan_.work, pool_.threads(), context_.memory);
    const std::span<Scratch<Real>> workers{scratch};

    const FoldInput image_fold = image_to_fold(layout_, axes_, term_, output_.mean);
    const FoldInput kernel_fold = kernel_to_fold(layout_, term_.kernel);
    const auto kernel_planes = folded_planes(kernel_fold, decimation_);
    FoldedSource<Real> folded_image{
        image_fold, axes_, decimation_, all_planes(decimation_), *transforms_.functions, workers};
    FoldedSource<Real> folded_kernel{
        kernel_fold, axes_, decimation_, kernel_planes, *transforms_.functions, workers};
    const PlaneInput image_planes =
        planes_of(folded_image, image_runs(layout_.y), image_runs(layout_.x));
    const PlaneInput kernel_pairs =
        planes_of(folded_kernel, kernel_runs(layout_.y, layout_.transform.y),
                  kernel_runs(layout_.x, layout_.transform.x));
    const WorkAxes as_they_are;
    StoreAs store{kType};
    const PlaneOutput to_parts{&store, &parts};

    NoProgress silent;
    const RunContext quiet{pool_, context_.memory, silent, context_.log, context_.stop};
    const std::int64_t pairs = part_.ring_planes, taps = folded_kernel.extent().z;
    context_.progress.begin("convolve parts", share_.parts.count * (2 * pairs + taps));
    for (std::int64_t part = share_.parts.first; part < share_.parts.end(); ++part) {
      folded_kernel.set_part(part);
      folded_image.set_part(part);
      transform_planes<Real>(kernel_pairs, {0, taps, taps}, part_, as_they_are, transforms_,
                             workers, kernel.data(), context_);
      transform_planes<Real>(image_planes, {0, pairs, pairs}, part_, as_they_are, transforms_,
                             workers, image.data(), context_);
      convolve_pairs<Real>(part_, decimation_, transforms_, workers,
                           {image.data(), kernel.data(), kernel_planes}, quiet);
      store_planes<Real>(to_parts, {{(part - share_.parts.first) * pairs, pairs}}, part_,
                         as_they_are, transforms_, workers, image.data(), context_);
    }
    watch_.lap("parts");
  }

  RunReport report_;
  Stopwatch watch_{report_.stages};
  const Plan& plan_;
  const Term& term_;
  WorkAxes axes_;
  Layout layout_, part_;
  Decimation decimation_;
  Team* team_;
  SharedParts share_;
  Extent3 result_ = wanted_extent(plan_.work);
  Transforms<Real> transforms_;
  TaskPool pool_;
  RunContext context_;
  PlaneOutput output_;
};

}  // namespace

template <class Real>
RunReport run_in_parts(const Plan& plan, const Term& term, Epilogue& epilogue, Sink& sink,
                       const std::filesystem::path& scratch_folder, Team* team,
                       const RunContext& context) {
  return PartsRun<Real>{plan, term, epilogue, sink, team, context}.run(scratch_folder);
}

template RunReport run_in_parts<float>(const Plan&, const Term&, Epilogue&, Sink&,
                                       const std::filesystem::path&, Team*, const RunContext&);
template RunReport run_in_parts<double>(const Plan&, const Term&, Epilogue&, Sink&,
                                        const std::filesystem::path&, Team*, const RunContext&);

}  // namespace synthoscope::fftconv
