#pragma once
// One maker for each problem.

#include "catalogue/initial_value_catalogue.hpp"

namespace daewave::catalogue {

InitialValueProblemPtr make_slider_crank(const Parameters& parameters);
InitialValueProblemPtr make_andrews(const Parameters& parameters);
InitialValueProblemPtr make_car_axis(const Parameters& parameters);
InitialValueProblemPtr make_truck(const Parameters& parameters);
InitialValueProblemPtr make_chain(const Parameters& parameters);
InitialValueProblemPtr make_scissors(const Parameters& parameters);
InitialValueProblemPtr make_wheelset(const Parameters& parameters);

// Two coordinates, one constraint: planar_systems.cpp.
InitialValueProblemPtr make_pendulum(const Parameters& parameters);
InitialValueProblemPtr make_eich_pendulum(const Parameters& parameters);
InitialValueProblemPtr make_two_link_arm_1(const Parameters& parameters);
InitialValueProblemPtr make_two_link_arm_2(const Parameters& parameters);
InitialValueProblemPtr make_al2_example6_4(const Parameters& parameters);

// Index 2, two states, one constraint: index2_examples.cpp.
InitialValueProblemPtr make_al2_example3_1(const Parameters& parameters);
InitialValueProblemPtr make_al2_example6_1(const Parameters& parameters);
InitialValueProblemPtr make_al2_example6_2(const Parameters& parameters);
InitialValueProblemPtr make_al2_example6_3(const Parameters& parameters);

/// The value of a parameter, > 0 and finite. @throws InvalidOption
double positive(const Parameters& parameters, const std::string& name);
/// A whole number from 1 to `most`. @throws InvalidOption
int whole_number(const Parameters& parameters, const std::string& name, int most);
double value_of(const Parameters& parameters, const std::string& name);

}  // namespace daewave::catalogue
