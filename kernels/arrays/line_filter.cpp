// SPDX-License-Identifier: MIT
#include "kernels/arrays/line_filter.hpp"
#include <algorithm>
#include <array>
#include <vector>
#include "core/base/round_up.hpp"
#include "kernels/lanes/counted_doubles.hpp"

namespace synthoscope::kernels {
namespace {

// Most doubles of a thread, so that a second-level cache holds them
constexpr std::int64_t kCachedDoubles = 96 * 1024;
constexpr std::int64_t kMaxLanes = 256, kFewLanes = 8;
// Gathered lines: how many if made step by step, elements of a short line, elements of short lines
constexpr std::int64_t kGathered = 16, kShortLine = 16, kGatheredElements = 512;
// A task of short lines has this many elements
constexpr std::int64_t kTaskElements = 16 * 1024;
// Elements of a line that are gathered at once: their rows of lanes stay in the first-level cache
constexpr std::int64_t kChunk = 64;

/// How the lines of an array are grouped: as neighbours, or gathered from anywhere if few are
/// neighbours and vectors need several lines.
struct Groups {
  Groups(const LineFilter& filter, const Extent3& extent) : array{extent}, reach{filter.reach()} {
    keeps_lines = !filter.works_in_place();
    const bool is_short = array.x * array.y <= kShortLine;
    is_gathered = (is_short || filter.goes_step_by_step()) && array.x < kFewLanes &&
                  array.z * array.x >= kFewLanes;
    if (is_gathered) {
      const std::int64_t wanted =
          is_short ? std::clamp(kGatheredElements / line_elements(), kGathered, kMaxLanes)
                   : kGathered;
      lanes = std::min(wanted / kFewLanes * kFewLanes, array.z * array.x);
      count = parts_of(array.z * array.x, lanes);
      return;
    }
    const std::int64_t of_lane = line_elements() + (keeps_lines ? array.y : 0);
    const std::int64_t fitting = kCachedDoubles / of_lane / kFewLanes * kFewLanes;
    lanes = std::min(array.x, std::clamp(fitting, kFewLanes, kMaxLanes));
    count = array.z * parts_of(array.x, lanes);
  }

  [[nodiscard]] std::int64_t line_elements() const { return reach.before + array.y + reach.behind; }
  /// Return the doubles of the lines, and with their results if these are separate.
  [[nodiscard]] std::int64_t line_doubles() const {
    return round_up(line_elements() * lanes, std::int64_t{8});
  }
  [[nodiscard]] std::int64_t doubles() const {
    return line_doubles() + (keeps_lines ? round_up(array.y * lanes, std::int64_t{8}) : 0);
  }
  /// Returns the groups that a thread takes at once.
  [[nodiscard]] std::int64_t grain() const {
    return std::max<std::int64_t>(1, kTaskElements / (array.y * lanes));
  }

  Extent3 array;
  LineFilter::Reach reach;
  std::int64_t lanes = 1, count = 0;
  bool is_gathered = false;
  bool keeps_lines = false;  ///< results are separate
};

/// The position of the lines of a group.
struct Group {
  Group(const Groups& groups, std::int64_t number) : array{groups.array} {
    is_gathered = groups.is_gathered;
    if (is_gathered) {
      first = number * groups.lanes;
      lanes = std::min(groups.lanes, array.z * array.x - first);
    } else {
      const std::int64_t parts = parts_of(array.x, groups.lanes);
      const std::int64_t x = number % parts * groups.lanes;
      lanes = std::min(groups.lanes, array.x - x);
      first = number / parts * array.x + x;
    }
  }

  /// Returns the index of the first element of lane `l`.
  [[nodiscard]] std::int64_t begin(std::int64_t l) const {
    const std::int64_t line = first + l;
    return line / array.x * array.y * array.x + line % array.x;
  }
  /// Returns whether all elements are contiguous.
  [[nodiscard]] bool is_one_piece() const { return !is_gathered && lanes == array.x; }

