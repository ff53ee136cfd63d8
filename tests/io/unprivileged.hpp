// Permissions do not bind root: tests of them run as nobody for a while.
#pragma once
#include <unistd.h>

#include <cstdio>
#include <string>
#include <vector>

namespace cairn::io {

/// Gives `paths` to nobody and acts as nobody until destroyed; does nothing unless root.
class Unprivileged {
 public:
  explicit Unprivileged(const std::vector<std::string>& paths) {
    if (!root_) return;
    for (const std::string& p : paths)
      if (::chown(p.c_str(), nobody, nobody) != 0) ::perror("chown");
    if (::setresuid(nobody, nobody, 0) != 0) ::perror("setresuid");
  }
  ~Unprivileged() {
    if (root_ && ::setresuid(0, 0, 0) != 0) ::perror("setresuid");
  }
  Unprivileged(const Unprivileged&) = delete;
  Unprivileged& operator=(const Unprivileged&) = delete;

 private:
  static constexpr ::uid_t nobody = 65534;
  const bool root_ = ::geteuid() == 0;
};

}  // namespace cairn::io
