// SPDX-License-Identifier: MIT
// fftconv/device/passes/placing.hpp — positions of a plane's voxels in its transform, as tables for
// a device.
#pragma once
#include <cstdint>
#include <vector>
#include "fftconv/axis.hpp"
#include "fftconv/device/code/arguments.hpp"

namespace synthoscope::fftconv::device {

/// How rows of voxels come to their places along x; source indices count from `begin`.
struct RowPlacing {
  Placing placing = Placing::front;
  std::int64_t begin = 0, count = 0;  ///< voxels of a source row that are read
  std::vector<int> columns;           ///< RowsForward::columns where they are listed
};

RowPlacing row_placing(const std::vector<IndexRun>& x_runs, std::int64_t length);

/// Which rows of a plane are read, and their positions along y.
struct PlanePlacing {
  std::int64_t begin = 0, count = 0;  ///< rows of a source plane that are read
  std::vector<PlacedRow> rows;        ///< source rows from `begin` on
  Choice there = Choice::front;       ///< positions with a row
  std::vector<int> slots;             ///< Elements::slots where they are listed
};

PlanePlacing plane_placing(const std::vector<IndexRun>& y_runs, std::int64_t length);

}  // namespace synthoscope::fftconv::device
