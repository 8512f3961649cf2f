// SPDX-License-Identifier: MIT
// python/files/run_job.hpp — carries out a job on files or arrays, and makes its report.
#pragma once
#include <nanobind/nanobind.h>
#include <string>
#include <utility>
#include <vector>
#include "core/base/stopwatch.hpp"
#include "core/volume/box.hpp"
#include "imageio/run/run_files.hpp"
#include "jobs/machine/workspace.hpp"
#include "jobs/output/job_listener.hpp"
#include "python/files/given_stacks.hpp"
#include "python/session/session.hpp"

namespace synthoscope::python {

/// Names the function of Python in the record of a result.
class CallListener final : public jobs::JobListener {
 public:
  explicit CallListener(std::string function) : function_{std::move(function)} {}
  [[nodiscard]] std::vector<std::string> command_line() const override { return {function_}; }

 private:
  std::string function_;
};

/// Runs a job that has the stacks of a call, in a session.
/// @param Run       of jobs: has plan() and make()
/// @param files     the names of the job (name_files)
/// @param function  of Python: "synthoscope.convolve_file"
/// @throws what the Run does
template <class Run, class Job>
auto run_job(const Job& job, const GivenStacks& stacks, imageio::RunFiles& files,
             const char* function, Stopwatch& watch, const RunContext& context) {
  stacks.warn_of_slowness(context.log);
  files.check();
  jobs::Workspace workspace{context, bytes_of_cuda(job.gpu), watch};
  Run run{job, files, workspace};
  static_cast<void>(run.plan());
  return run.make(CallListener{function});
}

/// (z, y, x), of an extent or a voxel.
template <class Triple>
nanobind::tuple tuple_of(const Triple& triple) {
  return nanobind::make_tuple(triple.z, triple.y, triple.x);
}

/// Puts the seconds of a call and of its stages into a report.
inline void put_times(const Stages& stages, double total, nanobind::dict& report) {
  nanobind::dict seconds;
  for (const auto& [stage, wall] : stages) seconds[stage.c_str()] = wall;
  report["wall_seconds"] = total;
  report["stages"] = seconds;
}

/// The same for the whole call.
inline void put_times(const Stopwatch& watch, nanobind::dict& report) {
  put_times(watch.stages(), watch.total(), report);
}

}  // namespace synthoscope::python
