#include "scalapack/gemr2d.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <type_traits>

#include "cairn/cairn.hpp"
#include "runtime/over_ranks.hpp"
#include "scalapack/integers.hpp"
#include "scalapack/notice_board.hpp"
#include "scalapack/original.hpp"
#include "scalapack/settings.hpp"
#include "scalapack/stand_in.hpp"
#include "scalapack/thresholds.hpp"

namespace cairn::scalapack {

namespace {

// Places of the arguments in the call, and of entries in a descriptor of type 1, from 1.
enum At { m_at = 1, n_at, ia_at = 4, ib_at = 8, context_at = 11 };
enum Entry { desc_context = 2, desc_mb = 5, desc_nb, desc_lld = 9 };

// A negative block size on a single grid row or column is one that ScaLAPACK does not look at.
bool dealable(Int block, int parts) { return block >= 1 || (block < 0 && parts == 1); }

// A matrix of the call. Processes outside its grid learn from the others what it is.
struct Side {
  Descriptor desc;
  Int i, j;
  ProcessGrid grid;
  std::vector<Int> ranks;  // of the context, along the rows of the grid

  bool member() const { return 0 <= grid.row && grid.row < grid.rows && 0 <= grid.col && grid.col < grid.cols; }
  std::vector<Int> values() const {
    return {i, j, desc.m, desc.n, desc.mb, desc.nb, desc.rsrc, desc.csrc, grid.rows, grid.cols};
  }
  void learn(const std::vector<Int>& v) {
    i = v[0], j = v[1], desc.m = v[2], desc.n = v[3], desc.mb = desc.imb = v[4], desc.nb = desc.inb = v[5];
    desc.rsrc = static_cast<int>(v[6]), desc.csrc = static_cast<int>(v[7]);
    grid.rows = static_cast<int>(v[8]), grid.cols = static_cast<int>(v[9]);
  }
  // What ScaLAPACK, too, refuses, on every process alike [REDIST/SRC/pgemraux.c, paramcheck].
  bool acceptable(Int m, Int n) const {
    const bool dealt = desc.mb >= 1 && desc.nb >= 1 && 0 <= desc.rsrc && desc.rsrc < grid.rows && 0 <= desc.csrc &&
                       desc.csrc < grid.cols;
    return dealt && 0 <= i && i + m <= desc.m && 0 <= j && j + n <= desc.n;
  }
  Int rows() const { return desc.mb >= 1 && desc.rsrc >= 0 ? rows_of(desc, grid).count(desc.m, grid.row) : 0; }
  bool short_columns() const { return member() && rows() > desc.lld; }
  Layout layout(Int m, Int n) const {
    Layout l = layout_of(desc, i, j, m, n, grid);
    std::vector<Int> in_order(ranks.size());
    std::iota(in_order.begin(), in_order.end(), Int{0});
    if (ranks != in_order) l.grid = l.grid.placed(ranks);
    return l;
  }
};

// Descriptors are of type 1, whatever they say.
Side side(const int* desc, int i, int j) {
  std::array<int, 9> type_1{Descriptor::type_1, desc[1]};
  Side s{{}, i - Int{1}, j - Int{1}, grid_of(desc[1]), {}};
  if (s.member()) std::copy(desc + 2, desc + 9, type_1.begin() + 2);
  s.desc = parse_descriptor(type_1.data());
  return s;
}

// What the processes of a context must agree on, and what only some of them know.
class Exchange {
 public:
  void share(bool known, Int value) {
    most_.push_back(known ? value : nothing);
    most_.push_back(known ? -1 - value : nothing);
  }
  /// The largest of what the processes say.
  void say(Int value) { most_.push_back(value); }
  void meet(const Comm& comm) { over_ranks(comm, MPI_MAX, most_); }
  /// In the order in which they were given. A common value that some know differently, or that nobody knows, is not
  /// one.
  bool is_one() const { return most_[at_] != nothing && most_[at_] == -1 - most_[at_ + 1]; }
  bool unknown() const { return most_[at_] == nothing; }
  Int common() { return at_ += 2, most_[at_ - 2]; }
  Int said() { return most_[at_++]; }

