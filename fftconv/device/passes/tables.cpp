// SPDX-License-Identifier: MIT
#include "fftconv/device/passes/tables.hpp"

namespace synthoscope::fftconv::device {
namespace {

/// The first positions, in order, each from the next source index.
bool is_front(const std::vector<IndexRun>& runs) {
  return runs.size() == 1 && runs.front().position == 0 && runs.front().step == 1 &&
         !runs.front().negative;
}

}  // namespace

RowPlacing row_placing(const std::vector<IndexRun>& x_runs, std::int64_t length) {
  RowPlacing placing;
  const SourceRange range = range_of(x_runs);
  placing.begin = range.begin;
  placing.count = range.end - range.begin;
  if (is_front(x_runs)) {
    placing.placing = placing.count == length ? Placing::whole : Placing::front;
    return placing;
  }
  placing.placing = Placing::listed;
  placing.columns.assign(static_cast<std::size_t>(length), 0);
  for (const IndexRun& run : x_runs)
    for (std::int64_t i = 0; i < run.count; ++i) {
      const auto column = static_cast<int>(run.source + i * run.step - range.begin + 1);
      placing.columns[static_cast<std::size_t>(run.position + i)] = run.negative ? -column : column;
    }
  return placing;
}

PlanePlacing plane_placing(const std::vector<IndexRun>& y_runs, std::int64_t length) {
  PlanePlacing placing;
  const SourceRange range = range_of(y_runs);
  placing.begin = range.begin;
  placing.count = range.end - range.begin;
  placing.slots.assign(static_cast<std::size_t>(length), -1);
  placing.sources = placing.slots;
  for (const IndexRun& run : y_runs)
    for (std::int64_t i = 0; i < run.count; ++i) {
      const auto position = static_cast<int>(run.position + i);
      placing.rows.push_back({static_cast<int>(run.source + i * run.step - range.begin), position});
      placing.slots[static_cast<std::size_t>(position)] = position;
      placing.sources[static_cast<std::size_t>(position)] = placing.rows.back().source;
    }
  placing.placed = !is_front(y_runs)         ? Choice::listed
                   : placing.count == length ? Choice::all
                                             : Choice::front;
  // Rows are brought to their positions before columns are taken: only gaps matter here
  const auto count = static_cast<std::size_t>(placing.rows.size());
  bool without_gaps = true;
  for (std::size_t i = 0; i < count; ++i) without_gaps = without_gaps && placing.slots[i] >= 0;
  placing.loaded = !without_gaps                   ? Choice::listed
                   : count == placing.slots.size() ? Choice::all
                                                   : Choice::front;
  return placing;
}

}  // namespace synthoscope::fftconv::device
