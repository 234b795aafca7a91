// Pinocchio's algorithms over rows of states, timed where they run. Header-only: no instantiation of the library.
//
// The model comes as text, see pinocchio_model.hpp.
// Rows of q, v and x (accelerations or forces) lie one after another.

#include <chrono>
#include <cstdint>
#include <cstring>
#include <memory>
#include <stdexcept>

#include "pinocchio_model.hpp"

#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/cholesky.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/frames.hpp>
#include <pinocchio/algorithm/jacobian.hpp>
#include <pinocchio/algorithm/kinematics.hpp>
#include <pinocchio/algorithm/rnea.hpp>

using Row = Eigen::Map<const Eigen::VectorXd>;

struct Race
{
  pin::Model model;
  std::unique_ptr<pin::Data> data;
  pin::FrameIndex frame = 0;
  pin::Data::Matrix6x J;
  Eigen::VectorXd a;
};

static void build(Race & race, const char * text)
{
  race.frame = read_model(race.model, text);
  race.data = std::make_unique<pin::Data>(race.model);
  race.J = pin::Data::Matrix6x::Zero(6, race.model.nv);
  race.a = Eigen::VectorXd::Zero(race.model.nv);
}

// --- what is raced: one state, the result stays where Pinocchio puts it -----------------------------------------------

struct Rnea
{
  static void run(Race & r, const Row & q, const Row & v, const Row & a) { pin::rnea(r.model, *r.data, q, v, a); }
  static void write(Race & r, double * out) { std::memcpy(out, r.data->tau.data(), r.model.nv * sizeof(double)); }
};

template<pin::Convention convention>
struct Crba
{
  static void run(Race & r, const Row & q, const Row &, const Row &) { pin::crba(r.model, *r.data, q, convention); }
  static void write(Race & r, double * out)
  {
    const Eigen::Index n = r.model.nv;
    for (Eigen::Index i = 0; i < n; ++i)
      for (Eigen::Index j = i; j < n; ++j)
        out[i * n + j] = out[j * n + i] = r.data->M(i, j);
  }
};

template<pin::Convention convention>
struct Aba
{
  static void run(Race & r, const Row & q, const Row & v, const Row & tau)
  {
    pin::aba(r.model, *r.data, q, v, tau, convention);
  }
  static void write(Race & r, double * out) { std::memcpy(out, r.data->ddq.data(), r.model.nv * sizeof(double)); }
};

template<pin::Convention convention>
struct CrbaCholesky
{
  static void run(Race & r, const Row & q, const Row & v, const Row & tau)
  {
    pin::nonLinearEffects(r.model, *r.data, q, v);
    pin::crba(r.model, *r.data, q, convention);
    pin::cholesky::decompose(r.model, *r.data);
    r.a = tau - r.data->nle;
    pin::cholesky::solve(r.model, *r.data, r.a);
  }
  static void write(Race & r, double * out) { std::memcpy(out, r.a.data(), r.model.nv * sizeof(double)); }
};

// 12 numbers of the pose (R by rows, p), then J by rows in the frame of reference of the variant.
static void write_frame(Race & r, double * out)
{
  const pin::SE3 X = r.data->oMi[r.model.frames[r.frame].parentJoint] * r.model.frames[r.frame].placement;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      *out++ = X.rotation()(i, j);
  for (int i = 0; i < 3; ++i)
    *out++ = X.translation()[i];
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < r.model.nv; ++j)
      *out++ = r.J(i, j);
}

// All joints' columns, then those of the frame.
template<pin::ReferenceFrame reference>
struct AllJacobians
{
  static void run(Race & r, const Row & q, const Row &, const Row &)
  {
    pin::computeJointJacobians(r.model, *r.data, q);
    pin::updateFramePlacement(r.model, *r.data, r.frame);
    pin::getFrameJacobian(r.model, *r.data, r.frame, reference, r.J);
  }
  static void write(Race & r, double * out) { write_frame(r, out); }
};

// Only the joints that carry the frame.
template<pin::ReferenceFrame reference>
struct OneJacobian
{
  static void run(Race & r, const Row & q, const Row &, const Row &)
  {
    pin::computeFrameJacobian(r.model, *r.data, q, r.frame, reference, r.J);
    if (reference != pin::LOCAL_WORLD_ALIGNED) pin::updateFramePlacement(r.model, *r.data, r.frame);
  }
  static void write(Race & r, double * out) { write_frame(r, out); }
};

// --- motion ----------------------------------------------------------------------------------------------------------

