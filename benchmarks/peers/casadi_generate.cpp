// Pinocchio's algorithms on CasADi's symbols, printed as C: what people generate for a robot that they know beforehand.
//
// Symbols forget zeros and multiply by nothing that is one; of every way there is another in which CasADi looks for
// common subexpressions.

#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>

#include <casadi/casadi.hpp>

#include <pinocchio/autodiff/casadi.hpp>

#include "pinocchio_model.hpp"

#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/cholesky.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/rnea.hpp>

using Scalar = casadi::SX;
using Model = pin::ModelTpl<Scalar>;
using Data = pin::DataTpl<Scalar>;
using Vector = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;

static Vector symbols(const char * name, Eigen::Index size, Scalar & all)
{
  all = Scalar::sym(name, size);
  Vector found(size);
  for (Eigen::Index i = 0; i < size; ++i)
    found[i] = all(casadi_int(i));
  return found;
}

template<class Matrix>
static Scalar column(const Matrix & entries)
{
  Scalar found(casadi::Sparsity::dense(entries.size(), 1));
  for (Eigen::Index i = 0; i < entries.size(); ++i)
    found(casadi_int(i)) = entries[i];
  return found;
}

// The half that Pinocchio fills, without what is always zero.
static Scalar upper(const Data::MatrixXs & M)
{
  Scalar found(M.rows(), M.cols());
  for (Eigen::Index i = 0; i < M.rows(); ++i)
    for (Eigen::Index j = i; j < M.cols(); ++j)
      if (!M(i, j).is_zero()) found(casadi_int(i), casadi_int(j)) = M(i, j);
  return found;
}

static Scalar solve(const Model & model, const Vector & q, const Vector & v, const Vector & tau, pin::Convention way)
{
  Data data(model);
  pin::nonLinearEffects(model, data, q, v);
  pin::crba(model, data, q, way);
  pin::cholesky::decompose(model, data);
  Vector a = tau - data.nle;
  pin::cholesky::solve(model, data, a);
  return column(a);
}

static void generate(const char * text, const char * folder, const char * file)
{
  pin::Model numbers;
  read_model(numbers, text);
  const Model model = numbers.cast<Scalar>();
  Scalar q_all, v_all, x_all;
  const Vector q = symbols("q", model.nq, q_all), v = symbols("v", model.nv, v_all), x = symbols("x", model.nv, x_all);
  casadi::CodeGenerator code(file);
  const auto add = [&](const std::string & name, const Scalar & result) {
    code.add(casadi::Function(name, {q_all, v_all, x_all}, {result}));
    code.add(casadi::Function(name + "_cse", {q_all, v_all, x_all}, {cse(result)}));
  };
  {
    Data data(model);
    add("rnea", column(pin::rnea(model, data, q, v, x)));
  }
  for (const auto way : {pin::Convention::LOCAL, pin::Convention::WORLD})
  {
    const std::string name = way == pin::Convention::LOCAL ? "local" : "world";
    Data crba(model), aba(model);
    add("crba_" + name, upper(pin::crba(model, crba, q, way)));
    add("aba_" + name, column(pin::aba(model, aba, q, v, x, way)));
    add("cholesky_" + name, solve(model, q, v, x, way));
  }
  code.generate(folder);
}

extern "C" {

const char * generate_version() { return PINOCCHIO_VERSION; }
const char * generate_casadi() { return casadi::CasadiMeta::version(); }

// Writes FILE.c into a folder whose name ends in a slash. 0, or 1 where the text is not understood.
std::int64_t generate_code(const char * text, const char * folder, const char * file)
{
  try
  {
    generate(text, folder, file);
    return 0;
  }
  catch (const std::exception & error)
  {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
}
