#include "api/factor_run.hpp"

#include "api/prepared_run.hpp"
#include "planner/plan_factor.hpp"

namespace cairn {

template <class T>
struct FactorRun<T>::Impl {
  Impl(const Comm& comm, FactorPlan p, Labels labels, std::vector<Layout> layouts)
      : plan(std::move(p)),
        prepared(comm,
                 Wanted{plan.data().collective, plan.data().wire, scalar_type_of<T>, Transport::two_sided, 0,
                        std::move(labels)},
                 std::move(layouts), plan.data().options) {}
  FactorPlan plan;
  PreparedRun<T> prepared;
};

template <class T>
FactorRun<T>::FactorRun(const Comm& comm, FactorPlan plan, Labels labels, std::vector<Layout> layouts)
    : impl_(std::make_unique<Impl>(comm, std::move(plan), std::move(labels), std::move(layouts))) {}
template <class T>
FactorRun<T>::~FactorRun() = default;
template <class T>
FactorRun<T>::FactorRun(FactorRun&&) noexcept = default;
template <class T>
FactorRun<T>& FactorRun<T>::operator=(FactorRun&&) noexcept = default;

template <class T>
RunReport FactorRun<T>::run(T alpha, std::span<const DistMatrix<T>* const> operands) {
  return impl_->prepared.run(alpha, T(0), operands);
}
template <class T>
const FactorPlan& FactorRun<T>::plan() const {
  return impl_->plan;
}
template <class T>
Int FactorRun<T>::bytes() const {
  return impl_->plan.data().bytes();
}

#define CAIRN_INSTANTIATE(T) template class FactorRun<T>;
CAIRN_FOR_EACH_SCALAR(CAIRN_INSTANTIATE)
#undef CAIRN_INSTANTIATE

}  // namespace cairn
