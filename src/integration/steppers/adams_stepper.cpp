#include <algorithm>
#include <array>
#include <cmath>

#include "integration/steppers/stepper.hpp"
#include "spacedyn/integration/odeint.hpp"

namespace spacedyn {
namespace {

constexpr std::size_t kHistory = 5;
/// Of the derivatives at the start of this step and of those before it.
constexpr std::array<double, kHistory> kBashforth{1901.0 / 720.0, -2774.0 / 720.0, 2616.0 / 720.0,
                                                  -1274.0 / 720.0, 251.0 / 720.0};
constexpr double kMoultonEnd = 475.0 / 1440.0;
constexpr std::array<double, kHistory> kMoulton{1427.0 / 1440.0, -798.0 / 1440.0, 482.0 / 1440.0,
                                                -173.0 / 1440.0, 27.0 / 1440.0};

/// Adams–Bashforth's predictor of order 5 with one correction by Adams and Moulton's of order 6.
///
/// All derivatives of the history are in the chart of the base attitude in use: when the chart
/// moves, steps change their size or the motion has a discontinuity, four steps of dopri5 begin a
/// new history. Differs from odeint's class of the same name, which cannot be asked to do that.
class AdamsStepper final : public Stepper {
 public:
  void restart(Restart /*reason*/) override { known_ = 0; }
  void transfer(Archive& archive) override {
    for (VectorX& rate : rates_) archive(rate);
    archive(known_, newest_, size_);
    archive.require(known_ <= kHistory);
    for (const VectorX& rate : rates_) archive.require(rate.size() == rates_[0].size());
  }

  void attempt(DifferentialEquation& equation, Step& step) override {
    const double h = step.t_new - step.t_old;
    for (VectorX& rate : rates_) rate.resize(step.x_old.size());
    rate_.resize(step.x_old.size());
    // a step that lands may differ from its fellows by rounding
    if (std::abs(h - size_) > 1e-9 * h) known_ = 0;
    if (known_ == 0) size_ = h;
    remember(step.t_old, step.rate_old);
    if (known_ < kHistory) {
      starter_.do_step(std::ref(equation), step.x_old, step.rate_old, step.t_old, step.x_new,
                       step.rate_new, h);
      return;
    }
    take(step.x_old, h, kBashforth, step.x_new);
    equation(step.x_new, step.rate_new, step.t_new);
    take(step.x_old, h, kMoulton, step.x_new);
    step.x_new += h * kMoultonEnd * step.rate_new;
    equation(step.x_new, step.rate_new, step.t_new);
  }

  /// A shorter step of dopri5, whose error is of the same order.
  void interpolate(DifferentialEquation& equation, const Step& step, double time,
                   VectorX& x) override {
    starter_.do_step(std::ref(equation), step.x_old, step.rate_old, step.t_old, x, rate_,
                     time - step.t_old);
  }

 private:
  void remember(double time, const VectorX& rate) {
    if (known_ > 0 && time == newest_) return;  // the step is tried again
    newest_ = time;
    std::rotate(rates_.begin(), rates_.end() - 1, rates_.end());
    rates_[0] = rate;
    known_ = std::min(known_ + 1, kHistory);
  }

  void take(const VectorX& from, double h, const std::array<double, kHistory>& weights,
            VectorX& x) const {
    x = from;
    for (std::size_t i = 0; i < kHistory; ++i) x += h * weights[i] * rates_[i];
  }

  odeint::runge_kutta_dopri5<VectorX> starter_;
  std::array<VectorX, kHistory> rates_;  // the newest first
  VectorX rate_;
  std::size_t known_ = 0;
  double newest_ = 0.0;  // s, time of the newest derivative
  double size_ = 0.0;    // s, between the derivatives known
};

}  // namespace

std::unique_ptr<Stepper> make_adams_bashforth_moulton_stepper() {
  return std::make_unique<AdamsStepper>();
}

}  // namespace spacedyn
