// SPDX-License-Identifier: Apache-2.0
// A sentence for the person at the window, with at most one way out.
#pragma once

#include <QString>

#include <functional>

namespace remat::studio {

/// Shown as a strip in the window, never as a box that has to be clicked away.
struct Notice {
    enum class Kind { Error, Done, Caveat };
    Kind kind = Kind::Error;
    QString sentence;
    QString actionText; ///< a verb; empty when there is no way out to offer
    std::function<void()> action;

    /// Something went wrong.
    static Notice failure(const QString &sentence) { return {Kind::Error, sentence, {}, {}}; }
    /// What was done, or what is worth knowing.
    static Notice news(const QString &sentence) { return {Kind::Done, sentence, {}, {}}; }
    /// What is shown is right only under this condition.
    static Notice caveat(const QString &sentence) { return {Kind::Caveat, sentence, {}, {}}; }

    bool isError() const { return kind == Kind::Error; }
};

} // namespace remat::studio
