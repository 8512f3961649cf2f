// SPDX-License-Identifier: MIT
// simulator/share/data_set_state.hpp — whether a data set exists already, whole and as it would be
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
#include "simulator/data_set/simulate_options.hpp"
#include "simulator/scene/file/inputs.hpp"

namespace synthoscope::simulator {

/// What is checked of the files of a set: their sizes, or also their content, which reads them
/// once.
enum class FileCheck { sizes, content };

/// The state of a data set. absent: nothing has the name. finished: scene.json has the content that
/// it would have now, and every file has the bytes that it had when all were renamed into place.
/// other: anything else.
struct DataSetState {
  enum class Kind { absent, finished, other };
  Kind kind = Kind::absent;
  std::string difference;        ///< other: the first one, as "its psf.tif is missing"
  bool is_blurred_alike = true;  ///< finished: on the device and in the pieces of the plan
};

/// What scene.json says of `scene` when it is blurred by `plans`, one for each of its images,
/// without sizes and hashes of files; and the files. @throws what SceneInputs::record throws.
struct ExpectedSet {
  Json record;
  DataSetLayout layout;
};
ExpectedSet expected_set(const SceneSpec& scene, const SimulateOptions& options,
                         const std::vector<fftconv::Plan>& plans, SceneInputs& inputs,
                         TaskPool& pool);

/// Returns the properties of a blur that the machine chooses unless `options` demand them: "where",
/// "strategy", "transform", "fft".
std::vector<std::string> free_choices(const SimulateOptions& options);

/// Returns a hash, 16 hexadecimal digits, of the record of a set without those choices.
std::string digest_of(Json record, const std::vector<std::string>& choices);

/// Returns the state of `options.directory`, for `scene` with its seed when it is blurred by
/// `plans`. The device and the pieces of the blur are compared only as far as `options` demand
/// them: results agree within rounding, and the automatic choice depends on the memory and the GPU.
/// @throws what SceneInputs::record throws.
DataSetState data_set_state_of(const SceneSpec& scene, const SimulateOptions& options,
                               const std::vector<fftconv::Plan>& plans, SceneInputs& inputs,
                               TaskPool& pool, FileCheck check = FileCheck::content);

/// Returns the first value in which two records differ, as "scene.optics.na was 1 and is 1.1 now".
std::string difference_of(const Json& was, const Json& is);

/// What a record says of the files of its set, which is known only when all are made.
struct FileFacts {
  Json bytes = Json::object(), xxh64 = Json::object();  ///< by the name of the file
};

/// Removes the facts from a record and returns them; empty objects if it has none.
FileFacts taken_facts(Json& record);

/// Returns what is wrong with a file of a set, or a folder that is an image; empty if nothing is.
/// @throws Interrupted  `stop` was requested.
std::string problem_of_file(const std::filesystem::path& folder, const std::string& file,
                            const FileFacts& facts, FileCheck check, const StopFlag* stop);

/// Refuses a folder that is neither kept nor overwritten.
/// @throws InvalidSpec  with `attempt`, the start of the message, and the reason.
[[noreturn]] void refuse_other(const std::string& attempt, const DataSetState& state);

/// Returns the content of a small file; empty if it does not exist. @throws as imageio::read_text.
std::string text_in(const std::filesystem::path& path);

/// Returns the seed of the record `file`, scene.json or sweep.json; nothing if it has none.
std::optional<std::int64_t> recorded_seed(const std::filesystem::path& file);

/// Returns the seed for a resumed run: `given`, or otherwise the one that an earlier run recorded
/// in `file`, which is logged.
std::optional<std::int64_t> seed_to_resume(const std::optional<std::int64_t>& given,
                                           const std::filesystem::path& file, Log& log);

}  // namespace synthoscope::simulator
