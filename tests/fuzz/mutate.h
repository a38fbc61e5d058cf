// SPDX-License-Identifier: Apache-2.0
// Inputs made from inputs.
#pragma once

#include "tests/fuzz/target.h"
#include "tests/support/random.h"

#include <nlohmann/json.hpp>

#include <optional>

namespace remat::fuzz {

/// One to four changes of `input` in the way of its form, now and then of its bare bytes. `other` is another input of
/// the target, to take parts from. At most kLargestInput bytes.
std::string mutated(const Target &target, const std::string &input, const std::string &other, test::Random &random);
constexpr std::size_t kLargestInput = std::size_t(1) << 18;

/// One change each.
void mutateBytes(std::string &bytes, const std::string &other, test::Random &random);
void mutateText(std::string &text, const std::vector<std::string> &words, test::Random &random);
/// False when the input is not of the form.
bool mutateJson(std::string &text, const std::string &other, test::Random &random);
bool mutateZip(std::string &bytes, const std::string &other, test::Random &random);

/// Smaller inputs that may still do what this one does, the smallest first: without a part of its tree, or of its
/// bytes.
std::vector<std::string> simpler(Form form, const std::string &input);

} // namespace remat::fuzz
