// SPDX-License-Identifier: MIT
// The program: finds the command, runs it, and turns every failure into a sentence and a code.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <malloc.h>
#include <exception>
#include <string>
#include <vector>
#include "core/base/error.hpp"
#include "core/base/near_names.hpp"
#include "core/base/version.hpp"
#include "fftconv/fft/fft_library.hpp"
#include "imageio/hdf5/library.hpp"
#include "tools/commands/commands.hpp"
#include "tools/machine/cpu_fallback.hpp"
#include "tools/machine/visible_gpus.hpp"
#include "tools/pages/completion.hpp"
#include "tools/pages/help.hpp"
#include "tools/pages/reference.hpp"
#include "tools/terminal/exit_code.hpp"
#include "tools/terminal/process.hpp"
#include "tools/terminal/result.hpp"
#include "tools/terminal/run_clock.hpp"

namespace synthoscope::tools {
namespace {

bool asks_for_help(const std::string& word) {
  return word == "--help" || word == "-h";
}

/// Returns true if --help is among the options, that is before a "--".
bool help_among(std::span<const std::string> words) {
  for (const std::string& word : words) {
    if (word == "--") return false;
    if (asks_for_help(word)) return true;
  }
  return false;
}

/// Lists "words train", ...: commands whose names begin with the word `name`.
std::vector<std::string> family_of(const std::string& name) {
  std::vector<std::string> family;
  for (const auto& command : all_commands())
    if (command->name().starts_with(name + ' ')) family.emplace_back(command->name());
  return family;
}

/// Finds the command that the first word or two of `words` name, and removes them from `words`.
std::unique_ptr<Command> command_of(std::span<const std::string>& words) {
  std::vector<std::string> names;
  const std::string& name = words.front();
  for (auto& command : all_commands()) {
    const std::string known{command->name()};
    const bool is_of_two = words.size() > 1 && known == name + ' ' + words[1];
    if (known == name || is_of_two) {
      words = words.subspan(is_of_two ? 2 : 1);
      return std::move(command);
    }
    names.push_back(known);
  }
  if (const auto family = family_of(name); !family.empty())
    throw InvalidSpec(fmt::format("synthoscope: {} has several subcommands; write {}", name,
                                  fmt::join(family, ", ")));
  const std::vector<std::string> near = near_names(name, names);
  throw InvalidSpec(
      fmt::format("synthoscope: there is no command '{}'; {}", name,
                  near.empty() ? "see synthoscope --help" : "did you mean " + near.front() + "?"));
}

/// The program, and the licence under which this build of it may be given away.
std::string version_text() {
  using fftconv::FftLibrary;
  const std::string reason =
      is_here(FftLibrary::fftw)
          ? fmt::format(
                "; linked with {}, this program may only be given away under the GPL, "
                "version 2 or later",
                version_of(FftLibrary::fftw))
          : "";
  return fmt::format("synthoscope {}\nlicence: MIT{}", kVersion, reason);
}

void run_command(std::span<const std::string> words, const Invocation& invocation) {
  const auto command = command_of(words);
  invocation.stop.check();
  if (!help_among(words)) return command->execute(words, invocation);
  OptionTable table;
  command->describe(table);
  print_text(help_text(command->name(), command->summary(), table));
}

void run_program(std::span<const std::string> words, const Invocation& invocation) {
  if (words.empty()) throw InvalidSpec("synthoscope: no command is given; see synthoscope --help");
  if (asks_for_help(words.front()) || words.front() == "help") return print_text(program_help());
  if (words.front() == "--version") return print_text(version_text());
  if (words.front() == "--list-commands") return print_text(command_list());
  const std::string rest = fmt::format("{}", fmt::join(words.subspan(1), " "));
  if (words.front() == "--help-markdown") return print_text(reference_page(rest));
  if (words.front() == "--man") return print_text(man_page(rest));
  if (words.front() == "--completion") return print_text(completion_script(rest));
  if (words.size() == 2 && asks_for_help(words[1]) && !family_of(words[0]).empty())
    return print_text(family_help(words[0]));
  hide_other_gpus(words);
  run_or_fall_back(words, invocation.console, [&](auto again) { run_command(again, invocation); });
}

int main_of(int argc, char** argv) {
  install_terminate_handler();
  imageio::skip_hdf5_cleanup_at_exit();
  RunClock clock;
  Console console;
  ExitCode code = ExitCode::done;
  try {
    raise_open_file_limit();
    const std::vector<std::string> command_line{argv, argv + argc};
    const Invocation invocation{console, clock, signal_stop_flag(), command_line};
    const StopScope stops{invocation.stop};
    run_program(std::span{command_line}.subspan(1), invocation);
  } catch (...) {
    for (const std::string& sentence : sentences_of(std::current_exception()))
      console.error(sentence);
    code = exit_code_of(std::current_exception());
  }
  console.end(static_cast<int>(code));
  return static_cast<int>(code);
}

}  // namespace
}  // namespace synthoscope::tools

int main(int argc, char** argv) {
  synthoscope::tools::stop_on_signals();  // first, so that no signal has its default action
  synthoscope::tools::open_closed_streams();
#ifdef M_MMAP_THRESHOLD
  // What is freed goes back to the system at once: --memory is a promise about resident memory.
  // Setting a threshold also stops glibc from raising it as it goes.
  mallopt(M_MMAP_THRESHOLD, 1 << 19);
  mallopt(M_TRIM_THRESHOLD, 1 << 20);
#endif
  return synthoscope::tools::with_large_stack(synthoscope::tools::main_of, argc, argv);
}
