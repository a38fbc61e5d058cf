// SPDX-License-Identifier: Apache-2.0
// Rows of a test that differ in one text, such as the name of a sample or of a planner.
#pragma once

#include <QtTest>

#include <initializer_list>

namespace remat::test {

inline constexpr auto kTinySamples = {"tiny_gpt2", "tiny_resnet", "tiny_unet", "tiny_transformer"};

/// A row for each text, named as the text, which stands in the column (a QString).
inline void textRows(const char *column, std::initializer_list<const char *> texts)
{
    QTest::addColumn<QString>(column);
    for (const char *text : texts)
        QTest::newRow(text) << QString::fromUtf8(text);
}

} // namespace remat::test
