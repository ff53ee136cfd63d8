#include "scalapack/same_everywhere.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <functional>

#include "runtime/over_ranks.hpp"
#include "scalapack/notice_board.hpp"

namespace cairn::scalapack {

void GlobalArguments::add(Place place, const char* name, std::complex<double> value) {
  add(place, name, std::bit_cast<Int>(value.real()));
  add(place, name, std::bit_cast<Int>(value.imag()));
}

void GlobalArguments::add(const std::array<const char*, 3>& names, const MatrixArgument& x) {
  const Descriptor& d = x.desc;
  add({x.desc_at - 2}, names[0], x.i);
  add({x.desc_at - 1}, names[1], x.j);
  for (Int entry : {Int{d.type}, d.m, d.n, d.imb, d.inb, d.mb, d.nb, Int{d.rsrc}, Int{d.csrc}})
    add({x.desc_at}, names[2], entry);
}

std::string GlobalArguments::key() const {
  std::string key;
  key.reserve(all_.size() * sizeof(Int));
  for (const Argument& a : all_) key.append(reinterpret_cast<const char*>(&a.value), sizeof a.value);
  return key;
}

bool GlobalArguments::same(const Comm& comm) const { return hashes(comm).same; }

// -1 - x, not -x: it cannot overflow. Ranks that call different routines may have different numbers of arguments.
GlobalArguments::Hashes GlobalArguments::hashes(const Comm& comm) const {
  const auto hash = static_cast<Int>(std::hash<std::string>{}(key())), count = static_cast<Int>(all_.size());
  std::array<Int, 4> most{hash, -1 - hash, count, -1 - count};
  over_ranks(comm, MPI_MAX, most);
  return {most[0] == -1 - most[1], most[2] == -1 - most[3]};
}

void GlobalArguments::compare(const Comm& comm, Findings& findings) const {
  if (!NoticeBoard::all_wait(findings.context()))
    return findings.add(all_.front().place,
                        "another rank has a product with other arguments, expected the same call on all");
  const Hashes found = hashes(comm);
  if (found.same) [[likely]]
    return;
  const Argument* first = &all_.front();
  if (found.as_many) {
    std::vector<Int> values;
    for (const Argument& a : all_) values.insert(values.end(), {a.value, -1 - a.value});
    over_ranks(comm, MPI_MAX, values);
    const auto same = [](const Int* x) { return x[0] == -1 - x[1]; };
    while (first != &all_.back() && same(&values[static_cast<std::size_t>(2 * (first - all_.data()))])) ++first;
  }
  findings.add(first->place, fmt::format("{} differs between ranks, expected the same on all", first->name));
}

}  // namespace cairn::scalapack
