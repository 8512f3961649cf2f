// SPDX-License-Identifier: MIT
#include "fftconv/device/parts_device_run.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <memory>
#include <span>
#include "core/scratch_volume.hpp"
#include "core/stopwatch.hpp"
#include "fftconv/device/parts_link.hpp"
#include "fftconv/device/parts_spectra.hpp"
#include "fftconv/device/plane_pieces.hpp"
#include "fftconv/mean_removal.hpp"
#include "fftconv/scratch.hpp"
#include "fftconv/unfold.hpp"

namespace synthoscope::fftconv::device {
namespace {

/// Calls `body(batch)` for batches of at most `together` of `count` planes.
template <class Body>
void for_batches(std::int64_t count, std::int64_t together, const StopFlag& stop, Body&& body) {
  for (std::int64_t first = 0; first < count; first += together) {
    stop.check();
    body(Stretch{first, std::min(together, count - first)});
  }
}

class PartsDeviceRun {
 public:
  PartsDeviceRun(const cuda::DeviceInfo& device, MemoryBudget& device_memory, const Plan& plan,
                 const Term& term, Epilogue& epilogue, Sink& sink, const RunContext& context)
      : device_{device},
        device_memory_{device_memory},
        plan_{plan},
        term_{term},
        axes_{plan},
        layout_{make_layout(plan.work, plan.transform, plan.cut)},
        parts_{make_parts_layout(plan.work, plan.transform, plan.cut, block_limits(device))},
        decimation_{parts_.decimation},
        compute_{device.id},
        pool_{affordable_threads(context, plan.memory_bytes(), thread_bytes_of(parts_))},
        context_{pool_, context.memory, context.progress, context.log, context.stop} {
    output_.epilogue = &epilogue;
    output_.sink = &sink;
  }

  RunReport run(const std::filesystem::path& scratch_folder) {
    const MeanRemoval mean = prepare_mean_removal(term_, plan_.work, axes_, context_);
    output_.mean = mean.mean;
    output_.response = mean.response.get();
    image_ = image_to_fold(layout_, axes_, term_, output_.mean);
    kernel_ = kernel_to_fold(layout_, term_.kernel);
    // Transforms are unscaled, and unfolding takes 1/R
    kernel_.scale /=
        static_cast<double>(decimation_.parts) * static_cast<double>(volume(layout_.transform));
    kernel_kept_ = folded_planes(kernel_, decimation_);
    watch_.lap("mean");
    if (parts_.device_folds)
      fold_on_device();
    else
      fold_on_host(scratch_folder);
    watch_.lap("give back");
    report_.instruction_set = fmt::format("sm_{}", device_.capability);
    report_.seconds = watch_.total();
    report_.peak_memory_bytes = context_.memory.peak();
    return report_;
  }

 private:
  /// Planes of a part that results come from.
  [[nodiscard]] std::int64_t wanted_planes() const {
    return std::min(decimation_.planes, parts_.result.z);
  }

  [[nodiscard]] PartLoading describe_image(PartSpectra& spectra, const SharedPlanes& shared,
                                           PixelType type, double background) const {
    return spectra.describe(shared, type, background, image_runs(layout_.y), image_runs(layout_.x));
  }
  [[nodiscard]] PartLoading describe_kernel(PartSpectra& spectra, const SharedPlanes& shared,
                                            PixelType type, double background) const {
    return spectra.describe(shared, type, background, kernel_runs(layout_.y, layout_.transform.y),
                            kernel_runs(layout_.x, layout_.transform.x));
  }

  /// Image and kernel go up once, the result comes down once; parts come and go in between.
  void fold_on_device() {
    PartSpectra spectra{device_, device_memory_, parts_};
    const PartLoading image =
        describe_image(spectra, shared_when_folded(image_, decimation_, all_planes(decimation_)),
                       term_.image->pixel_type(), output_.mean);
    const PartLoading kernel =
        describe_kernel(spectra, shared_when_folded(kernel_, decimation_, kernel_kept_),
                        term_.kernel.voxels->pixel_type(), term_.kernel.background);
    const PartGiving giving = spectra.describe(shared_when_unfolded(decimation_, parts_.result.z));
    spectra.place_kernel(kernel_kept_);
    const auto room_for = [&](const Box3& box, std::int64_t voxel_bytes, std::string_view what) {
      return cuda::DeviceBuffer<std::byte>{device_.id, device_memory_,
                                           volume(box.size) * voxel_bytes, what};
    };
    const auto image_voxels = room_for(parts_.image_box, parts_.image_voxel_bytes, "image"),
               kernel_voxels = room_for(parts_.kernel_box, parts_.kernel_voxel_bytes, "kernel");
    const cuda::DeviceBuffer<float> result{device_.id, device_memory_, volume(parts_.result),
                                           "result"};
    BatchesUp up{device_, slot_up_bytes(parts_), false, device_memory_, context_.memory};
    BatchesDown down{device_, slot_down_bytes(parts_), false, device_memory_, context_.memory};
    std::vector<HostBuffer<std::byte>> stored(static_cast<std::size_t>(context_.pool.threads()));
    for (HostBuffer<std::byte>& room : stored)
      room = {context_.memory, thread_bytes_of(parts_), "voxels to be stored"};
    spectra.prepare(compute_, context_.pool);
    watch_.lap("prepare");

    load(up, *term_.kernel.voxels, parts_.kernel_box, kernel_voxels.data());
    load(up, *term_.image, parts_.image_box, image_voxels.data());
    context_.progress.begin("convolve parts", decimation_.parts);
    for (std::int64_t part = 0; part < decimation_.parts; ++part) {
      context_.stop.check();
      spectra.take_kernel(compute_, kernel, part, kernel_voxels.data(), parts_.kernel_box.origin.z,
                          {0, kernel.planes});
      spectra.take_image(compute_, image, part, image_voxels.data(), parts_.image_box.origin.z,
                         {0, decimation_.planes});
      spectra.convolve(compute_);
      spectra.give(compute_, giving, part, {0, wanted_planes()}, part > 0, 0, result.data());
      if (part == 0) {
        compute_.finish();
        watch_.lap("load and first part");
      }
      context_.progress.advance(1);
    }
    compute_.finish();
    watch_.lap("other parts");
    store(down, result, stored);
    watch_.lap("store");
  }

