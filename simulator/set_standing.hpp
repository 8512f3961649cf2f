// SPDX-License-Identifier: MIT
// simulator/set_standing.hpp — whether a data set lies there already, whole and as it would be
// made.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>
#include "core/base/json.hpp"
#include "core/base/log.hpp"
#include "core/run/task_pool.hpp"
#include "fftconv/plan.hpp"
#include "simulator/pipeline.hpp"
#include "simulator/scene_inputs.hpp"

namespace synthoscope::simulator {

/// What is looked at of the files of a set: their sizes, or also what they hold, which reads them
/// once.
enum class FileCheck { sizes, content };

/// absent: nothing has the name. finished: scene.json says what it would say now, and every file is
/// there with the bytes that it had when all were renamed into place. other: anything else.
struct SetStanding {
  enum class Kind { absent, finished, other };
  Kind kind = Kind::absent;
  std::string difference;        ///< of another: the first, as "its psf.tif is missing"
  bool is_blurred_alike = true;  ///< finished: where the plan runs, and as it cuts
};

/// What scene.json says of `scene` when it is blurred by `plans`, one for each of its images, but
/// for the sizes of files; and the files. @throws what SceneInputs::record throws.
struct ExpectedSet {
  Json record;
  DataSetLayout layout;
};
ExpectedSet expected_set(const SceneSpec& scene, const SimulateOptions& options,
                         const std::vector<fftconv::Plan>& plans, SceneInputs& inputs,
                         TaskPool& pool);

/// What of a blur the machine chooses where `options` do not demand it: "where", "strategy",
/// "transform".
std::vector<std::string> free_choices(const SimulateOptions& options);

/// The values of a record of a set that do not change with those choices, in a few digits.
std::string digest_of(Json record, const std::vector<std::string>& choices);

/// Of `options.directory`, for `scene` with its seed when it is blurred by `plans`. Where and in
/// which pieces it was blurred is asked as far as `options` demand it: results agree within
/// rounding, and what is chosen depends on the memory and the GPU that there are.
/// @throws what SceneInputs::record throws.
SetStanding standing_of(const SceneSpec& scene, const SimulateOptions& options,
                        const std::vector<fftconv::Plan>& plans, SceneInputs& inputs,
                        TaskPool& pool, FileCheck check = FileCheck::content);

/// The first value in which two records differ, as "scene.optics.na was 1 and is 1.1 now".
std::string difference_of(const Json& was, const Json& is);

/// What a record says of the files of its set, which is known only when all is made.
struct FileFacts {
  Json bytes = Json::object(), xxh64 = Json::object();  ///< by the name of the file
};

/// Takes them out of a record; empty objects if it has none.
FileFacts taken_facts(Json& record);

/// What is wrong with a file of a set, or a folder that is an image; empty if nothing is.
/// @throws Interrupted  `stop` was requested.
std::string problem_of_file(const std::filesystem::path& folder, const std::string& file,
                            const FileFacts& facts, FileCheck check, const StopFlag* stop);

/// For a folder that is neither to be kept nor to be overwritten.
/// @throws InvalidSpec  `attempt`, which "go on with x" says, and why it is refused.
[[noreturn]] void refuse_other(const std::string& attempt, const SetStanding& standing);

/// What a small file holds; nothing where it cannot be read.
std::string text_in(const std::filesystem::path& path);

/// The seed of the record `file`, scene.json or sweep.json; none if it has none.
std::optional<std::int64_t> recorded_seed(const std::filesystem::path& file);

/// The seed that a run that goes on takes: `given`, or else the one that an earlier run recorded in
/// `file`, which is told.
std::optional<std::int64_t> seed_to_go_on_with(const std::optional<std::int64_t>& given,
                                               const std::filesystem::path& file, Log& log);

}  // namespace synthoscope::simulator
