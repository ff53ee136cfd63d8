// One line on the terminal that says what a long run is at.
#pragma once
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <exception>
#include <string>

#include "launch.hpp"

namespace cairn::app {

/// "[=====>    ] 2/4 multiply, about 12 s", over and over in the same line of the terminal, which it leaves empty. By
/// standard output where that is the terminal, too: a launcher passes on both, but in any order.
class Progress {
 public:
  /// Shown by rank 0 where standard error is a terminal, if it is `wanted`.
  Progress(const Comm& world, int steps, bool wanted = true)
      : shown_(wanted && world.rank() == 0 && terminal().errors),
        to_(terminal().output ? stdout : stderr),
        steps_(steps) {}
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress() {
    clear();
    // An error is about to follow, by the other way.
    if (shown_ && to_ == stdout && std::uncaught_exceptions() > 0) std::fputs("\r\033[K", stderr);
  }

  /// The next step begins.
  void step(const std::string& what) {
    ++at_;
    now(what);
  }
  /// What the step is at.
  void now(const std::string& what) {
    what_ = what;
    show();
  }
  /// Prints something else in the meantime.
  template <class Print>
  void aside(const Print& print) {
    clear();
    print();
    show();
  }

 private:
  void clear() const {
    if (shown_) std::fputs("\r\033[K", to_), std::fflush(to_);
  }
  void show() const {
    if (!shown_) return;
    constexpr int width = 24;
    const auto done = static_cast<std::size_t>(width * (at_ - 1) / steps_);
    std::fputs(fmt::format("\r\033[K[{}>{}] {}/{} {}", std::string(done, '='), std::string(width - done, ' '), at_,
                           steps_, what_)
                   .c_str(),
               to_);
    std::fflush(to_);
  }

  bool shown_;
  std::FILE* to_;
  int steps_, at_ = 0;
  std::string what_;
};

}  // namespace cairn::app