 private:
  static constexpr Int nothing = std::numeric_limits<Int>::min();
  std::vector<Int> most_;
  std::size_t at_ = 0;
};

template <class T>
class Gemr2d : public StandIn {
 public:
  explicit Gemr2d(const Gemr2dCall<T>& call)
      : StandIn(call.context, routine_name<Gemr2dCall<T>>),
        call_(call),
        nothing_(call.m == 0 || call.n == 0),
        a_(nothing_ ? Side() : side(call.desc_a, call.ia, call.ja)),
        b_(nothing_ ? Side() : side(call.desc_b, call.ib, call.jb)) {}

  void run() {
    if (!grid_.live()) {
      if (nothing_) return;
      findings_.add({context_at}, fmt::format("CTXT is {}, expected a context of the calling process", call_.context));
      return void(findings_.abort());
    }
    const Comm comm = comm_of(call_.context);
    learn(comm);
    if (findings_.abort()) return;
    if (nothing_) return handled("B has no elements", {});
    if (!possible_) return hand_back("wrong arguments");
    if (settings().use == Settings::Use::always || worth_moving(call_.m, call_.n, comm.size()))
      copy(comm);
    else
      hand_back_small();
  }

 private:
  // Integers are moved as what is as long.
  using Element = std::conditional_t<std::is_same_v<T, int>, float, T>;

  // One reduction, as the original's. Of what is wrong, ends here what the original does not notice, or not on every
  // process.
  void learn(const Comm& comm) {
    Exchange e;
    e.share(true, std::is_same_v<T, int> ? -1 : static_cast<Int>(scalar_type_of<Element>));
    for (Int x : {Int{call_.m}, Int{call_.n}}) e.share(true, x);
    for (const Side* s : {&a_, &b_}) {
      for (Int x : s->values()) e.share(s->member(), x);
      e.say(s->short_columns());
      for (Int position = 0; position < comm.size(); ++position)
        e.say(s->member() && position == s->grid.rank() ? comm.rank() : -1);
    }
    if (!NoticeBoard::all_wait(call_.context))
      return findings_.add({m_at}, "another rank has a product, expected the same call on all");
    e.meet(comm);
    agreed(e, {m_at}, "the routine");
    agreed(e, {m_at}, "M");
    agreed(e, {n_at}, "N");
    if (findings_.none() && nothing_) return;
    if (call_.m < 0) findings_.add({m_at}, fmt::format("M is {}, expected 0 or more", call_.m));
    if (call_.n < 0) findings_.add({n_at}, fmt::format("N is {}, expected 0 or more", call_.n));
    learn(e, a_, "A", ia_at, comm.size());
    learn(e, b_, "B", ib_at, comm.size());
  }
  Int agreed(Exchange& e, Place place, const std::string& name) {
    if (!e.unknown() && !e.is_one())
      findings_.add(place, fmt::format("{} differs between ranks, expected the same on all", name));
    return e.common();
  }
  void learn(Exchange& e, Side& s, const char* name, int first, Int ranks) {
    const std::string names[] = {fmt::format("I{}", name), fmt::format("J{}", name), fmt::format("DESC{}", name)};
    const bool known = !e.unknown();
    std::vector<Int> values;
    for (std::size_t v = 0; v < s.values().size(); ++v) {
      const std::size_t argument = std::min<std::size_t>(v, 2);
      values.push_back(agreed(e, {first + static_cast<int>(argument)}, names[argument]));
    }
    const bool short_columns = e.said() != 0;
    std::vector<Int> positions;
    for (Int position = 0; position < ranks; ++position) positions.push_back(e.said());
    possible_ = possible_ && known;
    if (!known || !findings_.none()) return;
    s.learn(values);
    check(s, names[2], first + 2, short_columns, positions);
    possible_ = possible_ && s.acceptable(call_.m, call_.n);
  }
  void check(Side& s, const std::string& desc, int at, bool short_columns, const std::vector<Int>& positions) {
    if (!dealable(s.desc.mb, s.grid.rows))
      findings_.add({at, desc_mb}, fmt::format("{}(MB) is {}, expected at least 1", desc, s.desc.mb));
    if (!dealable(s.desc.nb, s.grid.cols))
      findings_.add({at, desc_nb}, fmt::format("{}(NB) is {}, expected at least 1", desc, s.desc.nb));
    if (short_columns)
      findings_.add({at, desc_lld}, s.short_columns()
                                        ? fmt::format("{}(LLD) is {}, expected at least {}", desc, s.desc.lld, s.rows())
                                        : fmt::format("{}(LLD) is too small on another rank", desc));
    const Int needed = Int{s.grid.rows} * s.grid.cols;
    const auto end = needed <= std::ssize(positions) ? positions.begin() + needed : positions.end();
    s.ranks.assign(positions.begin(), end);
    if (std::ssize(s.ranks) < needed || std::ranges::find(s.ranks, -1) != s.ranks.end())
      findings_.add({at, desc_context},
                    fmt::format("{}(CTXT) is a {}x{} grid, expected all of its ranks in CTXT, with this grid", desc,
                                s.grid.rows, s.grid.cols));
  }

