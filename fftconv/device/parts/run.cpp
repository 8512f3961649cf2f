// SPDX-License-Identifier: MIT
#include "fftconv/device/parts/run.hpp"
#include <fmt/format.h>
#include <memory>
#include <span>
#include "core/base/stopwatch.hpp"
#include "core/stream/scratch_volume.hpp"
#include "fftconv/device/link/plane_pieces.hpp"
#include "fftconv/device/parts/link.hpp"
#include "fftconv/device/parts/share.hpp"
#include "fftconv/device/parts/work.hpp"
#include "fftconv/host/parts/unfold.hpp"
#include "fftconv/host/stages/stage.hpp"

namespace synthoscope::fftconv::device {
namespace {

/// Parts of image and kernel go up as pairs of planes and come down as such; what is kept of them
/// is unfolded when all are there.
class FoldedByHost {
 public:
  FoldedByHost(const cuda::DeviceInfo& device, MemoryBudget& device_memory, const PartsWork& work,
               Stopwatch& watch, const RunContext& context)
      : device_{device},
        device_memory_{device_memory},
        work_{work},
        parts_{work.parts},
        decimation_{work.parts.decimation},
        watch_{watch},
        context_{context},
        compute_{device.id} {}

  void run(const std::filesystem::path& scratch_folder) {
    const Extent3 kept{2 * decimation_.parts * decimation_.planes, parts_.result.y,
                       parts_.result.x};
    constexpr PixelType kType = PixelType::float32;
    const auto parts = work_.plan.cut.parts_on_disk
                           ? std::make_unique<ScratchVolume>(kept, kType, scratch_folder)
                           : std::make_unique<ScratchVolume>(kept, kType, context_.memory, "parts");
    convolve_parts(*parts);
    watch_.lap("give back");
    // What was pinned and what threads folded in is free again
    std::int64_t bytes = context_.pool.threads() * thread_bytes_of(parts_);
    for (const MemoryItem& item : pinned_memory_of(parts_)) bytes += item.bytes;
    context_.progress.begin("unfold", 1);
    unfold<float>(decimation_, parts_.result, *parts, work_.output, work_.axes,
                  *available_lane_functions<float>().front(), bytes, context_);
    watch_.lap("unfold");
  }

 private:
  void convolve_parts(ScratchVolume& parts) {
    const LaneFunctions<float>& functions = *available_lane_functions<float>().front();
    std::vector<Scratch<float>> scratch(static_cast<std::size_t>(context_.pool.threads()));
    for (Scratch<float>& s : scratch)
      s.fold = {context_.memory, thread_bytes_of(parts_), "voxels to fold"};
    FoldedSource<float> image{work_.image, work_.axes, decimation_, all_planes(decimation_),
                              functions,   scratch},
        kernel{work_.kernel, work_.axes, decimation_, work_.kernel_kept, functions, scratch};

    PartSpectra spectra{device_, device_memory_, parts_};
    const SharedPlanes pairs = shared_in_pairs(decimation_.planes);
    const PartLoading image_pairs = describe_image(work_, spectra, pairs, PixelType::float32, 0);
    const PartLoading kernel_pairs = describe_kernel(
        work_, spectra, shared_in_pairs(parts_.kernel_planes), PixelType::float32, 0);
    spectra.place_kernel_planes(work_.kernel_kept);
    BatchesUp up{device_, slot_up_bytes(parts_), true, device_memory_, context_.memory};
    BatchesDown down{device_, slot_down_bytes(parts_), true, device_memory_, context_.memory};
    spectra.prepare(compute_, context_.pool);
    watch_.lap("prepare");

    // A finished part comes down while the next one's kernel goes up, which takes no room of it
    std::int64_t part = 0, given = given_planes(parts_);
    const auto give_batch = [&] {
      if (given == given_planes(parts_)) return;
      const Interval batch{given, std::min(parts_.batch_down, given_planes(parts_) - given)};
      std::byte* const to = down.room(compute_);
      spectra.give(compute_, batch, {2, 1}, reinterpret_cast<float*>(to));
      const Interval planes{2 * ((part - 1) * decimation_.planes + batch.first), 2 * batch.count};
      down.send(compute_, to, batch.count * parts_.down_bytes,
                [=, this, &parts](std::byte* host) { keep(parts, planes, host); });
      given = batch.end();
    };
    const auto give_rest = [&] {
      while (given < given_planes(parts_)) give_batch();
    };

    if (parts_.folds_ahead) {
      fold_ahead(image, parts, scratch);
      watch_.lap("fold ahead");
    }
    context_.progress.begin("convolve parts", decimation_.parts);
    for (part = 0; part < decimation_.parts; ++part) {
      kernel.set_part(part);
      image.set_part(part);
      fold(up, kernel, parts_.kernel_box, kernel_pairs.planes,
           [&](const std::byte* voxels, const Interval& batch) {
             spectra.take_kernel(compute_, kernel_pairs, 0, voxels, 2 * batch.first, batch);
             give_batch();
           });
      give_rest();
      const auto take_image = [&](const std::byte* voxels, const Interval& batch) {
        spectra.take_image(compute_, image_pairs, 0, voxels, 2 * batch.first, batch);
      };
      if (parts_.folds_ahead)
        send_folded(up, parts, part, take_image);
      else
        fold(up, image, parts_.image_box, decimation_.planes, take_image);
      spectra.convolve(compute_);
      given = 0;
      context_.progress.advance(1);
    }
    give_rest();
    down.finish_all();
    watch_.lap("parts");
  }

