// SPDX-License-Identifier: Apache-2.0
// What goes between a solve and remat-cbc: frames (core/base/child_process.h) of
// bytes in this machine's own number formats.
#pragma once

#include "solvers/ilp/cbc.h"

#include <optional>
#include <string>
#include <string_view>

namespace remat::ilp {

/// The only thing that is said to the helper after its request: end, with the best so far.
constexpr char kStopByte = 's';
/// Limit for a request: a helper takes no longer one.
constexpr std::size_t kMostRequestBytes = std::size_t(1) << 32;
/// With what a helper ends that cannot read its request.
constexpr int kRefusedRequest = 2;

/// A solve as it arrives: of the limits, all but stop and progress; the deadline starts anew with what was left of it.
struct HelperRequest {
    Model model;
    Limits limits;
};

/// One of the two: figures while it runs, or the end.
struct HelperReply {
    std::optional<Progress> progress;
    std::optional<Solution> solution;
};

/// The bytes of a message, to be sent as one frame.
std::string pack(const Model &model, const Limits &limits);
std::string pack(const Progress &progress);
std::string pack(const Solution &solution);

/// Nothing when the bytes are no such message, one of another version of the program, or its model is not consistent.
std::optional<HelperRequest> unpackRequest(std::string_view bytes);
std::optional<HelperReply> unpackReply(std::string_view bytes);

} // namespace remat::ilp
