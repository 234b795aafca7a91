// A model of Pinocchio from text, one item a line, written by the Python side from the model that it compares with:
//   gravity x y z
//   joint TYPE parent  axis(3)  R(9, by rows) p(3)  mass com(3) I(xx xy yy xz yz zz, about the mass centre)
//   frame joint  R(9) p(3)

#pragma once

#include <sstream>
#include <stdexcept>
#include <string>

#include <pinocchio/multibody.hpp>
#include <pinocchio/multibody/joint.hpp>

namespace pin = pinocchio;

static pin::SE3 read_placement(std::istream & line)
{
  Eigen::Matrix3d R;
  Eigen::Vector3d p;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      line >> R(i, j);
  for (int i = 0; i < 3; ++i)
    line >> p[i];
  return pin::SE3(R, p);
}

static pin::JointModel joint_model(const std::string & type, const Eigen::Vector3d & axis)
{
  if (type == "RX") return pin::JointModelRX();
  if (type == "RY") return pin::JointModelRY();
  if (type == "RZ") return pin::JointModelRZ();
  if (type == "PX") return pin::JointModelPX();
  if (type == "PY") return pin::JointModelPY();
  if (type == "PZ") return pin::JointModelPZ();
  if (type == "RevoluteUnaligned") return pin::JointModelRevoluteUnaligned(axis);
  if (type == "PrismaticUnaligned") return pin::JointModelPrismaticUnaligned(axis);
  if (type == "Planar") return pin::JointModelPlanar();
  if (type == "FreeFlyer") return pin::JointModelFreeFlyer();
  throw std::runtime_error("unknown joint " + type);
}

// Adds everything to the model; returns the tool frame.
static pin::FrameIndex read_model(pin::Model & model, const char * text)
{
  pin::FrameIndex frame = 0;
  std::istringstream lines{std::string(text)};
  for (std::string content; std::getline(lines, content);)
  {
    std::istringstream line(content);
    std::string word;
    line >> word;
    if (word == "gravity")
    {
      Eigen::Vector3d g;
      line >> g[0] >> g[1] >> g[2];
      model.gravity.linear() = g;
    }
    else if (word == "joint")
    {
      std::string type;
      std::size_t parent;
      Eigen::Vector3d axis, com;
      line >> type >> parent >> axis[0] >> axis[1] >> axis[2];
      const pin::SE3 X = read_placement(line);
      double mass, xx, xy, yy, xz, yz, zz;
      line >> mass >> com[0] >> com[1] >> com[2] >> xx >> xy >> yy >> xz >> yz >> zz;
      Eigen::Matrix3d I;
      I << xx, xy, xz, xy, yy, yz, xz, yz, zz;
      const auto joint = model.addJoint(parent, joint_model(type, axis), X, "joint" + std::to_string(model.njoints));
      model.appendBodyToJoint(joint, pin::Inertia(mass, com, I), pin::SE3::Identity());
    }
    else if (word == "frame")
    {
      std::size_t joint;
      line >> joint;
      const pin::SE3 X = read_placement(line);
      frame = model.addFrame(pin::Frame("tool", joint, 0, X, pin::OP_FRAME));
    }
    if (line.fail()) throw std::runtime_error("bad line: " + content);
  }
  return frame;
}