  DistMatrix<Element> part(const T* data, const Side& s, int rank) const {
    const auto* const elements = reinterpret_cast<const Element*>(data);
    return borrow(elements, s.desc, s.i, s.j, s.layout(call_.m, call_.n), s.grid, rank);
  }

  void copy(const Comm& comm) {
    const DistMatrix<Element> A = part(call_.A, a_, comm.rank()), B = part(call_.B, b_, comm.rank());
    move(comm, Op::none, Element(1), A, Element(0), B, ib_at - 1, "B");
  }

  void by_original() const override { original(call_); }

  std::string text() const override {
    if (nothing_) return fmt::format("{} {}x{}", routine_name<Gemr2dCall<T>>, call_.m, call_.n);
    return fmt::format("{} {}x{} from {}x{} to {}x{}", routine_name<Gemr2dCall<T>>, call_.m, call_.n, a_.grid.rows,
                       a_.grid.cols, b_.grid.rows, b_.grid.cols);
  }

  const Gemr2dCall<T>& call_;
  bool nothing_;  // to be moved: not even the descriptors are looked at
  Side a_, b_;
  bool possible_ = true;
};

}  // namespace

template <class T>
void gemr2d(const Gemr2dCall<T>& call) {
  static_assert(sizeof(int) == sizeof(float));
  if (unseen()) return original(call);
  Gemr2d<T>(call).run();
}

template <class T>
void gemr2d_from_fortran(CAIRN_GEMR2D_ARGUMENTS(T)) {
  const auto wide = [](const int* x) { return *reinterpret_cast<const std::int64_t*>(x); };
  if (integers_have_64_bits())
    original(Gemr2dCall<T, std::int64_t>{wide(m), wide(n), A, wide(ia), wide(ja), desc_a, B, wide(ib), wide(jb), desc_b,
                                         wide(context)});
  else
    gemr2d<T>({*m, *n, A, *ia, *ja, desc_a, B, *ib, *jb, desc_b, *context});
}

template <class T>
void gemr2d_from_c(CAIRN_CGEMR2D_ARGUMENTS(T, std::intptr_t)) {
  const auto narrow = [](std::intptr_t x) { return static_cast<int>(x); };
  if (integers_have_64_bits())
    original(Gemr2dCall<T, std::int64_t>{CAIRN_GEMR2D_NAMES});
  else
    gemr2d<T>(
        {narrow(m), narrow(n), A, narrow(ia), narrow(ja), desc_a, B, narrow(ib), narrow(jb), desc_b, narrow(context)});
}

#define CAIRN_INSTANTIATE(T, lower, UPPER)                         \
  template void gemr2d_from_fortran<T>(CAIRN_GEMR2D_ARGUMENTS(T)); \
  template void gemr2d_from_c<T>(CAIRN_CGEMR2D_ARGUMENTS(T, std::intptr_t));
CAIRN_FOR_EACH_GEMR2D(CAIRN_INSTANTIATE)

}  // namespace cairn::scalapack
