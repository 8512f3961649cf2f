// SPDX-License-Identifier: MIT
#include "kernels/banks/tiles.hpp"
#include <algorithm>
#include "core/base/round_up.hpp"
#include "kernels/lanes/lanes.hpp"

namespace synthoscope::kernels {
namespace {

constexpr std::int64_t kLineFloats = 16;

// Fields of a tile stay in a second-level cache; around a tile, columns along z are computed again
constexpr Extent3 kPlaneTile{1, 64, 512}, kVolumeTile{64, 32, 64};

std::int64_t low(std::int64_t a, std::int64_t b) {
  return std::min(a, b);
}

/// Returns the smallest box that holds both.
Box3 hull(const Box3& a, const Box3& b) {
  const Index3 origin{low(a.origin.z, b.origin.z), low(a.origin.y, b.origin.y),
                      low(a.origin.x, b.origin.x)};
  const auto length = [](std::int64_t from, std::int64_t end_a, std::int64_t end_b) {
    return std::max(end_a, end_b) - from;
  };
  return {origin,
          {length(origin.z, a.origin.z + a.size.z, b.origin.z + b.size.z),
           length(origin.y, a.origin.y + a.size.y, b.origin.y + b.size.y),
           length(origin.x, a.origin.x + a.size.x, b.origin.x + b.size.x)}};
}

/// Computes the responses of `count` voxels from their fields. Fields and responses are `step`
/// apart.
template <BankAnswer kAnswer>
void answer_all(VectorLevel level, const float* all_fields, const float* means,
                const std::vector<float>& mean_shares, std::int64_t count, std::int64_t step,
                float* all_responses) {
  constexpr int kFields = fields_of(kAnswer), kResponses = responses_of(kAnswer);
  float all_shares[kFields] = {};
  std::ranges::copy(mean_shares, all_shares);
  const float* const given_shares = all_shares;
  vectorised(level, [=]() SYNTHOSCOPE_INLINE {
    // Local copies: for the compiler, responses might overwrite captured variables
    const float* const from = all_fields;
    const float* const mean = means;
    float* const to = all_responses;
    const std::int64_t pitch = step;
    float shares[kFields];
    for (int f = 0; f < kFields; ++f) shares[f] = given_shares[f];
    const auto n = static_cast<int>(count);
    const auto one = [&](int i, auto freed) SYNTHOSCOPE_INLINE {
      float fields[kFields], responses[kResponses];
#pragma GCC unroll 16
      for (int f = 0; f < kFields; ++f) {
        fields[f] = from[f * pitch + i];
        if constexpr (decltype(freed)::value != 0) fields[f] -= shares[f] * mean[i];
      }
      answer<kAnswer>(fields, responses);
#pragma GCC unroll 16
      for (int r = 0; r < kResponses; ++r) to[r * pitch + i] = responses[r];
    };
    if (mean != nullptr) {
#pragma GCC ivdep
      for (int i = 0; i < n; ++i) one(i, LaneCount<1>{});
    } else {
#pragma GCC ivdep
      for (int i = 0; i < n; ++i) one(i, LaneCount<0>{});
    }
  });
}

/// Makes all of `tile`, its voxels without gaps.
void make_field(TiledOperation& field, const Window& in, const Box3& tile, float* to,
                float* scratch) {
  const VoxelView view = HostView3<float>{to, tile.size};
  field.make(in, tile, std::span{&view, 1}, scratch);
}

template <BankAnswer kAnswer>
constexpr auto kAnswerAll = answer_all<kAnswer>;

auto answer_all_as(BankAnswer answer) {
  switch (answer) {
    case BankAnswer::itself:
      return kAnswerAll<BankAnswer::itself>;
    case BankAnswer::orientations:
      return kAnswerAll<BankAnswer::orientations>;
    case BankAnswer::strongest:
      return kAnswerAll<BankAnswer::strongest>;
    case BankAnswer::strongest_magnitude:
      return kAnswerAll<BankAnswer::strongest_magnitude>;
    case BankAnswer::plane_invariants:
      return kAnswerAll<BankAnswer::plane_invariants>;
    case BankAnswer::volume_invariants:
      break;
  }
  return kAnswerAll<BankAnswer::volume_invariants>;
}

}  // namespace

BankTiles::BankTiles(const NeighbourhoodSetting& setting, const FilterBankSpec& spec)
    : setting_{setting} {
  setting_.type = PixelType::float32;
  const auto add = [&](const FilterKernel& kernel) {
    ChosenFilter chosen = make_filter(setting_, kernel, spec.strategy, spec.tolerance);
    host_seconds_ += chosen.host_seconds;
    reaches_along_z_ |= chosen.operation->around({{}, {1, 1, 1}}).size.z > 1;
    return std::move(chosen.operation);
  };
  for (const FieldGroup& fields : field_groups(spec, setting.image)) {
    Group group{fields.answer, {}, fields.mean_shares, responses_};
    for (const FilterKernel& field : fields.fields) group.fields.push_back(add(field));
    if (!mean_ && !group.mean_shares.empty()) mean_ = add(bank_mean());
    responses_ += responses_of(fields.answer);
    groups_.push_back(std::move(group));
  }
}

Box3 BankTiles::needs(const Box3& box) const {
  Box3 all = box;
  for (const Group& group : groups_)
    for (const auto& field : group.fields) all = hull(all, field->around(box));
  if (mean_) all = hull(all, mean_->around(box));
  return held_box(setting_.boundary, all, setting_.image);
}

Extent3 BankTiles::tile_of(const Extent3& box) const {
  const Extent3& most = reaches_along_z_ ? kVolumeTile : kPlaneTile;
  return {std::min(box.z, most.z), std::min(box.y, most.y), std::min(box.x, most.x)};
}

std::int64_t BankTiles::pitch(const Extent3& tile) {
  return round_up(volume(tile), kLineFloats);
}

std::int64_t BankTiles::scratch_floats(const Extent3& tile) const {
  std::int64_t most_fields = 0, most = 0;
  const auto count = [&](const TiledOperation& field) {
    most = std::max(most, field.scratch_floats(tile));
  };
  for (const Group& group : groups_) {
    most_fields = std::max(most_fields, static_cast<std::int64_t>(group.fields.size()));
    for (const auto& field : group.fields) count(*field);
  }
  if (mean_) count(*mean_);
  return (most_fields + 1) * pitch(tile) + most;
}

void BankTiles::make(const Window& in, const Box3& tile, const ResponseRange& wanted, float* to,
                     float* scratch) const {
  const std::int64_t step = pitch(tile.size);
  const bool frees = needs_mean(*this, wanted);
  float* const mean = scratch;
  if (frees) make_field(*mean_, in, tile, mean, scratch + step);
  for (const Group& group : groups_)
    if (group.first >= wanted.first && group.first < wanted.last)
      make_group(group, in, tile, group.mean_shares.empty() ? nullptr : mean,
                 to + (group.first - wanted.first) * step, scratch + step);
}

void BankTiles::make_group(const Group& group, const Window& in, const Box3& tile,
                           const float* mean, float* to, float* scratch) const {
  const std::int64_t step = pitch(tile.size);
  float* const rest = scratch + static_cast<std::int64_t>(group.fields.size()) * step;
  if (group.answer == BankAnswer::itself && mean == nullptr)
    return make_field(*group.fields[0], in, tile, to, rest);
  for (std::size_t f = 0; f < group.fields.size(); ++f)
    make_field(*group.fields[f], in, tile, scratch + static_cast<std::int64_t>(f) * step, rest);
  answer_all_as(group.answer)(setting_.level, scratch, mean, group.mean_shares, volume(tile.size),
                              step, to);
}

bool needs_mean(const BankTiles& bank, const ResponseRange& wanted) {
  return std::ranges::any_of(bank.groups(), [&](const BankTiles::Group& group) {
    return group.first >= wanted.first && group.first < wanted.last && !group.mean_shares.empty();
  });
}

Box3 planes_of_responses(const BankTiles& bank, const Box3& box) {
  const std::int64_t n = bank.responses(), first = box.origin.z / n;
  const std::int64_t last = (box.origin.z + box.size.z - 1) / n;
  return {{first, box.origin.y, box.origin.x}, {last - first + 1, box.size.y, box.size.x}};
}

std::int64_t most_planes(const BankTiles& bank, std::int64_t responses) {
  return std::min((responses - 2 + bank.responses()) / bank.responses() + 1, bank.image().z);
}

ResponseRange responses_wanted(const BankTiles& bank, const Box3& planes, const Box3& box) {
  const std::int64_t n = bank.responses(), begin = planes.origin.z * n;
  ResponseRange groups{0, n};
  if (planes.size.z > 1) return groups;
  const std::int64_t first = box.origin.z - begin, last = first + box.size.z;
  for (const BankTiles::Group& group : bank.groups()) {
    if (group.first <= first) groups.first = group.first;
    if (group.first >= last) groups.last = std::min(groups.last, group.first);
  }
  return groups;
}

}  // namespace synthoscope::kernels
