// SPDX-License-Identifier: Apache-2.0
// The one table of colours: every token in every scheme.
#pragma once

#include "app/studio/base/style/theme.h"

#include <array>

namespace remat::studio {

/// One token as 0xRRGGBB in each scheme.
struct TokenRow {
    Token token;
    const char *name; ///< as style sheets write it: `@accentSoft`
    QRgb light, dark, highContrast;
};

/// In the order of Token.
constexpr std::array<TokenRow, kTokenCount> kThemeTable{{
    {Token::Window, "window", 0xF1F3F6, 0x0F1115, 0x000000},
    {Token::Panel, "panel", 0xFFFFFF, 0x181B21, 0x000000},
    {Token::Plot, "plot", 0xFFFFFF, 0x14171C, 0x000000},
    {Token::Raised, "raised", 0xF7F8FA, 0x20242C, 0x0E0E0E},
    {Token::Sunken, "sunken", 0xE9ECF1, 0x0B0D10, 0x000000},
    {Token::Line, "line", 0xD5DAE2, 0x2D323C, 0x8C8C8C},
    {Token::LineStrong, "lineStrong", 0x7D8696, 0x6E7787, 0xFFFFFF},
    {Token::Text, "text", 0x171B22, 0xECEFF4, 0xFFFFFF},
    {Token::Text2, "text2", 0x4A5361, 0xB4BCC9, 0xF2F2F2},
    {Token::Text3, "text3", 0x5F6877, 0x8E97A6, 0xD0D0D0},
    {Token::Accent, "accent", 0x2457D6, 0x7AA2FF, 0x8AB8FF},
    {Token::OnAccent, "onAccent", 0xFFFFFF, 0x0B1530, 0x000000},
    {Token::AccentSoft, "accentSoft", 0xE4ECFD, 0x1E2B4A, 0x00307A},
    {Token::Focus, "focus", 0x2457D6, 0x9DBBFF, 0xFFE500},
    {Token::Error, "error", 0xB3261E, 0xFF8A80, 0xFF9C94},
    {Token::ErrorSoft, "errorSoft", 0xFCE9E7, 0x3A1A1A, 0x000000},
    {Token::Warn, "warn", 0x8A5300, 0xF2B84B, 0xFFD166},
    {Token::WarnSoft, "warnSoft", 0xFFF3DC, 0x33270F, 0x000000},
    {Token::Ok, "ok", 0x176B3A, 0x6FD08C, 0x7CF0A0},
    {Token::OkSoft, "okSoft", 0xE3F4E9, 0x14301F, 0x000000},
    {Token::Budget, "budget", 0xC4122F, 0xFF6B7D, 0xFF7A8C},
    {Token::Ghost, "ghost", 0x6B7484, 0x9AA3B2, 0xFFFFFF},
    {Token::Bound, "bound", 0x8A6A5A, 0xA08A80, 0xC8B0A4},
    {Token::PlanA, "planA", 0x2457D6, 0x7AA2FF, 0x8AB8FF},
    {Token::PlanB, "planB", 0xA32A5C, 0xFF9EC4, 0xFFB0D0},
    {Token::Parameters, "parameters", 0x5A6372, 0x858E9D, 0xA8B0BC},
    {Token::States, "states", 0x7A2E1E, 0x965406, 0xA86606},
    {Token::Kept, "kept", 0x4C7FF0, 0x5287FF, 0x5C94FF},
    {Token::Recomputed, "recomputed", 0xDB7A08, 0xE2930D, 0xFF9F0A},
    {Token::Gradients, "gradients", 0x5B1F8A, 0xC6B5F9, 0xD9CCFF},
    {Token::ParameterGradients, "parameterGradients", 0xEA4AA8, 0xEA3B68, 0xFF4F7B},
    {Token::Offloaded, "offloaded", 0x2A9478, 0x5DE6C0, 0x5CFFD0},
    {Token::Workspace, "workspace", 0x7E7A35, 0xF0E65A, 0xFFF35C},
}};

} // namespace remat::studio
