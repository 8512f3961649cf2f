// SPDX-License-Identifier: MIT
// tools/options/table.hpp — one table of options per command: it drives parsing, help and the
// pages.
#pragma once
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace synthoscope::tools {

struct Invocation;
}  // namespace synthoscope::tools

namespace synthoscope::imageio {
class RunFiles;
}

namespace synthoscope::tools {

/// An option or argument, and where its value is stored.
struct Option {
  std::string name;          ///< "kernel-background"; the word of the usage line for an argument
  std::string value;         ///< "N"; empty for a switch
  std::string default_text;  ///< "zero"; empty if there is none to name
  std::string unit;          ///< "nm"; empty for words and counts
  std::string help;          ///< what it does: begins in lower case, ends without a full stop
  std::function<void(std::string_view)> take;  ///< @throws InvalidSpec for a value it cannot use
  char letter = 0;                             ///< 'o' for -o
  bool required = false, repeats = false;
  bool many = false;                    ///< takes all words up to the next option
  bool is_path = false;                 ///< the value names a file, or a folder if it reads DIR
  std::string only = {};                ///< when it means anything: "with --kernel"
  std::function<bool()> is_meant = {};  ///< whether it does, once all words are taken; or none
};

/// Options that belong together under one title.
struct OptionGroup {
  std::string title;
  std::vector<Option> options;
};

/// The arguments and options of one command. Its rows refer to variables that outlive it.
class OptionTable {
 public:
  /// Begins a group: options that are added from here on are listed under `title`.
  void group(std::string title) { groups_.push_back({std::move(title), {}}); }
  void add(Option option);
  void add_argument(Option argument) { arguments_.push_back(std::move(argument)); }

  /// `begin` is called once all words are taken, before the command does anything, with the names
  /// of all files that the words name.
  using Begin = std::function<void(const Invocation&, imageio::RunFiles&)>;
  void before_run(Begin begin) { before_run_ = std::move(begin); }
  void begin(const Invocation& invocation, imageio::RunFiles& files) const {
    if (before_run_) before_run_(invocation, files);
  }

  [[nodiscard]] const std::vector<Option>& arguments() const { return arguments_; }
  [[nodiscard]] const std::vector<OptionGroup>& groups() const { return groups_; }

  /// The option called `name` (or `-o` by its letter), or none.
  [[nodiscard]] const Option* find(std::string_view name) const;
  [[nodiscard]] std::vector<std::string> names() const;

 private:
  std::vector<Option> arguments_;
  std::vector<OptionGroup> groups_;
  Begin before_run_;
};

/// Passes every word of `words` to its row. `command` is put in front of each message.
/// @throws InvalidSpec  an unknown option (with the nearest known ones), a missing or superfluous
///                      value or argument, an option given twice or where it is not valid, a value
///                      that its row refuses.
void parse(const OptionTable& table, std::string_view command, std::span<const std::string> words);

}  // namespace synthoscope::tools