// The classical method of Runge and Kutta: fixed steps, nothing written down between them. Joints turn or slide, so that
// rates of coordinates are velocities.
template<pin::Convention convention>
__attribute__((noinline)) static void move(Race & r, double * q_out, double * v_out, double h, std::int64_t steps)
{
  const Eigen::Index n = r.model.nv;
  Eigen::VectorXd q = Row(q_out, n), v = Row(v_out, n);
  Eigen::VectorXd place(n), speed(n), a(n), dq(n), dv(n);
  const Eigen::VectorXd tau = Eigen::VectorXd::Zero(n);
  for (std::int64_t step = 0; step < steps; ++step)
  {
    a = pin::aba(r.model, *r.data, q, v, tau, convention);
    dq = v;
    dv = a;
    place = q + 0.5 * h * v;
    speed = v + 0.5 * h * a;
    for (const double next : {0.5, 1.0})
    {
      a = pin::aba(r.model, *r.data, place, speed, tau, convention);
      dq += 2.0 * speed;
      dv += 2.0 * a;
      place = q + next * h * speed;
      speed = v + next * h * a;
    }
    a = pin::aba(r.model, *r.data, place, speed, tau, convention);
    q += h / 6.0 * (dq + speed);
    v += h / 6.0 * (dv + a);
  }
  std::memcpy(q_out, q.data(), n * sizeof(double));
  std::memcpy(v_out, v.data(), n * sizeof(double));
}

// --- rows ------------------------------------------------------------------------------------------------------------

template<class Task>
__attribute__((noinline)) static double
rows(Race & r, std::int64_t count, const double * q, const double * v, const double * x, std::int64_t passes)
{
  const std::int64_t nq = r.model.nq, nv = r.model.nv;
  const auto start = std::chrono::steady_clock::now();
  for (std::int64_t pass = 0; pass < passes; ++pass)
    for (std::int64_t i = 0; i < count; ++i)
      Task::run(r, Row(q + i * nq, nq), Row(v + i * nv, nv), Row(x + i * nv, nv));
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  return time.count() / double(count * passes);
}

template<class Task>
static double turn(
  Race & r, std::int64_t count, const double * q, const double * v, const double * x, double * out,
  std::int64_t width, std::int64_t passes)
{
  if (!out) return rows<Task>(r, count, q, v, x, passes);
  const std::int64_t nq = r.model.nq, nv = r.model.nv;
  for (std::int64_t i = 0; i < count; ++i)
  {
    Task::run(r, Row(q + i * nq, nq), Row(v + i * nv, nv), Row(x + i * nv, nv));
    Task::write(r, out + i * width);
  }
  return 0.0;
}

using Turn = double (*)(
  Race &, std::int64_t, const double *, const double *, const double *, double *, std::int64_t, std::int64_t);

static const struct
{
  const char * name;
  Turn turn;
} TASKS[] = {
  {"rnea", turn<Rnea>},
  {"crba local", turn<Crba<pin::Convention::LOCAL>>},
  {"crba world", turn<Crba<pin::Convention::WORLD>>},
  {"aba local", turn<Aba<pin::Convention::LOCAL>>},
  {"aba world", turn<Aba<pin::Convention::WORLD>>},
  {"crba local + cholesky", turn<CrbaCholesky<pin::Convention::LOCAL>>},
  {"crba world + cholesky", turn<CrbaCholesky<pin::Convention::WORLD>>},
  {"joint jacobians, local", turn<AllJacobians<pin::LOCAL>>},
  {"joint jacobians, world", turn<AllJacobians<pin::WORLD>>},
  {"joint jacobians, aligned", turn<AllJacobians<pin::LOCAL_WORLD_ALIGNED>>},
  {"frame jacobian, world", turn<OneJacobian<pin::WORLD>>},
  {"frame jacobian, aligned", turn<OneJacobian<pin::LOCAL_WORLD_ALIGNED>>},
};

extern "C" {

const char * race_version() { return PINOCCHIO_VERSION; }

// Null where the text is not understood.
Race * race_new(const char * text)
{
  try
  {
    auto race = std::make_unique<Race>();
    build(*race, text);
    return race.release();
  }
  catch (const std::exception &)
  {
    return nullptr;
  }
}

void race_delete(Race * race) { delete race; }
std::int64_t race_nq(const Race * race) { return race->model.nq; }
std::int64_t race_nv(const Race * race) { return race->model.nv; }

// The number of a task, -1 where there is none of that name.
std::int64_t race_task(const char * name)
{
  for (std::size_t i = 0; i < sizeof TASKS / sizeof *TASKS; ++i)
    if (!std::strcmp(TASKS[i].name, name)) return std::int64_t(i);
  return -1;
}

// With `out`: compute and write the results, `width` numbers a row. Without: seconds a state over all passes.
double race_run(
  Race * race, std::int64_t task, std::int64_t count, const double * q, const double * v, const double * x,
  double * out, std::int64_t width, std::int64_t passes)
{
  return TASKS[task].turn(*race, count, q, v, x, out, width, passes);
}

// A motion without forces from q and v, which take its end; the seconds it took.
double race_move(Race * race, std::int64_t world, double * q, double * v, double h, std::int64_t steps)
{
  const auto start = std::chrono::steady_clock::now();
  if (world)
    move<pin::Convention::WORLD>(*race, q, v, h, steps);
  else
    move<pin::Convention::LOCAL>(*race, q, v, h, steps);
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  return time.count();
}
}
