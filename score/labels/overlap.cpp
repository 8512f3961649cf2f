// SPDX-License-Identifier: MIT
#include "score/labels/overlap.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <unordered_map>
#include <utility>
#include "core/base/error.hpp"
#include "core/run/host_buffer.hpp"

namespace synthoscope::score {
namespace {

constexpr std::int64_t kBandBytes = std::int64_t{1} << 20;
constexpr std::string_view kWhat = "overlaps of labels";

/// Voxels of one pair of ids.
struct Shared {
  std::int64_t voxels = 0, sum_z = 0, sum_y = 0, sum_x = 0;
  std::array<std::int32_t, 3> low{kMost, kMost, kMost}, high{-1, -1, -1};

  Shared& operator+=(const Shared& other) {
    voxels += other.voxels;
    sum_z += other.sum_z;
    sum_y += other.sum_y;
    sum_x += other.sum_x;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      low[axis] = std::min(low[axis], other.low[axis]);
      high[axis] = std::max(high[axis], other.high[axis]);
    }
    return *this;
  }

 private:
  static constexpr std::int32_t kMost = std::numeric_limits<std::int32_t>::max();
};

struct Ids {
  std::int64_t truth = 0, result = 0;
  friend bool operator==(const Ids&, const Ids&) = default;
  friend auto operator<=>(const Ids&, const Ids&) = default;
};

struct HashOfIds {
  std::size_t operator()(const Ids& ids) const {
    // Neighbouring ids are spread by odd constants: the golden ratio, and a prime of similar size
    const auto mixed = static_cast<std::uint64_t>(ids.truth) * 0x9E3779B97F4A7C15u ^
                       static_cast<std::uint64_t>(ids.result) * 0xC2B2AE3D27D4EB4Fu;
    return static_cast<std::size_t>(mixed ^ mixed >> 32);
  }
};

/// The pairs of ids that one thread met, with their memory counted.
class Pairs {
 public:
  explicit Pairs(MemoryBudget& memory) : memory_{memory} {}

  /// The place stays where it is when other pairs are added.
  Shared& at(const Ids& ids) {
    const std::size_t hash = HashOfIds{}(ids);
    auto& [known, place] = recent_[hash % recent_.size()];
    if (place && known == ids) return *place;
    const auto [found, is_new] = pairs_.try_emplace(ids);
    if (is_new && pairs_.size() > counted_) count_more();
    known = ids;
    place = &found->second;
    return *place;
  }

  [[nodiscard]] const auto& all() const { return pairs_; }

  static constexpr std::int64_t kPairBytes =
      sizeof(std::pair<const Ids, Shared>) + 6 * sizeof(void*);

 private:
  void count_more() {
    counted_ = 2 * pairs_.size() + 1000;
    const auto more = static_cast<std::int64_t>(counted_) * kPairBytes;
    counted_bytes_ = {};
    counted_bytes_ = memory_.reserve(more, kWhat);
  }

  MemoryBudget& memory_;
  std::unordered_map<Ids, Shared, HashOfIds> pairs_;
  std::array<std::pair<Ids, Shared*>, 512> recent_{};
  std::size_t counted_ = 0;
  Reservation counted_bytes_;
};

/// Returns the end of the run of voxels from `from` on that agree in both rows.
template <class A, class B>
std::int64_t end_of_run(const A* a, const B* b, std::int64_t from, std::int64_t end) {
  constexpr std::int64_t kTogether = 32;
  const A in_a = a[from];
  const B in_b = b[from];
  std::int64_t i = from + 1;
  for (; i + kTogether <= end; i += kTogether) {
    A other_a = 0;
    B other_b = 0;
    for (std::int64_t k = i; k < i + kTogether; ++k) {
      other_a = static_cast<A>(other_a | (a[k] ^ in_a));
      other_b = static_cast<B>(other_b | (b[k] ^ in_b));
    }
    if (other_a != 0 || other_b != 0) break;
  }
  while (i < end && a[i] == in_a && b[i] == in_b) ++i;
  return i;
}

/// Calls `body` with a zero of the unsigned integer that has the size of a voxel.
template <class Body>
void visit_bits(PixelType type, Body&& body) {
  switch (size_of(type)) {
    case 1:
      return body(std::uint8_t{});
    case 2:
      return body(std::uint16_t{});
    case 4:
      return body(std::uint32_t{});
    default:
      return body(std::uint64_t{});
  }
}

/// A band of whole rows of one image.
class Band {
 public:
  Band(const LabelImage& image, std::int64_t rows, MemoryBudget& memory)
      : image_{image},
        type_{image.voxels.pixel_type()},
        bytes_{memory, rows * image.voxels.extent().x * size_of(type_), "a band of labels"} {}

