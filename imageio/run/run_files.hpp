// SPDX-License-Identifier: MIT
// imageio/run/run_files.hpp — the names of all files that a run reads, writes or removes, which are
// compared before the run begins.
#pragma once
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>
#include "imageio/create.hpp"
#include "imageio/run/input_identity.hpp"

namespace synthoscope::imageio {

/// The names of all files of a run. A role is a noun for messages: "kernel", "labels".
///
/// Names are compared by the files that they refer to: links are followed, hard links are one file,
/// a path that does not exist yet is compared by its name in its folder, and a folder includes
/// everything below it. Data sets of one HDF5 file are one file.
class RunFiles {
 public:
  /// Adds a file or folder that the run reads and must not overwrite, and notes its present state.
  /// Ignores an empty path.
  void add_input(const std::string& role, const std::filesystem::path& path);
  void add_input(const std::string& role, const std::vector<std::filesystem::path>& paths);

  /// Adds all files of an image that was opened as `given`.
  void add_input_image(const std::string& role, const std::filesystem::path& given,
                       const ImageInfo& info);

  /// As add_input(), for a command that only prints what it reads: the file may change during the
  /// run.
  void add_reference(const std::string& role, const std::filesystem::path& path);

  /// Hashes an input that was read completely, such as a scene. The file may change from now on.
  void finish_input(const std::filesystem::path& path) { inputs_.record_now(path); }

  /// Returns all inputs, which are compared before the result gets its name, and recorded.
  [[nodiscard]] const InputsAsRead& inputs() const { return inputs_; }

  /// Adds a file that appears whole under its name, and is NAME.partial until then.
  void add_output_file(const std::string& role, const std::filesystem::path& path);

  /// Adds an image, its record, and all files that are written next to it until it is whole.
  void add_output_image(const std::string& role, const std::filesystem::path& output,
                        FileFormat format);

  /// Adds an image that is called `before` until it is certified.
  void add_certified_output(const std::filesystem::path& output,
                            const std::filesystem::path& before, FileFormat format);

  /// Adds a folder that appears whole under its name, and the files of shards next to it.
  void add_output_folder(const std::string& role, const std::filesystem::path& folder);

  /// Adds the names next to `path` that belong to an unfinished result of any kind. Does not check
  /// the files that have these names.
  void add_continued(const std::filesystem::path& path);

  /// Adds a log file, to which lines are appended.
  void add_log(const std::filesystem::path& path);

  /// @throws InvalidSpec  a name that is written is also read, or has two roles; or a file of
  ///                      another program has the name of an unfinished file of the run. The
  ///                      message names both.
  void check() const;

 private:
  enum class Use { read, made, passing, log };  ///< passing: until what is made is whole
  /// All paths below the name; for `family` also NAME.* in the same folder.
  enum class Reach { below, family };
  enum class Content { any, record, certified, partial_file, partial_folder };
  struct Entry {
    std::filesystem::path path, output;  ///< `output`: what the name belongs to
    std::string role;
    Use use = Use::read;
    Reach reach = Reach::below;
    Content content = Content::any;
    std::size_t owner = 0;  ///< names of one owner do not conflict
    std::string key = {};   ///< the path without links
  };

  void add(Entry entry);
  void add_growing(const Entry& made, bool is_folder = false);
  void add_image(const std::string& role, const std::filesystem::path& output, FileFormat format);
  enum class Relation { equal, inside, around };
  static bool may_hold(const Entry& outer);
  static bool is_chosen(Use first, Use second);
  static std::string conflict_of(const Entry& chosen, const Entry& other, Relation relation);
  static void require_apart(const Entry& outer, const Entry& inner, bool is_one_file);
  static void require_ours(const Entry& entry);

  std::vector<Entry> entries_;
  InputsAsRead inputs_;
  std::size_t owners_ = 0;
};

}  // namespace synthoscope::imageio