  /// Pairs of planes of a part, folded batch by batch, for `take(voxels on the device, batch)`.
  template <class Take>
  void fold(BatchesUp& up, const FoldedSource<float>& folded, const Box3& box, std::int64_t pairs,
            Take&& take) {
    const std::int64_t plane = box.size.y * box.size.x;
    for_batches({0, pairs}, parts_.batch_up, context_.stop, [&](const Interval& batch) {
      auto* const host = reinterpret_cast<float*>(up.room());
      for_pieces(context_.pool, batch.count, box.size.y, fold_piece_rows(box.size),
                 [&](std::int64_t p, std::int64_t first, std::int64_t rows) {
                   float* const re = host + 2 * p * plane + first * box.size.x;
                   folded.fold(batch.first + p,
                               Box3{{0, box.origin.y + first, box.origin.x}, {1, rows, box.size.x}},
                               re, re + plane);
                 });
      take(up.send(compute_, batch.count * plane * kValueBytes, nullptr), batch);
      up.taken(compute_);
    });
  }

  /// The image in all parts, which wait where their results will.
  void fold_ahead(const FoldedSource<float>& image, ScratchVolume& parts,
                  std::span<const Scratch<float>> scratch) {
    const Box3& box = parts_.image_box;
    for_pieces(
        context_.pool, decimation_.planes, box.size.y, ahead_piece_rows(parts_),
        [&](std::int64_t m, std::int64_t first, std::int64_t rows) {
          context_.stop.check();
          auto* const pieces = reinterpret_cast<float*>(
              scratch[static_cast<std::size_t>(TaskPool::slot())].fold.data() +
              ahead_pieces_at(parts_));
          const Extent3 pair{2, rows, box.size.x};
          image.fold_parts(m, Box3{{0, box.origin.y + first, box.origin.x}, {1, rows, box.size.x}},
                           pieces);
          for (std::int64_t part = 0; part < decimation_.parts; ++part)
            parts.write({{2 * (part * decimation_.planes + m), first, 0}, pair},
                        ConstVoxelView{HostView3<const float>{pieces + part * volume(pair), pair}});
        });
  }

