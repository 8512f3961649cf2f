// SPDX-License-Identifier: MIT
#include "multigpu/shard.hpp"
#include <fmt/format.h>
#include <charconv>
#include <cstdlib>
#include "core/base/error.hpp"

namespace synthoscope::multigpu {
namespace {

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// Variables that tell a process which one of how many it is.
struct JobKind {
  const char *number, *count, *first, *step;  ///< the last two may be null: from 0, in ones
};
constexpr JobKind kJobKinds[] = {
    {"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT", "SLURM_ARRAY_TASK_MIN",
     "SLURM_ARRAY_TASK_STEP"},
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", nullptr, nullptr},
    {"PMI_RANK", "PMI_SIZE", nullptr, nullptr},
    {"SLURM_PROCID", "SLURM_NTASKS", nullptr, nullptr},
};

std::optional<Shard> shard_of_job(const JobKind& job, const Environment& environment) {
  const auto number_in = [&](const char* name, std::int64_t otherwise) {
    const auto text = name ? environment(name) : std::nullopt;
    return text ? whole_number(*text) : std::optional{otherwise};
  };
  if (!environment(job.number) || !environment(job.count)) return std::nullopt;
  const auto number = number_in(job.number, 0), count = number_in(job.count, 0),
             first = number_in(job.first, 0), step = number_in(job.step, 1);
  if (!number || !count || !first || !step || *step < 1) return std::nullopt;
  const Shard shard{(*number - *first) / *step + 1, *count};
  if (shard.number < 1 || shard.number > shard.count) return std::nullopt;
  return shard;
}

}  // namespace

Environment process_environment() {
  return [](const char* name) -> std::optional<std::string> {
    const char* const value = std::getenv(name);
    return value ? std::optional<std::string>{value} : std::nullopt;
  };
}

Shard shard_named(std::string_view text, const Environment& environment) {
  if (text == "auto") {
    for (const JobKind& job : kJobKinds)
      if (const auto shard = shard_of_job(job, environment)) return *shard;
    throw InvalidSpec(
        "'auto' finds no shard: this is neither a task of a Slurm array nor a rank of an MPI or "
        "Slurm job; write which of how many this process is, such as --shard 1/4");
  }
  const auto slash = text.find('/');
  const auto number = whole_number(text.substr(0, slash));
  const auto count =
      slash == std::string_view::npos ? std::nullopt : whole_number(text.substr(slash + 1));
  if (!number || !count || *number < 1 || *number > *count)
    throw InvalidSpec(fmt::format(
        "'{}' is not a shard; write I/N with I from 1 to N, such as 3/8, or auto", text));
  return {*number, *count};
}

IntervalSet ShardSteps::to_do(std::int64_t all) const {
  const IntervalSet wanted = whole_.to_do(all), others = IntervalSet{{0, all}}.without(wanted);
  return IntervalSet{share_of(shard_, all)}.without(others);
}

}  // namespace synthoscope::multigpu
