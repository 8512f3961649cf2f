// SPDX-License-Identifier: MIT
// tools/options/command.hpp — one command of the program: its options and what it does.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>
#include "core/run/stop.hpp"
#include "imageio/run/run_files.hpp"
#include "tools/options/table.hpp"
#include "tools/terminal/console.hpp"
#include "tools/terminal/run_clock.hpp"

namespace synthoscope::tools {

/// What the program passes to the command that it runs.
struct Invocation {
  Console& console;
  RunClock& clock;
  const StopFlag& stop;
  std::vector<std::string> command_line;  ///< as it was typed, for records of provenance
};

/// Options are members with defaults; `describe` binds rows to them, so one object runs once.
class Command {
 public:
  virtual ~Command() = default;
  [[nodiscard]] virtual std::string_view name() const = 0;
  [[nodiscard]] virtual std::string_view summary() const = 0;  ///< full sentences
  virtual void describe(OptionTable& table) = 0;

  /// Parses `words` and runs. @throws what parsing and the work throw.
  virtual void execute(std::span<const std::string> words, const Invocation& invocation) {
    OptionTable table;
    describe(table);
    parse(table, name(), words);
    begin(table, invocation);
    run(invocation);
  }

 protected:
  /// Compares the names of all files and opens the log, before anything else happens.
  /// @throws InvalidSpec  as RunFiles::check. @throws as LogFile
  void begin(const OptionTable& table, const Invocation& invocation) {
    name_files(files_);
    table.begin(invocation, files_);
  }

  /// Adds files that are known only after an input was opened, such as the other files of a set,
  /// and compares all names again.
  void add_inputs(const std::string& role, const std::vector<std::filesystem::path>& read) {
    files_.add_input(role, read);
    files_.check();
  }

  /// Adds all files of an image that was opened as `given`, and compares all names again.
  void add_input_image(const std::string& role, const std::filesystem::path& given,
                       const imageio::ImageInfo& info) {
    files_.add_input_image(role, given, info);
    files_.check();
  }

  imageio::RunFiles files_;

 private:
  /// Adds the names of all files that the options name, and of files that are written next to them.
  virtual void name_files(imageio::RunFiles& files) const = 0;
  virtual void run(const Invocation& invocation) = 0;
};

}  // namespace synthoscope::tools
