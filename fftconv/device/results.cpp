// SPDX-License-Identifier: MIT
#include "fftconv/device/results.hpp"
#include <cstring>
#include "fftconv/device/plane_pieces.hpp"

namespace synthoscope::fftconv::device {
namespace {

constexpr std::int64_t kComputedBytes = sizeof(float);

/// What an epilogue makes on the device of floats it makes in their place, or beside them.
bool is_in_place(PixelType type) {
  return size_of(type) == kComputedBytes;
}

/// The plan has room for floats in every slot. Wider voxels travel as the floats they are made of;
/// floats that an epilogue reads on the device must have room beside narrower ones that it makes,
/// one for one.
Finishing finishing_of(const Plan& plan, Epilogue& epilogue, PixelType type) {
  if (plan.work.remove_mean) return Finishing::host;
  const Extent3 result = output_extent(plan.problem);
  if (epilogue.on_device() && epilogue.format(result).extent == result)
    return is_in_place(type) ||
                   kBatches * size_of(type) + kComputedBytes <= kBatches * kComputedBytes
               ? Finishing::device
               : Finishing::host;
  const bool stores_as_it_is = dynamic_cast<const StoreAs*>(&epilogue) != nullptr;
  return stores_as_it_is && size_of(type) <= kComputedBytes ? Finishing::last_pass
                                                            : Finishing::host;
}

std::int64_t bytes_down(Finishing finishing, PixelType type) {
  return finishing == Finishing::host ? kComputedBytes : size_of(type);
}

/// A flat image's rows travel as planes, but are one plane to a sink that wants whole ones.
bool is_gathered(const Plan& plan, Sink& sink) {
  return sink.accepts() == BoxOrder::planes_in_order && WorkAxes{plan}.rows_as_planes();
}

}  // namespace

Results::Results(const cuda::DeviceInfo& device, const Plan& plan, std::int64_t batch_voxels,
                 Epilogue& epilogue, Sink& sink, MemoryBudget& device_memory,
                 MemoryBudget& host_memory, Timeline* timeline)
    : output_{&epilogue, &sink, 0, nullptr, nullptr},
      axes_{plan},
      wanted_{wanted_extent(plan.work)},
      type_{sink.pixel_type()},
      finishing_{finishing_of(plan, epilogue, type_)},
      direct_{finishing_ == Finishing::host ? std::nullopt : sink.pinned()},
      timeline_{timeline},
      link_{device.id,
            batch_voxels * (finishing_ == Finishing::device ? size_of(type_) : kComputedBytes),
            direct_ ? 0 : batch_voxels * bytes_down(finishing_, type_),
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

void Results::prepare(const cuda::DeviceSetting& setting, const cuda::Stream& compute) {
  if (finishing_ == Finishing::device) output_.epilogue->on_device()->prepare(setting, compute);
}

void Results::restore(double mean, const BoxSums* response) {
  output_.mean = mean;
  output_.response = response;
}

void Results::give(int slot, const cuda::Stream& compute, Spectra& spectra, const Stretch& planes,
                   const Box3& box) {
  {
    const Noted noted{timeline_, "give", slot, compute};
    std::byte* const room = link_.room(slot);
    if (finishing_ == Finishing::device) {
      float* const computed =
          is_in_place(type_) ? reinterpret_cast<float*>(room) : computed_.data();
      spectra.give(compute, planes, box.size.y, box.size.x, computed);
      output_.epilogue->on_device()->enqueue_apply(compute, axes_.to_volume(box), computed, room);
    } else {
      const bool counts = finishing_ == Finishing::last_pass;
      spectra.give(compute, planes, box.size.y, box.size.x, room,
                   counts ? link_.zeros(slot, compute) : nullptr);
    }
  }
  const PixelType travels = finishing_ == Finishing::host ? PixelType::float32 : type_;
  link_.send(slot, compute, box, travels, direct_, axes_);
}

void Results::store(int slot, const Box3& box, const RunContext& context) {
  std::byte* const voxels = link_.receive(slot);
  const Noted noted{timeline_, "store", slot};
  if (finishing_ == Finishing::host)
    finish_on_host(box, reinterpret_cast<float*>(voxels), context.pool);
  else if (!direct_)
    hand_over(box, voxels, context.pool);
  if (finishing_ == Finishing::last_pass)
    static_cast<StoreAs*>(output_.epilogue)->count(link_.counts(slot));
  context.progress.advance(box.size.z);
}

void Results::finish(const cuda::Stream& compute) {
  if (finishing_ == Finishing::device) output_.epilogue->on_device()->finish(compute);
}

/// Voxels as they are stored already.
void Results::hand_over(const Box3& box, const std::byte* voxels, TaskPool& pool) {
  if (output_.sink->accepts() != BoxOrder::any) return write_in_order(box, voxels);
  for_pieces(pool, box.size.z, box.size.y, kRowsTogether,
             [&](std::int64_t plane, std::int64_t first, std::int64_t rows) {
               const Box3 piece =
                   axes_.to_volume(Box3{{box.origin.z + plane, box.origin.y + first, box.origin.x},
                                        {1, rows, box.size.x}});
               const std::int64_t at = (plane * box.size.y + first) * box.size.x;
               output_.sink->write(piece, {voxels + at * size_of(type_), type_, piece.size});
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
  whole = axes_.to_volume(whole);
  output_.sink->write(whole, {voxels, type_, whole.size});
}

}  // namespace synthoscope::fftconv::device