  /// As fold, of the image that was folded ahead.
  template <class Take>
  void send_folded(BatchesUp& up, ScratchVolume& parts, std::int64_t part, Take&& take) {
    const Extent3& e = parts.extent();
    const std::int64_t row = e.x * size_of(PixelType::float32);
    for_batches(
        {0, decimation_.planes}, parts_.batch_up, context_.stop, [&](const Interval& batch) {
          std::byte* const host = up.room();
          const std::int64_t plane = 2 * (part * decimation_.planes + batch.first);
          for_pieces(context_.pool, 2 * batch.count, e.y, kRowsFinished,
                     [&](std::int64_t p, std::int64_t first, std::int64_t rows) {
                       const Extent3 piece{1, rows, e.x};
                       parts.read(
                           {{plane + p, first, 0}, piece},
                           VoxelView{host + (p * e.y + first) * row, PixelType::float32, piece});
                     });
          take(up.send(compute_, 2 * batch.count * e.y * row, nullptr), batch);
          up.taken(compute_);
        });
  }

  /// Planes of a finished part, to wait for the others.
  void keep(ScratchVolume& parts, const Interval& planes, const std::byte* voxels) {
    const Extent3& e = parts.extent();
    const std::int64_t row = e.x * size_of(PixelType::float32);
    for_pieces(context_.pool, planes.count, e.y, kRowsFinished,
               [&](std::int64_t p, std::int64_t first, std::int64_t rows) {
                 const Box3 box{{planes.first + p, first, 0}, {1, rows, e.x}};
                 parts.write(box, ConstVoxelView{voxels + (p * e.y + first) * row,
                                                 PixelType::float32, box.size});
               });
  }

  const cuda::DeviceInfo& device_;
  MemoryBudget& device_memory_;
  const PartsWork& work_;
  const PartsLayout& parts_;
  const Decimation decimation_;
  Stopwatch& watch_;
  const RunContext& context_;
  cuda::Stream compute_;
};

/// Image and kernel go up once, the result comes down once; parts come and go in between.
void run_parts_folded_by_device(const cuda::DeviceInfo& device, MemoryBudget& device_memory,
                                const PartsWork& work, Stopwatch& watch,
                                const RunContext& context) {
  PartsShare share{device, device_memory, work, {}, context};
  PartsShare* const all[] = {&share};
  watch.lap("prepare");
  try {
    share.load(all);
    watch.lap("load");
    context.progress.begin(kConvolveParts, work.parts.decimation.parts);
    share.convolve(all);
    watch.lap("parts");
    share.unfold();
    watch.lap("unfold");
    context.progress.begin(kStorePlanes, work.parts.result.z);
    share.store();
    watch.lap("store");
  } catch (...) {
    // Copies may be on their way from and to memory that goes
    share.drain();
    throw;
  }
}

/// There is no room for image and result on the device: the host folds, keeps what comes back, and
/// unfolds.
void run_parts_folded_by_host(const cuda::DeviceInfo& device, MemoryBudget& device_memory,
                              const PartsWork& work, const std::filesystem::path& scratch_folder,
                              Stopwatch& watch, const RunContext& context) {
  FoldedByHost{device, device_memory, work, watch, context}.run(scratch_folder);
}

}  // namespace

RunReport run_parts_on_device(const cuda::DeviceInfo& device, MemoryBudget& device_memory,
                              const Plan& plan, const Term& term, Epilogue& epilogue, Sink& sink,
                              const std::filesystem::path& scratch_folder,
                              const RunContext& context) {
  RunReport report;
  Stopwatch watch{report.stages};
  const PartsLayout parts =
      make_parts_layout(plan.work, plan.transform, plan.cut, block_limits(device));
  TaskPool pool{affordable_threads(context, plan.memory_bytes(), thread_bytes_of(parts))};
  const RunContext own{pool, context.memory, context.progress, context.log, context.stop};
  const PartsWork work = make_parts_work(plan, parts, term, epilogue, sink, own);
  watch.lap("mean");
  if (parts.device_folds)
    run_parts_folded_by_device(device, device_memory, work, watch, own);
  else
    run_parts_folded_by_host(device, device_memory, work, scratch_folder, watch, own);
  watch.lap("give back");
  report.instruction_set = fmt::format("sm_{}", device.capability);
  report.fft = version_of(plan.cut.fft);
  report.seconds = watch.total();
  report.peak_memory_bytes = context.memory.peak();
  return report;
}

}  // namespace synthoscope::fftconv::device