  void read(const Box3& box) {
    box_ = box;
    image_.voxels.read(box, {bytes_.data(), type_, box.size});
  }

  /// As unsigned integers with the same bits.
  template <class Bits>
  [[nodiscard]] const Bits* row(std::int64_t row) const {
    return reinterpret_cast<const Bits*>(bytes_.data()) + row * box_.size.x;
  }

  /// @throws InvalidInput  the voxel holds no whole number.
  [[nodiscard]] std::int64_t id(std::int64_t row, std::int64_t x) const {
    const std::byte* const at = bytes_.data() + (row * box_.size.x + x) * size_of(type_);
    return visit_pixel_type(type_, [&]<class T>(T) -> std::int64_t {
      const T value = *reinterpret_cast<const T*>(at);
      if constexpr (std::is_floating_point_v<T>) require_whole(value, row, x);
      return static_cast<std::int64_t>(value);
    });
  }

 private:
  void require_whole(double value, std::int64_t row, std::int64_t x) const {
    constexpr double kLargest = 9007199254740992;  // 2^53: all whole numbers up to it are exact
    if (std::trunc(value) == value && std::abs(value) <= kLargest) return;
    throw InvalidInput(
        fmt::format("score {}: its voxel {} (z, y, x) holds {:g}, and labels are whole numbers up "
                    "to 2^53; give a label image, or compare images with --kind image",
                    image_.name, Index3{box_.origin.z, box_.origin.y + row, x}, value));
  }

  const LabelImage& image_;
  PixelType type_;
  HostBuffer<std::byte> bytes_;
  Box3 box_;
};

/// What a thread reads into and counts in.
struct Counter {
  Counter(const LabelImage& truth, const LabelImage& result, std::int64_t rows,
          MemoryBudget& memory)
      : truth_band{truth, rows, memory}, result_band{result, rows, memory}, pairs{memory} {}

  void count(const Box3& box) {
    truth_band.read(box);
    result_band.read(box);
    for (std::int64_t row = 0; row < box.size.y; ++row)
      count_row(row, box.origin.z, box.origin.y + row, box.size.x);
  }

  Band truth_band, result_band;
  Pairs pairs;
  PixelType truth_type{}, result_type{};

 private:
  void count_row(std::int64_t row, std::int64_t z, std::int64_t y, std::int64_t width) {
    visit_bits(truth_type, [&]<class A>(A) {
      visit_bits(result_type, [&]<class B>(B) {
        const A* const in_truth = truth_band.row<A>(row);
        const B* const in_result = result_band.row<B>(row);
        for (std::int64_t begin = 0, end = 0; begin < width; begin = end) {
          end = end_of_run(in_truth, in_result, begin, width);
          if (in_truth[begin] == 0 && in_result[begin] == 0) continue;
          add(Ids{truth_band.id(row, begin), result_band.id(row, begin)}, z, y, begin, end);
        }
      });
    });
  }

