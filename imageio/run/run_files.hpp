// SPDX-License-Identifier: MIT
// imageio/run/run_files.hpp — every name that a run reads, makes, uses on the way or removes:
// compared before anything happens.
#pragma once
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>
#include "imageio/create.hpp"
#include "imageio/run/input_identity.hpp"

namespace synthoscope::imageio {

/// The names of one run. A role is a noun that messages use: "kernel", "labels".
///
/// Names are compared by what they lead to: links are followed, hard links are one file, a path
/// that does not exist yet is compared by its name in the folder that holds it, and a folder holds
/// what lies below it. Data sets of one HDF5 file are one file.
class RunFiles {
 public:
  /// A file or folder that the run reads and must not overwrite. Its state now is noted. An empty
  /// path is ignored.
  void add_input(const std::string& role, const std::filesystem::path& path);
  void add_input(const std::string& role, const std::vector<std::filesystem::path>& paths);

  /// All files of an image that was opened as `given`.
  void add_input_image(const std::string& role, const std::filesystem::path& given,
                       const ImageInfo& info);

  /// The same as add_input(), for a run that makes nothing of `path`: it may change.
  void add_reference(const std::string& role, const std::filesystem::path& path);

  /// A small file that was named by add_input() and is read now: from here on it may change.
  void finish_input(const std::filesystem::path& path) { inputs_.record_now(path); }

  /// Everything that the run reads: to be compared before its result gets its name, and recorded.
  [[nodiscard]] const InputsAsRead& inputs() const { return inputs_; }

  /// A file that appears whole under its name. It grows as NAME.partial.
  void add_output_file(const std::string& role, const std::filesystem::path& path);

  /// An image, with its record, and with all that is written next to it until it is whole.
  void add_output_image(const std::string& role, const std::filesystem::path& output,
                        FileFormat format);

  /// An image that gets its name when it is certified: until then it is called `before`.
  void add_certified_output(const std::filesystem::path& output,
                            const std::filesystem::path& before, FileFormat format);

  /// A folder that appears whole under its name, with what several processes keep next to it.
  void add_output_folder(const std::string& role, const std::filesystem::path& folder);

  /// Names next to `path` that a run continues, whatever it is that was begun there. What lies
  /// there is not judged.
  void add_continued(const std::filesystem::path& path);

  /// A log, to which lines are appended.
  void add_log(const std::filesystem::path& path);

  /// @throws InvalidSpec  a name that is made, used on the way or kept as a log is one that is
  ///                      read, or has a second role; or a file that this program did not write
  ///                      has a name that the run uses on the way: the message names both.
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
