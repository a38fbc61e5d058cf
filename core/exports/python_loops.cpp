// SPDX-License-Identifier: Apache-2.0
#include "core/exports/python_loops.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <fmt/core.h>
#include <map>
#include <optional>
#include <set>

namespace remat::python {

namespace {

constexpr int kFewestTurns = 3;
/// A chunk with more lines than this is left as it is.
constexpr std::size_t kMostLines = 1000;
constexpr std::string_view kIndent = "    ";

bool isWordStart(char c)
{
    return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}

bool isWord(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// A variable of a chunk, a whole number, or anything else as it stands.
struct Token {
    enum class Kind : std::uint8_t { Text, Number, Piece } kind = Kind::Text;
    std::string text;        ///< as it stands
    std::int64_t number = 0; ///< its value; the chunk, where it is a piece
    std::string whole = {};  ///< the value that it is a piece of
};

struct Line {
    std::string indent;
    std::vector<Token> tokens;
    bool isDel = false;
    bool hasPiece = false;
};

class Reader
{
public:
    explicit Reader(const std::unordered_map<std::string, PieceName> &pieces) : m_pieces(pieces) {}

    Line read(const std::string &text) const
    {
        Line line;
        const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
        line.indent = text.substr(0, begin);
        line.isDel = text.compare(begin, 4, "del ") == 0;
        for (std::size_t at = begin; at < text.size();) {
            Token token = tokenAt(text, at);
            at += m_length;
            line.hasPiece = line.hasPiece || token.kind == Token::Kind::Piece;
            line.tokens.push_back(std::move(token));
        }
        return line;
    }

private:
    Token tokenAt(const std::string &text, std::size_t at) const
    {
        const char c = text[at];
        std::size_t end = at + 1;
        if (c == '"' || c == '\'') {
            while (end < text.size() && text[end] != c)
                end += text[end] == '\\' ? 2 : 1;
            end = std::min(end + 1, text.size());
        } else if (isWordStart(c)) {
            while (end < text.size() && isWord(text[end]))
                ++end;
            m_length = end - at;
            std::string name = text.substr(at, m_length);
            const auto piece = at > 0 && text[at - 1] == '.' ? m_pieces.end() : m_pieces.find(name);
            if (piece != m_pieces.end())
                return {Token::Kind::Piece, std::move(name), piece->second.chunk, piece->second.whole};
            return {Token::Kind::Text, std::move(name), 0};
        } else if (std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '-') {
            while (end < text.size() && (isWord(text[end]) || text[end] == '.'))
                ++end;
            std::int64_t number = 0;
            const auto [rest, error] = std::from_chars(text.data() + at, text.data() + end, number);
            m_length = end - at;
            if (error == std::errc() && rest == text.data() + end)
                return {Token::Kind::Number, text.substr(at, m_length), number};
        }
        m_length = end - at;
        return {Token::Kind::Text, text.substr(at, m_length), 0};
    }

    const std::unordered_map<std::string, PieceName> &m_pieces;
    mutable std::size_t m_length = 0;
};

/// Lines `begin` up to `begin + turns × length`, of which each turn does what the one before did for the next chunk.
struct Loop {
    std::size_t begin = 0, length = 0;
    std::int64_t turns = 0;
    std::int64_t firstChunk = 0; ///< the highest chunk in the first turn, which the loop's variable counts from
    std::int64_t spread = 0;     ///< how far from it the other chunks of a turn are, summed up

    std::size_t end() const { return begin + static_cast<std::size_t>(turns) * length; }
};

class Roller
{
public:
    Roller(const std::vector<std::string> &lines, const std::unordered_map<std::string, PieceName> &pieces,
           const std::function<std::string(const std::string &)> &newName)
        : m_newName(newName)
    {
        const Reader reader(pieces);
        m_lines.reserve(lines.size());
        for (const std::string &line : lines)
            m_lines.push_back(reader.read(line));
    }

    std::vector<std::string> rolled()
    {
        for (std::size_t at = 0; at < m_lines.size();) {
            const std::optional<Loop> loop = m_lines[at].hasPiece ? loopAt(at) : std::nullopt;
            if (loop) m_loops.push_back(*loop);
            at = loop ? loop->end() : at + 1;
        }
        chooseNames();
        return write();
    }

private:
    /// By how much the token grows from one turn to the next; none where it is another kind of thing there.
    static std::optional<std::int64_t> growth(const Token &from, const Token &to)
    {
        if (from.kind != to.kind) return {};
        if (from.kind == Token::Kind::Number) return to.number - from.number;
        if (from.kind == Token::Kind::Piece && from.whole == to.whole) return to.number - from.number;
        return from.text == to.text ? std::optional<std::int64_t>(0) : std::nullopt;
    }

    /// Whether line `to` does for a later chunk what line `from` does; `same` holds the growth of its tokens so far.
    bool follows(const Line &from, const Line &to, std::vector<std::int64_t> &growths, bool first) const
    {
        if (from.indent != to.indent || from.tokens.size() != to.tokens.size()) return false;
        if (first) growths.clear();
        for (std::size_t t = 0; t < from.tokens.size(); ++t) {
            const auto grown = growth(from.tokens[t], to.tokens[t]);
            if (!grown) return false;
            if (from.tokens[t].kind == Token::Kind::Piece && *grown != 0 && *grown != 1) return false;
            if (first)
                growths.push_back(*grown);
            else if (growths[t] != *grown)
                return false;
        }
        return true;
    }

    std::int64_t turnsOf(std::size_t begin, std::size_t length) const
    {
        std::vector<std::vector<std::int64_t>> growths(length);
        std::int64_t turns = 1;
        for (std::size_t turn = begin + length; turn + length <= m_lines.size(); turn += length, ++turns)
            for (std::size_t i = 0; i < length; ++i)
                if (!follows(m_lines[turn - length + i], m_lines[turn + i], growths[i], turns == 1)) return turns;
        return turns;
    }

    /// Fills in which chunks a turn is about; false where it is the same in every turn.
    bool measure(Loop &loop) const
    {
        std::vector<std::int64_t> chunks;
        for (std::size_t i = loop.begin; i < loop.begin + loop.length; ++i)
            for (std::size_t t = 0; t < m_lines[i].tokens.size(); ++t) {
                const Token &token = m_lines[i].tokens[t];
                if (token.kind == Token::Kind::Piece && m_lines[i + loop.length].tokens[t].number != token.number)
                    chunks.push_back(token.number);
            }
        if (chunks.empty()) return false;
        loop.firstChunk = *std::max_element(chunks.begin(), chunks.end());
        loop.spread = 0;
        for (const std::int64_t chunk : chunks)
            loop.spread += loop.firstChunk - chunk;
        return true;
    }

    std::optional<Loop> loopAt(std::size_t begin) const
    {
        Loop best;
        for (std::size_t next = begin + 1; next < m_lines.size() && next - begin <= kMostLines; ++next) {
            std::vector<std::int64_t> growths;
            if (!follows(m_lines[begin], m_lines[next], growths, true)) continue;
            Loop loop{begin, next - begin, turnsOf(begin, next - begin), 0, 0};
            if (loop.turns < kFewestTurns || !measure(loop)) continue;
            if (loop.end() > best.end()) best = loop;
        }
        if (best.length == 0) return {};
        // The same turns may begin at any of their lines: best where all of a turn is about one chunk.
        Loop found = best;
        for (std::size_t shift = 1; shift < found.length; ++shift) {
            Loop loop{found.begin + shift, found.length, turnsOf(found.begin + shift, found.length), 0, 0};
            if (loop.turns < std::max<std::int64_t>(kFewestTurns, found.turns - 1) || !measure(loop)) continue;
            if (loop.spread < best.spread) best = loop;
        }
        return best;
    }

    /// Where each piece of a value stands: the lines, by chunk.
    std::map<std::pair<std::string, std::int64_t>, std::pair<std::size_t, std::size_t>> placesOfPieces() const
    {
        std::map<std::pair<std::string, std::int64_t>, std::pair<std::size_t, std::size_t>> places;
        for (std::size_t i = 0; i < m_lines.size(); ++i)
            for (const Token &token : m_lines[i].tokens)
                if (token.kind == Token::Kind::Piece) {
                    const auto place = places.try_emplace({token.whole, token.number}, i, i).first;
                    place->second.second = i;
                }
        return places;
    }

    void chooseNames()
    {
        const auto places = placesOfPieces();
        for (const auto &[piece, place] : places) {
            std::int64_t &most = m_mostChunk.try_emplace(piece.first, 0).first->second;
            most = std::max(most, piece.second);
        }
        for (const Loop &loop : m_loops) {
            std::set<std::string> grows, leaves;
            for (std::size_t i = loop.begin; i < loop.begin + loop.length; ++i)
                for (std::size_t t = 0; t < m_lines[i].tokens.size(); ++t) {
                    const Token &token = m_lines[i].tokens[t];
                    if (token.kind != Token::Kind::Piece) continue;
                    if (m_lines[i + loop.length].tokens[t].number == token.number) continue;
                    grows.insert(token.whole);
                    if (token.number != loop.firstChunk) leaves.insert(token.whole);
                }
            for (const std::string &whole : grows)
                for (std::int64_t turn = 0; turn < loop.turns; ++turn) {
                    const auto place = places.find({whole, loop.firstChunk + turn});
                    const std::size_t begin = loop.begin + static_cast<std::size_t>(turn) * loop.length;
                    if (place == places.end() || place->second.first < begin ||
                        place->second.second >= begin + loop.length)
                        leaves.insert(whole);
                }
            for (const std::string &whole : leaves)
                if (grows.contains(whole) && !m_list.contains(whole)) m_list[whole] = m_newName(whole + "_pieces");
        }
    }

    static std::string sum(std::int64_t factor, const std::string &variable, std::int64_t constant)
    {
        std::string text = factor == 1 ? variable : fmt::format("{} * {}", factor, variable);
        if (constant != 0) text += (constant > 0 ? " + " : " - ") + std::to_string(constant > 0 ? constant : -constant);
        return text;
    }

    /// The name of a piece outside of loops, or of one that is the same in every turn.
    std::string nameOf(const Token &token) const
    {
        const auto list = m_list.find(token.whole);
        return list == m_list.end() ? token.text : fmt::format("{}[{}]", list->second, token.number);
    }

    std::string inLoop(const Loop &loop, std::size_t line, std::size_t t)
    {
        const Token &token = m_lines[line].tokens[t];
        const Token &next = m_lines[line + loop.length].tokens[t];
        const std::int64_t grown = next.number - token.number;
        if (token.kind == Token::Kind::Text || (token.kind == Token::Kind::Number && grown == 0)) return token.text;
        if (token.kind == Token::Kind::Number) return sum(grown, m_variable, token.number - grown * loop.firstChunk);
        if (grown == 0) return nameOf(token);
        if (const auto list = m_list.find(token.whole); list != m_list.end())
            return fmt::format("{}[{}]", list->second, sum(1, m_variable, token.number - loop.firstChunk));
        std::string &name = m_local[token.whole];
        if (name.empty()) name = m_newName(token.whole);
        return name;
    }

    std::string emptyList(const std::string &whole) const
    {
        return fmt::format("{} = [None] * {}", m_list.at(whole), m_mostChunk.at(whole) + 1);
    }

    /// Deleting an element would move the ones behind it.
    void writeDel(const Line &line, const std::string &indent, const std::vector<std::string> &words,
                  std::vector<std::string> &result) const
    {
        std::map<std::string, std::int64_t> gone;
        for (const Token &token : line.tokens)
            if (token.kind == Token::Kind::Piece && m_list.contains(token.whole)) ++gone[token.whole];
        const auto isAll = [&](const std::string &whole) {
            return gone[whole] == m_mostChunk.at(whole) + 1 && m_mostChunk.at(whole) > 0;
        };
        std::string names;
        for (std::size_t t = 0; t < words.size(); ++t) {
            const Token &token = line.tokens[t];
            const bool isName = token.kind == Token::Kind::Piece ||
                                (t > 0 && token.kind == Token::Kind::Text && isWordStart(token.text.front()));
            if (!isName) continue;
            if (token.kind == Token::Kind::Piece && m_list.contains(token.whole)) {
                if (!isAll(token.whole))
                    result.push_back(fmt::format("{}{} = None", indent, words[t]));
                else if (token.number == 0)
                    result.push_back(indent + emptyList(token.whole));
            } else
                names += (names.empty() ? "" : ", ") + words[t];
        }
        if (!names.empty()) result.push_back(fmt::format("{}del {}", indent, names));
    }

    template <class Word>
    void writeLine(std::size_t line, const std::string &more, const Word &word, std::vector<std::string> &result)
    {
        std::vector<std::string> words;
        words.reserve(m_lines[line].tokens.size());
        for (std::size_t t = 0; t < m_lines[line].tokens.size(); ++t)
            words.push_back(word(t));
        const std::string indent = m_lines[line].indent + more;
        if (m_lines[line].isDel) return writeDel(m_lines[line], indent, words, result);
        std::string text = indent;
        for (const std::string &each : words)
            text += each;
        result.push_back(std::move(text));
    }

    std::vector<std::string> write()
    {
        std::vector<std::string> result;
        result.reserve(m_list.size() + m_lines.size());
        if (!m_loops.empty()) m_variable = m_newName("chunk");
        for (const auto &[whole, list] : m_list)
            result.push_back(std::string(kIndent) + emptyList(whole));
        auto loop = m_loops.begin();
        for (std::size_t i = 0; i < m_lines.size();) {
            if (loop == m_loops.end() || i != loop->begin) {
                writeLine(
                    i, {},
                    [&](std::size_t t) {
                        const Token &token = m_lines[i].tokens[t];
                        return token.kind == Token::Kind::Piece ? nameOf(token) : token.text;
                    },
                    result);
                ++i;
                continue;
            }
            result.push_back(fmt::format("{}for {} in range({}, {}):", m_lines[i].indent, m_variable, loop->firstChunk,
                                         loop->firstChunk + loop->turns));
            for (; i < loop->begin + loop->length; ++i)
                writeLine(
                    i, std::string(kIndent), [&](std::size_t t) { return inLoop(*loop, i, t); }, result);
            i = loop->end();
            ++loop;
        }
        return result;
    }

    const std::function<std::string(const std::string &)> &m_newName;
    std::vector<Line> m_lines;
    std::vector<Loop> m_loops;
    std::string m_variable;
    std::map<std::string, std::string> m_list, m_local; ///< by value: its list, and its name within a chunk
    std::map<std::string, std::int64_t> m_mostChunk;
};

} // namespace

std::vector<std::string> withLoops(const std::vector<std::string> &lines,
                                   const std::unordered_map<std::string, PieceName> &pieces,
                                   const std::function<std::string(const std::string &)> &newName)
{
    return Roller(lines, pieces, newName).rolled();
}

} // namespace remat::python