  void add(const Ids& ids, std::int64_t z, std::int64_t y, std::int64_t begin, std::int64_t end) {
    if (ids == Ids{}) return;  // one of them is the float -0
    const std::int64_t count = end - begin;
    const auto at = [](std::int64_t index) { return static_cast<std::int32_t>(index); };
    Shared run;
    run.voxels = count;
    run.sum_z = z * count;
    run.sum_y = y * count;
    run.sum_x = (begin + end - 1) * count / 2;
    run.low = {at(z), at(y), at(begin)};
    run.high = {at(z), at(y), at(end - 1)};
    pairs.at(ids) += run;
  }
};

void require_same_extent(const LabelImage& truth, const LabelImage& result) {
  const Extent3 a = truth.voxels.extent(), b = result.voxels.extent();
  if (a == b) return;
  throw InvalidSpec(
      fmt::format("score {}: it has {} voxels (z, y, x), and the truth {} has {}; give a result on "
                  "the grid of the truth",
                  result.name, b, truth.name, a));
}

/// Adds what two threads met to the figures of an object.
void add_to(LabelledObject& object, const Shared& shared) {
  const auto index = [](const std::array<std::int32_t, 3>& at) {
    return Index3{at[0], at[1], at[2]};
  };
  const Index3 low = index(shared.low), high = index(shared.high);
  const bool is_first = object.voxels == 0;
  object.low = is_first ? low
                        : Index3{std::min(object.low.z, low.z), std::min(object.low.y, low.y),
                                 std::min(object.low.x, low.x)};
  object.high = is_first ? high
                         : Index3{std::max(object.high.z, high.z), std::max(object.high.y, high.y),
                                  std::max(object.high.x, high.x)};
  object.voxels += shared.voxels;
  object.sum_z += shared.sum_z;
  object.sum_y += shared.sum_y;
  object.sum_x += shared.sum_x;
}

/// Returns the objects of one image, without the background.
template <class Pairs>
std::vector<LabelledObject> objects_in(const Pairs& pairs, std::int64_t Ids::*which) {
  std::map<std::int64_t, LabelledObject> objects;
  for (const auto& [ids, shared] : pairs)
    if (ids.*which != 0) add_to(objects[ids.*which], shared);
  std::vector<LabelledObject> list;
  list.reserve(objects.size());
  for (auto& [id, object] : objects) {
    object.id = id;
    list.push_back(object);
  }
  return list;
}

std::size_t place_of(std::int64_t id, const std::vector<LabelledObject>& objects) {
  const auto at = std::lower_bound(
      objects.begin(), objects.end(), id,
      [](const LabelledObject& object, std::int64_t of) { return object.id < of; });
  return static_cast<std::size_t>(at - objects.begin());
}

OverlapTable table_of(const std::map<Ids, Shared>& pairs, const Extent3& extent) {
  OverlapTable table;
  table.extent = extent;
  table.truth = objects_in(pairs, &Ids::truth);
  table.results = objects_in(pairs, &Ids::result);
  for (const auto& [ids, shared] : pairs)
    if (ids.truth != 0 && ids.result != 0)
      table.overlaps.push_back(
          {place_of(ids.truth, table.truth), place_of(ids.result, table.results), shared.voxels});
  return table;
}

}  // namespace

bool LabelledObject::touches_border(const Extent3& image) const {
  const auto touches = [](std::int64_t first, std::int64_t last, std::int64_t size) {
    return size > 1 && (first == 0 || last == size - 1);
  };
  return touches(low.z, high.z, image.z) || touches(low.y, high.y, image.y) ||
         touches(low.x, high.x, image.x);
}

OverlapTable overlap_of(const LabelImage& truth, const LabelImage& result,
                        const RunContext& context) {
  require_same_extent(truth, result);
  const Extent3 extent = truth.voxels.extent();
  const PixelType truth_type = truth.voxels.pixel_type(), result_type = result.voxels.pixel_type();
  const std::int64_t row_bytes = extent.x * std::max(size_of(truth_type), size_of(result_type));
  const std::int64_t rows = std::clamp<std::int64_t>(kBandBytes / row_bytes, 1, extent.y);
  const std::int64_t bands = (extent.y + rows - 1) / rows;

  std::vector<Counter> counters;
  counters.reserve(static_cast<std::size_t>(context.pool.threads()));
  for (int i = 0; i < context.pool.threads(); ++i) {
    counters.emplace_back(truth, result, rows, context.memory);
    counters.back().truth_type = truth_type;
    counters.back().result_type = result_type;
  }

  context.progress.begin("overlaps of labels", extent.z * bands);
  context.pool.for_each(extent.z * bands, [&](std::int64_t i) {
    context.stop.check();
    const std::int64_t y = i % bands * rows;
    counters[static_cast<std::size_t>(TaskPool::slot())].count(
        Box3{{i / bands, y, 0}, {1, std::min(rows, extent.y - y), extent.x}});
    context.progress.advance(1);
  });

  std::int64_t met = 0;
  for (const Counter& counter : counters) met += std::ssize(counter.pairs.all());
  // The table, the maps that it is made from, and what matching holds for each overlap
  constexpr std::int64_t kToMatch = 16 * sizeof(std::size_t) + 4 * sizeof(double);
  constexpr std::int64_t kBytesOfEach = Pairs::kPairBytes + sizeof(Overlap) +
                                        4 * sizeof(LabelledObject) + 16 * sizeof(void*) + kToMatch;
  Reservation counted = context.memory.reserve(met * kBytesOfEach, kWhat);
  std::map<Ids, Shared> pairs;
  for (const Counter& counter : counters)
    for (const auto& [ids, shared] : counter.pairs.all()) pairs[ids] += shared;
  OverlapTable table = table_of(pairs, extent);
  table.counted = std::move(counted);
  return table;
}

}  // namespace synthoscope::score
