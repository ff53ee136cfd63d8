#include "interpret/replay/rank.hpp"

#include <algorithm>
#include <utility>

#include "schedule/kernels.hpp"

namespace cairn {

SimulatedRank::SimulatedRank(World& world, const Program& program, Int number)
    : world_(world),
      program_(program),
      number_(number),
      follower_(program, *this, *this),
      travels_(program.requests, 0) {}

void SimulatedRank::start() {
  task_.emplace(life());
  task_->start();
}

Task SimulatedRank::life() {
  co_await follower_.run();
  end_ = world_.now();
}

// --- what it waits for

void SimulatedRank::Until::await_suspend(std::coroutine_handle<> h) {
  since = rank.world_.now();
  rank.waits_ = h;
  rank.until_ = all;
  rank.any_ = any;
}

void SimulatedRank::Until::await_resume() const {
  if (since >= 0) rank.tell(Activity::Kind::wait, since, rank.last_from_);
}

void SimulatedRank::Reached::await_suspend(std::coroutine_handle<> h) {
  since = rank.world_.now();
  peer.awaited_.push_back({h, phase});
}

void SimulatedRank::Reached::await_resume() const {
  if (since >= 0) rank.tell(Activity::Kind::wait, since, peer.number_);
}

bool SimulatedRank::complete(Range requests) const {
  for (auto r = requests.lo; travelling_ > 0 && r < requests.hi; ++r)
    if (travels_[static_cast<std::size_t>(r)] != 0) return false;
  return true;
}

void SimulatedRank::finish(std::size_t request, Int from) {
  travels_[request] = 0;
  --travelling_;
  if (!waits_ || !ends_wait(request)) return;
  last_from_ = from;
  std::exchange(waits_, nullptr).resume();
}

bool SimulatedRank::ends_wait(std::size_t request) const {
  if (!any_) return complete(until_);
  const auto r = static_cast<Int>(request);
  return std::ranges::any_of(*any_, [&](Range all) { return all.lo <= r && r < all.hi && complete(all); });
}

Task SimulatedRank::meet(const Meet& x) {
  phase_ = x.reach;
  std::erase_if(awaited_, [this](const Meeting& m) {
    if (m.phase > phase_) return false;
    world_.at(world_.now(), m.waits);
    return true;
  });
  if (!x.peers.empty()) co_await work(world_.machine().shared.value_or(Machine::Shared{}).wait_seconds);
  for (const Meet::Peer& p : x.peers) co_await Reached{*this, *world_.ranks[static_cast<std::size_t>(p.rank)], p.phase};
}

// --- messages

bool SimulatedRank::leaves_node(const Exchange& x) const {
  return std::any_of(x.sends.begin(), x.sends.end(),
                     [this](const Message& m) { return !world_.machine().between(number_, m.peer).within_node(); });
}

void SimulatedRank::post(const Exchange& x, std::size_t step) {
  std::size_t request = x.first_request;
  receives(longest_latency(x.receives));
  for (const Message& m : x.receives) post({number_, request++, false}, m.peer, step, m.words);
  for (const Message& m : x.sends) post({number_, request++, true}, m.peer, step, m.words);
}

void SimulatedRank::post(World::End mine, int peer, std::size_t step, Int words) {
  travels_[mine.request] = 1;
  ++travelling_;
  world_.post(mine, peer, step, words);
}

Task SimulatedRank::receive(std::size_t request, Int, Int words, int peer, std::size_t step) {
  co_await work(overhead(peer));
  post({number_, request, false}, peer, step, words);
}

Task SimulatedRank::send(std::size_t request, Int, Int words, int peer, std::size_t step) {
  co_await work(overhead(peer));
  post({number_, request, true}, peer, step, words);
}

Task SimulatedRank::send(std::size_t request, const SumExchange& x, std::size_t i, std::size_t step) {
  return send(request, 0, x.sends[i].words, x.sends[i].peer, step);
}

// --- what operations take

SimulatedRank::Pause SimulatedRank::work(double seconds) {
  working_ += seconds;
  return {world_, seconds};
}

SimulatedRank::Pause SimulatedRank::begin(const Operation& op) {
  receives(latencies(op));
  return work(own_seconds(op));
}

// Before anything else. Whoever posts an exchange later has had its overheads by then.
double SimulatedRank::own_seconds(const Operation& op) const {
  const double step = world_.machine().step_seconds;
  if (std::holds_alternative<SumExchange>(op.what) || std::holds_alternative<Reshuffle>(op.what)) return step;
  const auto* x = std::get_if<Exchange>(&op.what);
  if (!x) return 0;
  double seconds = x->receives.empty() ? 0 : step;
  for (const auto* all : {&x->receives, &x->sends})
    for (const Message& m : *all) seconds += overhead(m.peer);
  return seconds;
}

// Of messages that complete in the operation: those that travel at once wait for the longest.
double SimulatedRank::latencies(const Operation& op) const {
  double seconds = 0;
  if (const auto* x = std::get_if<SumExchange>(&op.what))
    for (std::size_t t = 0; t < x->peers.size(); t += SumExchange::window) seconds += latency(x->peers[t]);
  if (const auto* x = std::get_if<Reshuffle>(&op.what)) seconds = longest_latency(x->receives);
  return seconds;
}

template <class Messages>
double SimulatedRank::longest_latency(const Messages& together) const {
  double longest = 0;
  for (const auto& m : together) longest = std::max(longest, latency(m.peer));
  return longest;
}

SimulatedRank::Pause SimulatedRank::update(const LocalUpdate& x) {
  const bool whole_step = std::holds_alternative<LocalUpdate>(program_.operations[follower_.at()].what);
  return work(world_.copy_seconds(x.words()) + (whole_step ? world_.machine().step_seconds + far_seconds() : 0));
}

SimulatedRank::Pause SimulatedRank::keep(const Reshuffle& x) {
  Int words = 0;
  for (const PairedBlock& b : x.kept) words += b.words();
  return work(world_.copy_seconds(words));
}

Task SimulatedRank::multiply(const LocalGemm& x, Int lo, Int cols) {
  const double share = static_cast<double>(cols) / static_cast<double>(std::max<Int>(1, x.C.cols));
  return compute((product_seconds(x) + far_seconds()) * share, lo + cols == x.C.cols);
}

Task SimulatedRank::triangle(const LocalTriangle& x) {
  const Likeness like = like_a_product(x.kernel, x.side, {x.C.rows, x.C.cols, x.A.cols, x.C.cols * (x.C.cols + 1) / 2});
  return compute(like.share * world_.machine().gemm_seconds(like.m, like.n, like.k, world_.type()), true);
}

Task SimulatedRank::compute(double seconds, bool last) {
  const double start = world_.now();
  co_await Pause{world_, seconds};
  computing_ += seconds;
  tell(Activity::Kind::multiply, start, -1);
  if (last) co_await work(world_.machine().step_seconds);
}

double SimulatedRank::product_seconds(const LocalGemm& x) const {
  Int cold = 0;
  for (const LocalView* v : {&x.A, &x.B})
    if (v->storage >= 0 && is_input(world_.schedule(), v->storage)) cold += v->rows * v->cols;
  return world_.machine().gemm_seconds(x.C.rows, x.C.cols, x.A.cols, world_.type()) +
         world_.bytes(cold) * world_.machine().read_seconds_per_byte;
}

// What reading others' memory adds to the operation that it is at.
double SimulatedRank::far_seconds() const {
  const Int far = program_.operations[follower_.at()].far;
  return far == 0 ? 0 : world_.bytes(far) * world_.machine().shared.value_or(Machine::Shared{}).read_seconds_per_byte;
}

void SimulatedRank::tell(Activity::Kind kind, double since, Int from) const {
  world_.tell({kind, number_, step(), since, world_.now(), from});
}

}  // namespace cairn
