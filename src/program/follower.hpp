// How a rank follows its program: what it waits for before an operation, which exchanges it posts and which it defers,
// when it looks after messages. Said once for all who do it: the executor over MPI, whose waits are over when they
// return, and the replay on simulated ports, whose waits suspend (program/task.hpp).
#pragma once
#include "program/deferred.hpp"

namespace cairn {

/// `Hands` do what the program says and `Wire` carries its messages. Both may take their time for what is marked by *,
/// which returns something to await. Hands:
///   does(op), prepares(op)   whether an operation is carried out, and whether what it waits for is
///   prepared(op), done(op)   that it has waited, that it is over
///   *begin(op)               its turn has come
///   *update, *add            local updates; a piece of a sum that has arrived
///   *multiply(x, lo, cols)   so many columns of C
///   *triangle(x)             a kernel on a triangle
///   *pack, *keep, *unpack    of a redistribution
///   sums(x, step)            whether they have carried out a SumExchange otherwise than by messages
/// Wire:
///   post(exchange, step)     all its messages, now
///   *receive, *send          a message of an operation that completes its own
///   complete(requests)       whether those are complete that were posted; lets the library move data
///   leaves_node(exchange)    whether it sends to other nodes
///   in_flight()              whether anything posted is on its way; likewise
///   *wait(requests)          until they are complete
///   settle(requests)         which are complete
///   *wait_any(ranges)        until one of these requests may be complete that was not before
///   *meet(x)                 other ranks of the node
template <class Hands, class Wire = Hands>
class Follower {
 public:
  Follower(const Program& program, Hands& hands, Wire& wire)
      : program_(program), hands_(hands), wire_(wire), deferred_(program, wire) {}

  static_assert(std::variant_size_v<decltype(Operation::what)> == 7, "run() says what is done for each kind");

  /// From the first operation until all messages are complete.
  Task run() {
    deferred_.begin();
    for (at_ = 0; at_ < program_.operations.size(); ++at_) {
      const Operation& op = program_.operations[at_];
      if (hands_.prepares(op) && waits(op)) {
        co_await prepare(op);
        hands_.prepared(op);
      }
      if (!hands_.does(op)) continue;
      co_await hands_.begin(op);
      if (goes_on(op)) travels();
      if (std::holds_alternative<Exchange>(op.what))
        deferred_.post(op);
      else if (const auto* update = std::get_if<LocalUpdate>(&op.what))
        co_await hands_.update(*update);
      else if (const auto* product = std::get_if<LocalGemm>(&op.what); product && product->C.cols >= 2 * product->piece)
        co_await multiply(*product);
      else if (product)
        co_await hands_.multiply(*product, 0, product->C.cols);
      else if (const auto* triangle = std::get_if<LocalTriangle>(&op.what))
        co_await hands_.triangle(*triangle);
      else if (const auto* sum = std::get_if<SumExchange>(&op.what))
        co_await add_up(*sum, op.step);
      else if (const auto* shuffle = std::get_if<Reshuffle>(&op.what))
        co_await redistribute(*shuffle, op.step);
      else
        co_await wire_.meet(std::get<Meet>(op.what));
      hands_.done(op);
    }
    if (at_ > 0) --at_;
    co_await deferred_.flush();
    co_await wire_.wait({0, static_cast<Int>(program_.requests)});
  }
  /// Number of the operation that is carried out, or was last.
  std::size_t at() const { return at_; }

 private:
  // Whether it is another product of the update of a triangle, none of which is long enough to be cut.
  bool goes_on(const Operation& op) const {
    return computes(op) && at_ > 0 && program_.operations[at_ - 1].step == op.step;
  }
  // Exchanges find their own time. Others that travel complete their messages themselves, and look after nothing else.
  bool waits(const Operation& op) const {
    return !std::holds_alternative<Exchange>(op.what) && (!op.wait.empty() || !deferred_.empty());
  }
  Task prepare(const Operation& op) {
    const bool product = computes(op);
    if (!product && !std::holds_alternative<LocalUpdate>(op.what)) co_await deferred_.flush();
    co_await deferred_.wait(op.wait);
    if (product) co_await deferred_.send_on();
  }

  // In pieces while anything of the rank's own is on its way, to look after it in between, also before the last one.
  Task multiply(const LocalGemm& x) {
    Int lo = 0;
    for (; lo + 2 * x.piece <= x.C.cols && travels(); lo += x.piece) co_await hands_.multiply(x, lo, x.piece);
    if (lo > 0) deferred_.advance();
    co_await hands_.multiply(x, lo, x.C.cols - lo);
  }
  bool travels() {
    deferred_.advance();
    return !deferred_.empty() || wire_.in_flight();
  }

  static Range one(std::size_t request) { return {static_cast<Int>(request), static_cast<Int>(request + 1)}; }

  // So many pieces at a time, from one peer after another.
  Task add_up(const SumExchange& x, std::size_t step) {
    if (hands_.sums(x, step)) co_return;
    constexpr std::size_t window = SumExchange::window;
    const std::size_t first = program_.requests, sent = first + window;
    wire_.reserve(sent + x.sends.size());
    const auto place = [&](std::size_t t) { return x.buffer + static_cast<Int>(t % window) * x.piece; };
    for (std::size_t t = 0; t < std::min(window, x.peers.size()); ++t)
      co_await wire_.receive(first + t, place(t), x.piece, x.peers[t], step);
    for (std::size_t i = 0; i < x.sends.size(); ++i) co_await wire_.send(sent + i, x, i, step);
    co_await hands_.update(x.own);
    for (std::size_t t = 0; t < x.peers.size(); ++t) {
      const std::size_t request = first + t % window;
      co_await wire_.wait(one(request));
      co_await hands_.add(x, place(t));
      if (t + window < x.peers.size()) co_await wire_.receive(request, place(t), x.piece, x.peers[t + window], step);
    }
    co_await wire_.wait({static_cast<Int>(sent), static_cast<Int>(sent + x.sends.size())});
  }

  Task redistribute(const Reshuffle& x, std::size_t step) {
    const std::size_t first = program_.requests, sent = first + x.receives.size();
    wire_.reserve(sent + x.sends.size());
    Int at = x.buffer;
    for (std::size_t i = 0; i < x.receives.size(); ++i) {
      co_await wire_.receive(first + i, at, x.receives[i].words, x.receives[i].peer, step);
      at += x.receives[i].words;
    }
    for (std::size_t i = 0; i < x.sends.size(); ++i) {
      const Reshuffle::Parcel& p = x.sends[i];
      co_await hands_.pack(x, p, at);
      co_await wire_.send(sent + i, at, p.words, p.peer, step);
      at += p.words;
    }
    co_await hands_.keep(x);
    at = x.buffer;
    for (std::size_t i = 0; i < x.receives.size(); ++i) {
      co_await wire_.wait(one(first + i));
      co_await hands_.unpack(x, x.receives[i], at);
      at += x.receives[i].words;
    }
    co_await wire_.wait({static_cast<Int>(sent), static_cast<Int>(sent + x.sends.size())});
  }

  const Program& program_;
  Hands& hands_;
  Wire& wire_;
  Deferred<Wire> deferred_;
  std::size_t at_ = 0;
};

}  // namespace cairn
