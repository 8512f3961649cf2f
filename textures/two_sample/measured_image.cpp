// SPDX-License-Identifier: MIT
#include "textures/two_sample/measured_image.hpp"
#include <algorithm>

namespace synthoscope::textures {
namespace {

constexpr std::size_t kMostGroups = 4;

/// Returns the rows of every group of a set: of each image that a group has, or of the halves of
/// the only one.
std::vector<Rows> grouped_rows(const ImageList& images, std::size_t groups) {
  if (images.size() == 1) {
    auto halves = halves_of(*images.front());
    std::vector<Rows> rows(groups);
    for (std::size_t i = 0; i < groups; ++i) rows[i] = halves[i % 2];
    return rows;
  }
  std::vector<Rows> rows(groups);
  for (std::size_t i = 0; i < images.size(); ++i) {
    Rows& group = rows[i % groups];
    group.columns = images[i]->statistics.columns;
    group.add(images[i]->statistics);
  }
  return rows;
}

void append_rows(const Rows& from, bool is_synthetic, Rows& to, std::vector<char>& kinds) {
  to.columns = std::max(to.columns, from.columns);
  to.add(from);
  kinds.insert(kinds.end(), from.count(), is_synthetic ? 1 : 0);
}

bool has_two_of_each(const std::vector<char>& kinds) {
  const auto synthetic = std::count(kinds.begin(), kinds.end(), char{1});
  return synthetic >= 2 && std::ssize(kinds) - synthetic >= 2;
}

}  // namespace

std::array<Rows, 2> halves_of(const MeasuredImage& image) {
  std::array<Rows, 2> halves;
  for (Rows& half : halves) half.columns = image.statistics.columns;
  if (image.corners.empty()) return halves;
  std::array<std::int64_t, 2> low = image.corners.front(), high = low;
  for (const auto& corner : image.corners)
    for (std::size_t axis = 0; axis < 2; ++axis) {
      low[axis] = std::min(low[axis], corner[axis]);
      high[axis] = std::max(high[axis], corner[axis]);
    }
  const std::size_t axis = high[1] - low[1] > high[0] - low[0] ? 1 : 0;
  const std::int64_t twice_middle = low[axis] + high[axis];
  for (std::size_t i = 0; i < image.patches(); ++i) {
    const std::int64_t from_middle = 2 * image.corners[i][axis] - twice_middle;
    if (from_middle <= -image.side) halves[0].add(image.statistics.row(i));
    if (from_middle >= image.side) halves[1].add(image.statistics.row(i));
  }
  return halves;
}

bool LearningTask::is_possible() const {
  return has_two_of_each(train_is_synthetic) && has_two_of_each(test_is_synthetic);
}

std::vector<LearningTask> learning_tasks(const ImageList& real, const ImageList& synthetic) {
  const std::size_t fewest = std::min(real.size(), synthetic.size());
  const std::size_t groups = fewest < 2 ? 2 : std::min(kMostGroups, fewest);
  const std::vector<Rows> of_real = grouped_rows(real, groups);
  const std::vector<Rows> of_synthetic = grouped_rows(synthetic, groups);
  std::vector<LearningTask> tasks(groups);
  for (std::size_t i = 0; i < groups; ++i)
    for (std::size_t group = 0; group < groups; ++group)
      for (const bool is_synthetic : {false, true}) {
        LearningTask& task = tasks[i];
        const Rows& rows = (is_synthetic ? of_synthetic : of_real)[group];
        if (group == i)
          append_rows(rows, is_synthetic, task.test, task.test_is_synthetic);
        else
          append_rows(rows, is_synthetic, task.train, task.train_is_synthetic);
      }
  return tasks;
}

}  // namespace synthoscope::textures
