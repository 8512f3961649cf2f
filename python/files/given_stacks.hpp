// SPDX-License-Identifier: MIT
// python/files/given_stacks.hpp — image, kernel and result of a call: names of files, or arrays.
#pragma once
#include <nanobind/nanobind.h>
#include <filesystem>
#include <optional>
#include <string>
#include "core/base/log.hpp"
#include "core/stream/memory_stream.hpp"
#include "jobs/convolve/job_files.hpp"
#include "python/files/array_stream.hpp"
#include "python/session/arrays.hpp"

namespace synthoscope::python {

/// What a call reads and makes. Jobs refer to it: it stays where it is until they have ended.
class GivenStacks {
 public:
  /// Needs the interpreter's lock, here and where it goes.
  /// @param kernel  a name, or a tuple: an array (z, y, x) in memory, and the voxel (z, y, x) that
  ///                is its centre, or None
  /// @param call    for people: "convolve"
  /// @throws InvalidSpec  an array cannot be used.  @throws PlanError  `memory` has no room for it.
  GivenStacks(const nanobind::object& image, const nanobind::object& kernel,
              const nanobind::object& result, const std::string& call, MemoryBudget& memory);
  GivenStacks(const GivenStacks&) = delete;
  GivenStacks& operator=(const GivenStacks&) = delete;

  /// Sets image, kernel and result of a job.
  template <class Job>
  void put_into(Job& job) {
    job.image = image_stack_;
    job.kernel = kernel_stack_;
    job.output = result_file_;
    if (result_) job.sink = &*result_;
  }

  /// Type of the voxels of the result, if it is an array.
  [[nodiscard]] std::optional<PixelType> result_type() const;

  /// Warns of arrays that take long for want of memory.
  void warn_of_slowness(Log& log) const;

 private:
  std::optional<ArraySource> image_;
  std::optional<ReadArray> kernel_voxels_;  ///< they lie in memory whole
  std::optional<MemorySource> kernel_;
  std::optional<ArraySink> result_;
  jobs::Stack image_stack_, kernel_stack_;
  std::filesystem::path result_file_;
};

}  // namespace synthoscope::python