  /// The voxels of a box of the work problem, as they are, to `to` on the device.
  void load(BatchesUp& up, Source& source, const Box3& box, std::byte* to) {
    const PixelType type = source.pixel_type();
    const std::int64_t row = box.size.x * size_of(type), plane = box.size.y * row;
    for_batches(box.size.z, parts_.batch_up, context_.stop, [&](const Stretch& batch) {
      std::byte* const host = up.room();
      for_pieces(context_.pool, batch.count, box.size.y, kRowsFinished,
                 [&](std::int64_t p, std::int64_t first, std::int64_t rows) {
                   const Box3 piece = axes_.to_volume(
                       Box3{{box.origin.z + batch.first + p, box.origin.y + first, box.origin.x},
                            {1, rows, box.size.x}});
                   source.read(piece, {host + p * plane + first * row, type, piece.size});
                 });
      up.send(compute_, batch.count * plane, to + batch.first * plane);
      up.taken(compute_);
    });
  }

  /// @param stored  room of every thread
  void store(BatchesDown& down, const cuda::DeviceBuffer<float>& result,
             std::span<const HostBuffer<std::byte>> stored) {
    const Extent3& e = parts_.result;
    const std::int64_t plane = e.y * e.x;
    context_.progress.begin("store planes", e.z);
    for_batches(e.z, parts_.batch_down, context_.stop, [&](const Stretch& batch) {
      down.send(compute_, reinterpret_cast<const std::byte*>(result.data() + batch.first * plane),
                batch.count * parts_.down_bytes, [=, this](std::byte* host) {
                  finish_planes(batch, reinterpret_cast<float*>(host), stored);
                });
    });
    down.finish_all();
  }

  void finish_planes(const Stretch& planes, float* voxels,
                     std::span<const HostBuffer<std::byte>> stored) {
    const Extent3& e = parts_.result;
    for_pieces(context_.pool, planes.count, e.y, kRowsFinished,
               [&](std::int64_t p, std::int64_t first, std::int64_t rows) {
                 const std::int64_t at = (p * e.y + first) * e.x;
                 finish_box(output_, axes_, Box3{{planes.first + p, first, 0}, {1, rows, e.x}},
                            voxels + at, stored[static_cast<std::size_t>(TaskPool::slot())].data(),
                            [&](const Box3& box, ConstVoxelView out) {
                              output_.sink->write(axes_.to_volume(box), out);
                            });
               });
    context_.progress.advance(planes.count);
  }

  /// Parts of image and kernel go up as pairs of planes and come down as such; what is kept of them
  /// is unfolded when all are there.
  void fold_on_host(const std::filesystem::path& scratch_folder) {
    const Extent3 kept{2 * decimation_.parts * decimation_.planes, parts_.result.y,
                       parts_.result.x};
    constexpr PixelType kType = PixelType::float32;
    const auto parts = plan_.cut.parts_on_disk
                           ? std::make_unique<ScratchVolume>(kept, kType, scratch_folder)
                           : std::make_unique<ScratchVolume>(kept, kType, context_.memory, "parts");
    convolve_parts(*parts);
    watch_.lap("give back");
    // What was pinned and what threads folded in is free again
    std::int64_t bytes = pool_.threads() * thread_bytes_of(parts_);
    for (const MemoryItem& item : pinned_memory_of(parts_)) bytes += item.bytes;
    context_.progress.begin("unfold", 1);
    unfold<float>(decimation_, parts_.result, *parts, output_, axes_,
                  *available_lane_kernels<float>().front(), bytes, context_);
    watch_.lap("unfold");
  }

