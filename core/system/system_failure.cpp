// SPDX-License-Identifier: MIT
#include "core/system/system_failure.hpp"
#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>

namespace synthoscope {
namespace {

struct Remedy {
  int errno_value = 0;
  const char* text = nullptr;
};

constexpr const char* kMakeRoom = "free some space or choose another folder";
constexpr const char* kCheckDisk = "check the disk";
constexpr const char* kCheckNetwork = "check the network drive";

constexpr std::array kRemedies{
    Remedy{0, kMakeRoom},
    Remedy{ENOSPC, kMakeRoom},
    Remedy{EDQUOT, kMakeRoom},
    Remedy{
        EFBIG,
        "raise the limit of file sizes (ulimit -f), or choose a disk that supports larger files"},
    Remedy{EMFILE, "raise the limit of open files (ulimit -n)"},
    Remedy{ENFILE, "close other programs: the machine allows no more open files"},
    Remedy{EAGAIN, "raise the limit of processes and threads (ulimit -u)"},
    Remedy{ENOMEM, "free some memory"},
    Remedy{EROFS, "choose a disk that can be written"},
    Remedy{ENAMETOOLONG, "choose a shorter name"},
    Remedy{ELOOP, "choose a name that is not a symbolic link"},
    Remedy{EEXIST, "choose another name"},
    Remedy{EISDIR, "give the name of a file"},
    Remedy{EIO, kCheckDisk},
    Remedy{ENXIO, kCheckDisk},
    Remedy{ESTALE, kCheckNetwork},
    Remedy{ETIMEDOUT, kCheckNetwork},
    Remedy{EHOSTDOWN, kCheckNetwork},
};

}  // namespace

std::string cause_of(int errno_value) {
  return errno_value == 0 ? "the disk accepted only a part of it"
                          : std::system_category().message(errno_value);
}

bool is_full(int errno_value) {
  return errno_value == 0 || errno_value == ENOSPC || errno_value == EDQUOT;
}

std::string remedy_of(int errno_value, std::string_view otherwise) {
  const auto* found = std::find_if(kRemedies.begin(), kRemedies.end(), [&](const Remedy& each) {
    return each.errno_value == errno_value;
  });
  return found == kRemedies.end() ? std::string{otherwise} : found->text;
}

}  // namespace synthoscope