  Extent3 array;
  std::int64_t first, lanes;
  bool is_gathered;
};

template <class T>
void convert(VectorLevel level, const T* from, std::int64_t count, double* to) {
  vectorised(level, [=]() SYNTHOSCOPE_INLINE {
    for (std::int64_t i = 0; i < count; ++i) to[i] = static_cast<double>(from[i]);
  });
}

template <class T>
void read_lines(const Group& group, VectorLevel level, const T* from, double* lines) {
  const std::int64_t n = group.array.y, step = group.array.x, lanes = group.lanes;
  if (group.is_one_piece()) return convert(level, from + group.begin(0), n * lanes, lines);
  if (!group.is_gathered) {
    const T* const first = from + group.begin(0);
    for (std::int64_t i = 0; i < n; ++i) convert(level, first + i * step, lanes, lines + i * lanes);
    return;
  }
  for (std::int64_t chunk = 0; chunk < n; chunk += kChunk)
    for (std::int64_t l = 0; l < lanes; ++l) {
      const T* const line = from + group.begin(l);
      const std::int64_t end = std::min(n, chunk + kChunk);
      for (std::int64_t i = chunk; i < end; ++i)
        lines[i * lanes + l] = static_cast<double>(line[i * step]);
    }
}

template <class T>
void write_lines(const Group& group, const LineSetting& setting, const double* results, T* to) {
  const std::int64_t n = group.array.y, step = group.array.x, lanes = group.lanes;
  const auto store = [&](const double* row, std::int64_t count, T* there) {
    store_row(setting.level, row, count, setting.storing, there);
  };
  if (group.is_one_piece()) return store(results, n * lanes, to + group.begin(0));
  if (!group.is_gathered) {
    T* const first = to + group.begin(0);
    for (std::int64_t i = 0; i < n; ++i) store(results + i * lanes, lanes, first + i * step);
    return;
  }
  std::array<double, kChunk> row;
  std::array<T, kChunk> stored;
  for (std::int64_t chunk = 0; chunk < n; chunk += kChunk)
    for (std::int64_t l = 0; l < lanes; ++l) {
      const std::int64_t count = std::min(n - chunk, kChunk);
      for (std::int64_t i = 0; i < count; ++i)
        row[static_cast<std::size_t>(i)] = results[(chunk + i) * lanes + l];
      store(row.data(), count, stored.data());
      T* const line = to + group.begin(l) + chunk * step;
      for (std::int64_t i = 0; i < count; ++i) line[i * step] = stored[static_cast<std::size_t>(i)];
    }
}

/// Continues lines before their first and after their last element.
class Continuation {
 public:
  Continuation(const LineFilter::Reach& reach, std::int64_t length, const LineSetting& setting)
      : before_{reach.before}, length_{length}, fill_{setting.fill} {
    for (std::int64_t i = -reach.before; i < length + reach.behind; ++i) {
      if (i == 0) i = length;
      if (i < length + reach.behind) at_.push_back(mapped_index(setting.boundary, i, length));
    }
  }

  void add_to(const LinesSideBySide& lines) const {
    for (std::size_t number = 0; number < at_.size(); ++number) {
      const auto k = static_cast<std::int64_t>(number);
      double* const row = lines.first + (k < before_ ? k : k + length_) * lines.lanes;
      if (at_[number] == kOutside)
        std::fill_n(row, lines.lanes, fill_);
      else
        std::copy_n(lines.first + (before_ + at_[number]) * lines.lanes, lines.lanes, row);
    }
  }

 private:
  std::int64_t before_, length_;
  double fill_;
  std::vector<std::int64_t> at_;  ///< elements to copy there, those before the line first
};

}  // namespace

std::int64_t line_bytes(const LineFilter& filter, const Extent3& array, int threads) {
  return threads * Groups{filter, array}.doubles() * std::int64_t{sizeof(double)};
}

void filter_lines(const LineFilter& filter, const LineSetting& setting, const ConstVoxelView& from,
                  const VoxelView& to, const RunContext& context) {
  SYNTHOSCOPE_ASSERT(to.extent(), ==, from.extent());
  const StopScope stops{context.stop};
  const Groups groups{filter, from.extent()};
  const HostBuffer<double> scratch =
      counted_doubles(context.memory, context.pool.threads() * groups.doubles(), "filter lines");
  const Continuation continuation{groups.reach, from.extent().y, setting};
  context.pool.for_ranges(groups.count, groups.grain(), [&](std::int64_t begin, std::int64_t end) {
    double* const lines = scratch.data() + TaskPool::slot() * groups.doubles();
    double* const results = groups.keeps_lines ? lines + groups.line_doubles() : lines;
    for (std::int64_t number = begin; number < end; ++number) {
      const Group group{groups, number};
      const LinesSideBySide side_by_side{lines, groups.line_elements(), group.lanes};
      visit_pixel_type(from.type(), [&](auto zero) {
        read_lines(group, setting.level, from.as<decltype(zero)>().data(),
                   lines + groups.reach.before * group.lanes);
      });
      continuation.add_to(side_by_side);
      filter.make(side_by_side, from.extent().y, results, setting.level);
      visit_pixel_type(to.type(), [&](auto zero) {
        write_lines(group, setting, results, to.as<decltype(zero)>().data());
      });
    }
  });
}

}  // namespace synthoscope::kernels
