// SPDX-License-Identifier: MIT
#include "fftconv/device/parts/share.hpp"
#include "fftconv/device/link/plane_pieces.hpp"
#include "fftconv/device/link/row_copies.hpp"

namespace synthoscope::fftconv::device {
namespace {

std::vector<cuda::Event> events_of(cuda::DeviceId device, std::int64_t count) {
  std::vector<cuda::Event> made;
  for (std::int64_t i = 0; i < count; ++i) made.emplace_back(device);
  return made;
}

PartLoading describe_all_of_image(const PartsWork& work, PartSpectra& spectra) {
  const Decimation& d = work.parts.decimation;
  return describe_image(work, spectra, shared_when_folded(work.image, d, all_planes(d)),
                        work.term.image->pixel_type(), work.output.mean);
}

PartLoading describe_all_of_kernel(const PartsWork& work, PartSpectra& spectra) {
  spectra.place_kernel_planes(work.kernel_kept);
  const Kernel& kernel = work.term.kernel;
  return describe_kernel(work, spectra,
                         shared_when_folded(work.kernel, work.parts.decimation, work.kernel_kept),
                         kernel.voxels->pixel_type(), kernel.background);
}

/// Returns the sink's voxels if they are pinned floats that are stored unchanged.
std::optional<VoxelView> direct_sink(const PartsWork& work) {
  Sink& sink = *work.output.sink;
  const bool as_they_are = sink.pixel_type() == PixelType::float32 && !work.output.response &&
                           work.output.epilogue->only_converts();
  return as_they_are ? sink.device_writable() : std::nullopt;
}

}  // namespace

PartsShare::PartsShare(const cuda::DeviceInfo& device, MemoryBudget& device_memory,
                       const PartsWork& work, const Sharer& sharer, const RunContext& context)
    : work_{work},
      sharer_{sharer},
      context_{context},
      spectra_{device, device_memory, work.parts},
      image_loading_{describe_all_of_image(work, spectra_)},
      kernel_loading_{describe_all_of_kernel(work, spectra_)},
      unfolding_{
          spectra_.describe(shared_when_unfolded(work.parts.decimation, work.parts.result.z))},
      image_{device.id, device_memory,
             volume(work.parts.image_box.size) * work.parts.image_voxel_bytes, "image"},
      kernel_{device.id, device_memory,
              volume(work.parts.kernel_box.size) * work.parts.kernel_voxel_bytes, "kernel"},
      result_{device.id, device_memory,
              work.parts.decimation.slabs() * planes_of(sharer.number).count * result_plane(),
              "parts, then the result"},
      leaving_{device.id, device_memory,
               2 * (given_planes(work.parts) - planes_of(sharer.number).count) * result_plane(),
               "planes for other GPUs"},
      direct_{direct_sink(work)},
      counts_{device.id, device_memory, kCounts, "counts of voxels"},
      counted_{device.id, context.memory, kCounts, "counts of voxels"},
      up_{device, slot_up_bytes(work.parts), false, device_memory, context.memory},
      down_{device, slot_down_bytes(work.parts), false, device_memory, context.memory},
      stored_(static_cast<std::size_t>(context.pool.threads())),
      compute_{device.id},
      exchange_{device.id},
      given_{device.id},
      left_{events_of(device.id, sharer.count)} {
  for (HostBuffer<std::byte>& room : stored_)
    room = {context.memory, thread_bytes_of(work.parts), "voxels to be stored"};
  spectra_.prepare(compute_, context.pool);
}

void PartsShare::load(All all) {
  load(*work_.term.kernel.voxels, work_.parts.kernel_box, &PartsShare::kernel_, all);
  load(*work_.term.image, work_.parts.image_box, &PartsShare::image_, all);
  compute_.finish();
  exchange_.finish();
}

/// Copies the voxels of a box of the work problem, unchanged.
void PartsShare::load(Source& source, const Box3& box, Voxels PartsShare::*voxels, All all) {
  const std::int64_t plane = box.size.y * box.size.x * size_of(source.pixel_type());
  for_batches(sharer_.share_of(box.size.z), work_.parts.batch_up, context_.stop,
              [&](const Interval& batch) {
                const std::int64_t at = batch.first * plane;
                std::byte* const here = (this->*voxels).data() + at;
                bring(source, box, batch, here);
                if (all.size() == 1) return;
                given_.record(compute_);
                exchange_.wait_for(given_);
                for (PartsShare* const other : all)
                  if (other != this)
                    cuda::enqueue_copy(exchange_, (other->*voxels).data() + at, here,
                                       batch.count * plane);
              });
}

/// `planes` of the box from the host; what is enqueued on `compute_` after this finds them.
void PartsShare::bring(Source& source, const Box3& box, const Interval& planes, std::byte* to) {
  const PixelType type = source.pixel_type();
  const std::int64_t row = box.size.x * size_of(type), plane = box.size.y * row;
  const auto piece = [&](std::int64_t p, std::int64_t first, std::int64_t rows) {
    return Box3{{box.origin.z + planes.first + p, box.origin.y + first, box.origin.x},
                {1, rows, box.size.x}};
  };
  if (const auto pinned = source.device_readable()) {
    RowCopies copies{compute_};
    for (std::int64_t p = 0; p < planes.count; ++p)
      copies.add({to + p * plane, row}, rows_of(*pinned, work_.axes, piece(p, 0, box.size.y)), row,
                 box.size.y);
    copies.flush();
    return;
  }
  std::byte* const host = up_.room();
  for_pieces(context_.pool, planes.count, box.size.y, kRowsFinished,
             [&](std::int64_t p, std::int64_t first, std::int64_t rows) {
               const Box3 there = work_.axes.to_volume(piece(p, first, rows));
               source.read(there, {host + p * plane + first * row, type, there.size});
             });
  up_.send(compute_, planes.count * plane, to);
  up_.taken(compute_);
}

void PartsShare::convolve(All all) {
  const PartsLayout& parts = work_.parts;
  const Interval mine = sharer_.share_of(parts.decimation.parts);
  for (std::int64_t part = mine.first; part < mine.end(); ++part) {
    context_.stop.check();
    spectra_.take_kernel(compute_, kernel_loading_, part, kernel_.data(), parts.kernel_box.origin.z,
                         {0, kernel_loading_.planes});
    spectra_.take_image(compute_, image_loading_, part, image_.data(), parts.image_box.origin.z,
                        {0, parts.decimation.planes});
    spectra_.convolve(compute_);
    give(part, all);
    context_.progress.advance(1);
  }
  compute_.finish();
  exchange_.finish();
}

/// The planes of a part to their slots: others' first, which travel while the next are computed.
void PartsShare::give(std::int64_t part, All all) {
  float* leaving = leaving_.data();
  for (std::int64_t i = 1; i <= sharer_.count; ++i) {
    const std::int64_t to = (sharer_.number + i) % sharer_.count;
    const Interval planes = planes_of(to);
    if (planes.count == 0) continue;
    const PairPlaces places{1, planes.count};
    const std::int64_t voxels = 2 * planes.count * result_plane();
    float* const slot = all[static_cast<std::size_t>(to)]->result_.data() + part * voxels;
    if (to == sharer_.number) {
      spectra_.give(compute_, planes, places, slot);
      continue;
    }
    cuda::Event& left = left_[static_cast<std::size_t>(to)];
    compute_.wait_for(left);
    spectra_.give(compute_, planes, places, leaving);
    given_.record(compute_);
    exchange_.wait_for(given_);
    cuda::enqueue_copy(exchange_, slot, leaving, voxels * std::int64_t{sizeof(float)});
    left.record(exchange_);
    leaving += voxels;
  }
}

void PartsShare::unfold() {
  cuda::enqueue_zeros(compute_, counts_.data(), kCountBytes);
  spectra_.unfold(compute_, unfolding_, planes_of(sharer_.number), result_.data(),
                  direct_ ? counts_.data() : nullptr);
  cuda::enqueue_copy(compute_, counted_.data(), counts_.data(), kCountBytes);
  compute_.finish();
}

void PartsShare::store() {
  if (direct_)
    store_directly(*direct_);
  else
    store_by_host();
}

/// Calls `body(planes of the result, where they are)` for batches of what was unfolded here.
template <class Body>
void PartsShare::for_results(Body&& body) const {
  const PartsLayout& parts = work_.parts;
  const Interval mine = planes_of(sharer_.number);
  const float* slot = result_.data();
  for (std::int64_t first = mine.first; first < parts.result.z && mine.count > 0;
       first += parts.decimation.planes) {
    const Interval planes{first, std::min(mine.count, parts.result.z - first)};
    for_batches(planes, parts.batch_down, context_.stop, [&](const Interval& batch) {
      body(batch, slot + (batch.first - first) * result_plane());
    });
    slot += mine.count * result_plane();
  }
}

void PartsShare::store_by_host() {
  for_results([&](const Interval& planes, const float* from) {
    down_.send(
        compute_, reinterpret_cast<const std::byte*>(from), planes.count * work_.parts.down_bytes,
        [this, planes](std::byte* host) { finish_planes(planes, reinterpret_cast<float*>(host)); });
  });
  down_.finish_all();
}

void PartsShare::store_directly(const VoxelView& to) {
  const Extent3& e = work_.parts.result;
  const std::int64_t row = e.x * std::int64_t{sizeof(float)};
  for_results([&](const Interval& planes, const float* from) {
    RowCopies copies{compute_};
    for (std::int64_t p = 0; p < planes.count; ++p)
      copies.add(rows_of(to, work_.axes, Box3{{planes.first + p, 0, 0}, {1, e.y, e.x}}),
                 {reinterpret_cast<const std::byte*>(from + p * result_plane()), row}, row, e.y);
    copies.flush();
    compute_.finish();
    context_.progress.advance(planes.count);
  });
  const auto counted = [&](int i) { return static_cast<std::int64_t>(counted_.data()[i]); };
  work_.output.epilogue->count({counted(0), counted(1)});
}

void PartsShare::finish_planes(const Interval& planes, float* voxels) {
  const Extent3& e = work_.parts.result;
  for_pieces(context_.pool, planes.count, e.y, kRowsFinished,
             [&](std::int64_t p, std::int64_t first, std::int64_t rows) {
               finish_box(work_.output, work_.axes,
                          Box3{{planes.first + p, first, 0}, {1, rows, e.x}},
                          voxels + (p * e.y + first) * e.x,
                          stored_[static_cast<std::size_t>(TaskPool::slot())].data(),
                          [&](const Box3& box, ConstVoxelView out) {
                            work_.output.sink->write(work_.axes.to_volume(box), out);
                          });
             });
  context_.progress.advance(planes.count);
}

void PartsShare::drain() const noexcept {
  compute_.drain();
  exchange_.drain();
  up_.drain();
  down_.drain();
}

/// Planes of every part that a sharer unfolds.
Interval PartsShare::planes_of(std::int64_t sharer) const {
  return Sharer{sharer, sharer_.count}.share_of(given_planes(work_.parts));
}

std::int64_t PartsShare::result_plane() const {
  return work_.parts.result.y * work_.parts.result.x;
}

}  // namespace synthoscope::fftconv::device
