// SPDX-License-Identifier: MIT
#include "fftconv/device/link/results.hpp"
#include <cstring>
#include "fftconv/device/link/plane_pieces.hpp"
#include "fftconv/device/link/row_copies.hpp"

namespace synthoscope::fftconv::device {
namespace {

constexpr std::int64_t kComputedBytes = sizeof(float);

/// What an epilogue makes on the device from floats, either in their place or in addition to them.
bool is_in_place(PixelType type) {
  return size_of(type) == kComputedBytes;
}

/// Returns the epilogue's own device form, if it can be used. The plan has space for floats in
/// every slot; an epilogue that makes narrower voxels needs space for both, one for one.
std::unique_ptr<cuda::DeviceEpilogue> finisher_of(const Plan& plan, Epilogue& epilogue,
                                                  PixelType type) {
  const Extent3 result = output_extent(plan.problem);
  const bool has_room =
      is_in_place(type) || kBatches * size_of(type) + kComputedBytes <= kBatches * kComputedBytes;
  if (plan.work.remove_mean || !has_room || epilogue.format(result).extent != result)
    return nullptr;
  return epilogue.make_on_device();
}

/// Wider voxels than floats travel as the floats they are made of.
Finishing finishing_of(const Plan& plan, const Epilogue& epilogue, PixelType type,
                       const cuda::DeviceEpilogue* finisher) {
  if (finisher) return Finishing::device;
  if (plan.work.remove_mean) return Finishing::host;
  return epilogue.only_converts() && size_of(type) <= kComputedBytes ? Finishing::last_pass
                                                                     : Finishing::host;
}

std::int64_t bytes_down(Finishing finishing, PixelType type) {
  return finishing == Finishing::host ? kComputedBytes : size_of(type);
}

/// A flat image's rows travel as planes, but are one plane to a sink that wants whole ones.
bool is_gathered(const Plan& plan, Sink& sink) {
  return sink.accepts() == BoxOrder::planes_in_order && WorkAxes{plan}.rows_as_planes();
}

/// Returns the sink if the device can make what it stores in addition to voxels, and the plan has
/// space for it.
SecondOutputSink* both_of(const Plan& plan, Finishing finishing, Sink& sink) {
  auto* const both = dynamic_cast<SecondOutputSink*>(&sink);
  if (!both || finishing != Finishing::device || sink.pixel_type() != PixelType::float32 ||
      is_gathered(plan, sink) || !both->second_epilogue().make_on_device())
    return nullptr;
  const Extent3 result = output_extent(plan.problem);
  const StreamFormat made = both->second_epilogue().format(result);
  return made.extent == result && size_of(made.type) <= plan.problem.second_voxel_bytes ? both
                                                                                        : nullptr;
}

PixelType second_type_of(SecondOutputSink* both) {
  return both ? both->second_epilogue().format(both->extent()).type : PixelType::uint8;
}

/// Behind `voxels` voxels of a slot.
std::int64_t second_room(SecondOutputSink* both, std::int64_t voxels) {
  return both ? second_bytes(voxels, size_of(second_type_of(both))) : 0;
}

}  // namespace

Results::Results(const cuda::DeviceInfo& device, const Plan& plan, std::int64_t batch_voxels,
                 Epilogue& epilogue, Sink& sink, MemoryBudget& device_memory,
                 MemoryBudget& host_memory, Timeline* timeline)
    : device_{device.id},
      output_{&epilogue, &sink, 0, nullptr, nullptr},
      axes_{plan},
      wanted_{wanted_extent(plan.work)},
      type_{sink.pixel_type()},
      finisher_{finisher_of(plan, epilogue, type_)},
      finishing_{finishing_of(plan, epilogue, type_, finisher_.get())},
      both_{both_of(plan, finishing_, sink)},
      second_{both_ ? both_->second_epilogue().make_on_device() : nullptr},
      second_type_{second_type_of(both_)},
      direct_{finishing_ == Finishing::host || both_ ? std::nullopt : sink.device_writable()},
      timeline_{timeline},
      link_{device.id,
            batch_voxels * (finishing_ == Finishing::device ? size_of(type_) : kComputedBytes) +
                second_room(both_, batch_voxels),
            direct_
                ? 0
                : batch_voxels * bytes_down(finishing_, type_) + second_room(both_, batch_voxels),
            device_memory,
            host_memory,
            timeline},
      computed_{device.id, device_memory,
                finishing_ == Finishing::device && !is_in_place(type_) ? batch_voxels : 0,
                "voxels to be finished"},
      finished_{host_memory, finishing_ == Finishing::host ? batch_voxels * size_of(type_) : 0,
                "voxels to be stored"},
      gathered_{host_memory,
                !direct_ && is_gathered(plan, sink) ? volume(wanted_) * size_of(type_) : 0,
                "rows waiting to be written"} {}

PixelType Results::computed_type() const {
  return finishing_ == Finishing::last_pass ? type_ : PixelType::float32;
}

void Results::prepare(const cuda::DeviceContext& gpu, const cuda::Stream& compute) {
  if (finisher_) finisher_->prepare(gpu, compute);
  if (second_) second_->prepare(gpu, compute);
}

void Results::restore(double mean, const BoxSums* response) {
  output_.mean = mean;
  output_.response = response;
}

void Results::give(int slot, const cuda::Stream& compute, Spectra& spectra, const Interval& planes,
                   const Box3& box) {
  std::byte* const placed = in_place(box);
  {
    const Noted noted{timeline_, "give", slot, compute};
    std::byte* const room = placed ? placed : link_.room(slot);
    if (finisher_) {
      float* const computed =
          is_in_place(type_) ? reinterpret_cast<float*>(room) : computed_.data();
      spectra.give(compute, planes, box.size.y, box.size.x, computed);
      finisher_->enqueue_apply(compute, axes_.to_volume(box), computed, room);
      if (second_)
        second_->enqueue_apply(compute, axes_.to_volume(box), computed,
                               room + volume(box.size) * kComputedBytes);
    } else {
      const bool counts = finishing_ == Finishing::last_pass;
      spectra.give(compute, planes, box.size.y, box.size.x, room,
                   counts ? link_.zeros(slot, compute) : nullptr);
    }
  }
  if (placed) return link_.send_counts(slot, compute);
  const PixelType travels = finishing_ == Finishing::host ? PixelType::float32 : type_;
  link_.send(slot, compute, box, travels, direct_,
             both_ ? volume(box.size) * size_of(second_type_) : 0, axes_);
}

/// Returns the place of a box in the sink if the device has it in its memory; otherwise null.
std::byte* Results::in_place(const Box3& box) const {
  if (!direct_ || output_.sink->device_of(axes_.to_volume(box)) != device_) return nullptr;
  return without_gaps(*direct_, axes_, box);
}

void Results::store(int slot, const Box3& box, const RunContext& context) {
  std::byte* const voxels = link_.receive(slot);
  const Noted noted{timeline_, "store", slot};
  if (finishing_ == Finishing::host)
    finish_on_host(box, reinterpret_cast<float*>(voxels), context.pool);
  else if (!direct_)
    hand_over(box, voxels, context.pool);
  if (finishing_ == Finishing::last_pass) output_.epilogue->count(link_.counts(slot));
  context.progress.advance(box.size.z);
}

void Results::finish(const cuda::Stream& compute) {
  if (finisher_) finisher_->finish(compute);
  if (second_) second_->finish(compute);
}

/// Voxels as they are stored already.
void Results::hand_over(const Box3& box, const std::byte* voxels, TaskPool& pool) {
  if (output_.sink->accepts() != BoxOrder::any) return write_in_order(box, voxels);
  for_pieces(pool, box.size.z, box.size.y, rows_to_write(box.size.x * size_of(type_)),
             [&](std::int64_t plane, std::int64_t first, std::int64_t rows) {
               const Box3 piece =
                   axes_.to_volume(Box3{{box.origin.z + plane, box.origin.y + first, box.origin.x},
                                        {1, rows, box.size.x}});
               write(piece, voxels, volume(box.size), (plane * box.size.y + first) * box.size.x);
             });
}

void Results::finish_on_host(const Box3& box, float* voxels, TaskPool& pool) {
  const bool any = output_.sink->accepts() == BoxOrder::any;
  for_pieces(pool, box.size.z, box.size.y, kRowsTogether,
             [&](std::int64_t plane, std::int64_t first, std::int64_t rows) {
               const Box3 piece{{box.origin.z + plane, box.origin.y + first, box.origin.x},
                                {1, rows, box.size.x}};
               const std::int64_t at = (plane * box.size.y + first) * box.size.x;
               finish_box(output_, axes_, piece, voxels + at,
                          finished_.data() + at * size_of(type_),
                          [&](const Box3& where, ConstVoxelView out) {
                            if (any) output_.sink->write(axes_.to_volume(where), out);
                          });
             });
  if (!any) write_in_order(box, finished_.data());
}

void Results::write_in_order(const Box3& box, const std::byte* voxels) {
  Box3 whole = box;
  if (gathered_.count() > 0) {
    const std::int64_t bytes = volume(box.size) * size_of(type_);
    std::memcpy(gathered_.data() + box.origin.z * wanted_.y * wanted_.x * size_of(type_), voxels,
                static_cast<std::size_t>(bytes));
    if (box.origin.z + box.size.z < wanted_.z) return;
    whole = {{0, 0, 0}, wanted_};
    voxels = gathered_.data();
  }
  write(axes_.to_volume(whole), voxels, volume(whole.size), 0);
}

void Results::write(const Box3& box, const std::byte* voxels, std::int64_t count,
                    std::int64_t first) {
  const ConstVoxelView stored{voxels + first * size_of(type_), type_, box.size};
  if (!both_) return output_.sink->write(box, stored);
  const std::byte* const beside = voxels + count * size_of(type_);
  both_->write_both(box, stored, {beside + first * size_of(second_type_), second_type_, box.size});
}

}  // namespace synthoscope::fftconv::device
