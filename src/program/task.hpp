// What a rank does, as a coroutine that stops where the rank has to wait. Where waits are over when they return, as
// MPI's are, it comes to its end at once.
#pragma once
#include <coroutine>
#include <utility>

namespace cairn {

class [[nodiscard]] Task {
 public:
  struct promise_type {
    std::coroutine_handle<> after = std::noop_coroutine();

    Task get_return_object() { return Task(std::coroutine_handle<promise_type>::from_promise(*this)); }
    std::suspend_always initial_suspend() noexcept { return {}; }
    auto final_suspend() noexcept {
      struct Continue {
        bool await_ready() noexcept { return false; }
        std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> h) noexcept {
          return h.promise().after;
        }
        void await_resume() noexcept {}
      };
      return Continue();
    }
    void return_void() {}
    [[noreturn]] void unhandled_exception() { throw; }
  };

  Task(Task&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Task(const Task&) = delete;
  Task& operator=(const Task&) = delete;
  Task& operator=(Task&&) = delete;
  ~Task() {
    if (handle_) handle_.destroy();
  }

  void start() { handle_.resume(); }
  bool done() const { return handle_.done(); }

  /// Another one waits for its end. It starts here, not in await_suspend, so that one which never stops takes no room
  /// on the stack afterwards.
  bool await_ready() {
    start();
    return done();
  }
  void await_suspend(std::coroutine_handle<> after) { handle_.promise().after = after; }
  void await_resume() const noexcept {}

 private:
  explicit Task(std::coroutine_handle<promise_type> handle) : handle_(handle) {}
  std::coroutine_handle<promise_type> handle_;
};

}  // namespace cairn