  void convolve_parts(ScratchVolume& parts) {
    const LaneKernels<float>& kernels = *available_lane_kernels<float>().front();
    std::vector<Scratch<float>> scratch(static_cast<std::size_t>(context_.pool.threads()));
    for (Scratch<float>& s : scratch)
      s.fold = {context_.memory, thread_bytes_of(parts_), "voxels to fold"};
    FoldedSource<float> image{image_,  axes_,  decimation_, all_planes(decimation_),
                              kernels, scratch},
        kernel{kernel_, axes_, decimation_, kernel_kept_, kernels, scratch};

    PartSpectra spectra{device_, device_memory_, parts_};
    const SharedPlanes pairs = shared_in_pairs(decimation_.planes);
    const PartLoading image_pairs = describe_image(spectra, pairs, PixelType::float32, 0);
    const PartLoading kernel_pairs =
        describe_kernel(spectra, shared_in_pairs(parts_.kernel_planes), PixelType::float32, 0);
    const PartGiving giving = spectra.describe(pairs);
    spectra.place_kernel(kernel_kept_);
    BatchesUp up{device_, slot_up_bytes(parts_), true, device_memory_, context_.memory};
    BatchesDown down{device_, slot_down_bytes(parts_), true, device_memory_, context_.memory};
    spectra.prepare(compute_, context_.pool);
    watch_.lap("prepare");

    // A finished part comes down while the next one's kernel goes up, which takes no room of it
    std::int64_t part = 0, given = wanted_planes();
    const auto give_batch = [&] {
      if (given == wanted_planes()) return;
      const Stretch batch{given, std::min(parts_.batch_down, wanted_planes() - given)};
      std::byte* const to = down.room(compute_);
      spectra.give(compute_, giving, 0, batch, false, 2 * batch.first,
                   reinterpret_cast<float*>(to));
      const Stretch planes{2 * ((part - 1) * decimation_.planes + batch.first), 2 * batch.count};
      down.send(compute_, to, batch.count * parts_.down_bytes,
                [=, this, &parts](std::byte* host) { keep(parts, planes, host); });
      given = batch.end();
    };
    const auto give_rest = [&] {
      while (given < wanted_planes()) give_batch();
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
           [&](const std::byte* voxels, const Stretch& batch) {
             spectra.take_kernel(compute_, kernel_pairs, 0, voxels, 2 * batch.first, batch);
             give_batch();
           });
      give_rest();
      const auto take_image = [&](const std::byte* voxels, const Stretch& batch) {
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
    for_batches(pairs, parts_.batch_up, context_.stop, [&](const Stretch& batch) {
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
    for_batches(decimation_.planes, parts_.batch_up, context_.stop, [&](const Stretch& batch) {
      std::byte* const host = up.room();
      const std::int64_t plane = 2 * (part * decimation_.planes + batch.first);
      for_pieces(context_.pool, 2 * batch.count, e.y, kRowsFinished,
                 [&](std::int64_t p, std::int64_t first, std::int64_t rows) {
                   const Extent3 piece{1, rows, e.x};
                   parts.read({{plane + p, first, 0}, piece},
                              VoxelView{host + (p * e.y + first) * row, PixelType::float32, piece});
                 });
      take(up.send(compute_, 2 * batch.count * e.y * row, nullptr), batch);
      up.taken(compute_);
    });
  }

  /// Planes of a finished part, to wait for the others.
  void keep(ScratchVolume& parts, const Stretch& planes, const std::byte* voxels) {
    const Extent3& e = parts.extent();
    const std::int64_t row = e.x * size_of(PixelType::float32);
    for_pieces(context_.pool, planes.count, e.y, kRowsFinished,
               [&](std::int64_t p, std::int64_t first, std::int64_t rows) {
                 const Box3 box{{planes.first + p, first, 0}, {1, rows, e.x}};
                 parts.write(box, ConstVoxelView{voxels + (p * e.y + first) * row,
                                                 PixelType::float32, box.size});
               });
  }

  RunReport report_;
  Stopwatch watch_{report_.stages};
  const cuda::DeviceInfo& device_;
  MemoryBudget& device_memory_;
  const Plan& plan_;
  const Term& term_;
  WorkAxes axes_;
  Layout layout_;
  PartsLayout parts_;
  Decimation decimation_;
  cuda::Stream compute_;
  TaskPool pool_;
  RunContext context_;
  PlaneOutput output_;
  FoldInput image_, kernel_;
  std::vector<std::int64_t> kernel_kept_;
};

}  // namespace

RunReport run_parts_on_device(const cuda::DeviceInfo& device, MemoryBudget& device_memory,
                              const Plan& plan, const Term& term, Epilogue& epilogue, Sink& sink,
                              const std::filesystem::path& scratch_folder,
                              const RunContext& context) {
  return PartsDeviceRun{device, device_memory, plan, term, epilogue, sink, context}.run(
      scratch_folder);
}

}  // namespace synthoscope::fftconv::device
