// SPDX-License-Identifier: MIT
#include "kernels/device/banks/responses.hpp"
#include <fmt/format.h>
#include <algorithm>
#include "core/base/round_up.hpp"
#include "kernels/device/banks/bank_arguments.hpp"
#include "kernels/device/code/programs.hpp"

namespace synthoscope::kernels::device {
namespace {

/// Calls `body` with every operation that computes a field or the mean.
template <class Body>
void for_each_field(const BankTiles& bank, const Body& body) {
  for (const BankTiles::Group& group : bank.groups())
    for (const auto& field : group.fields) body(*field);
  if (bank.mean() != nullptr) body(*bank.mean());
}

std::int64_t most_fields(const BankTiles& bank) {
  std::size_t most = 0;
  for (const BankTiles::Group& group : bank.groups()) most = std::max(most, group.fields.size());
  return static_cast<std::int64_t>(most) + 1;  // one more for the mean
}

cuda::KernelName answer_kernel(std::size_t number) {
  return {"banks/bank.cuh", fmt::format("answer_fields<{}>", number)};
}

}  // namespace

bool DeviceResponses::are_possible(const BankTiles& bank) {
  bool all = true;
  for_each_field(bank, [&](TiledOperation& field) { all &= field.on_device() != nullptr; });
  return all;
}

Extent3 DeviceResponses::slab_of(const Extent3& planes) const {
  return {bank_.reaches_along_z() ? planes.z : 1, planes.y, planes.x};
}

std::int64_t DeviceResponses::working_bytes(const Extent3& slab) const {
  std::int64_t bytes =
      (most_fields(bank_) + bank_.responses()) * volume(slab) * std::int64_t{sizeof(float)};
  for_each_field(bank_,
                 [&](TiledOperation& field) { bytes += field.on_device()->working_bytes(slab); });
  return bytes;
}

std::vector<cuda::KernelName> DeviceResponses::kernels(const cuda::DeviceInfo& device,
                                                       PixelType type, const Extent3& slab) const {
  std::vector<cuda::KernelName> all;
  for_each_field(bank_, [&](TiledOperation& field) {
    for (auto& one : field.on_device()->kernels(device, type, slab)) all.push_back(std::move(one));
  });
  for (const BankTiles::Group& group : bank_.groups())
    all.push_back(answer_kernel(static_cast<std::size_t>(group.answer)));
  return all;
}

void DeviceResponses::prepare(const cuda::DeviceContext& gpu, PixelType type, const Extent3& slab,
                              const cuda::Stream& stream) {
  release();  // frees what a failed run left
  for_each_field(
      bank_, [&](TiledOperation& field) { field.on_device()->prepare(gpu, type, slab, stream); });
  fields_ = {gpu.device.id, gpu.memory, most_fields(bank_) * volume(slab), "fields"};
  responses_ = {gpu.device.id, gpu.memory, bank_.responses() * volume(slab), "responses"};
  answers_.clear();
  for (const BankTiles::Group& group : bank_.groups()) {
    const auto number = static_cast<std::size_t>(group.answer);
    answers_.resize(std::max(answers_.size(), number + 1));
    if (!answers_[number])
      answers_[number] = device_library().kernel(gpu.device, answer_kernel(number));
  }
}

const float* DeviceResponses::enqueue(const cuda::Stream& stream, const DeviceWindow& in,
                                      const Box3& slab, const ResponseRange& wanted) {
  const Work work{stream, in, slab};
  if (needs_mean(bank_, wanted)) enqueue_field(work, *bank_.mean(), fields_.data());
  for (const BankTiles::Group& group : bank_.groups())
    if (group.first >= wanted.first && group.first < wanted.last)
      enqueue_group(work, group,
                    responses_.data() + (group.first - wanted.first) * volume(slab.size));
  return responses_.data();
}

void DeviceResponses::enqueue_field(const Work& work, TiledOperation& field, float* to) {
  std::byte* const out = reinterpret_cast<std::byte*>(to);
  field.on_device()->enqueue_apply(work.stream, work.in, work.slab, std::span{&out, 1});
}

void DeviceResponses::enqueue_group(const Work& work, const BankTiles::Group& group, float* to) {
  const bool is_freed = !group.mean_shares.empty();
  if (group.answer == BankAnswer::itself && !is_freed)
    return enqueue_field(work, *group.fields[0], to);
  const std::int64_t count = volume(work.slab.size);
  const float* const mean = fields_.data();
  float* const fields = fields_.data() + count;
  for (std::size_t f = 0; f < group.fields.size(); ++f)
    enqueue_field(work, *group.fields[f], fields + static_cast<std::int64_t>(f) * count);
  AnswerArguments a;
  a.fields = fields;
  a.mean = is_freed ? mean : nullptr;
  std::ranges::copy(group.mean_shares, a.mean_shares);
  a.count = count;
  a.pitch = count;
  a.responses = to;
  answers_[static_cast<std::size_t>(group.answer)]->launch(
      work.stream, {{parts_of<std::int64_t>(count, kBankThreads)}, {kBankThreads}, 0}, a);
}

void DeviceResponses::finish(const cuda::Stream& stream) {
  for_each_field(bank_, [&](TiledOperation& field) { field.on_device()->finish(stream); });
  release();
}

void DeviceResponses::release() {
  fields_ = {};
  responses_ = {};
}

}  // namespace synthoscope::kernels::device
