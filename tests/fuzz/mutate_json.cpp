// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/mutate.h"

#include <array>
#include <functional>

namespace remat::fuzz {

namespace {

using Json = nlohmann::ordered_json;

/// Text that stands between these in a string goes into the file as it is, for numbers that a tree cannot hold.
constexpr std::string_view kRawBegin = "\x01raw:", kRawEnd = ":raw\x01";
constexpr std::string_view kDumpedBegin = "\"\\u0001raw:", kDumpedEnd = ":raw\\u0001\"";

Json raw(const std::string &text)
{
    return std::string(kRawBegin) + text + std::string(kRawEnd);
}

std::string dumped(const Json &tree)
{
    std::string text = tree.dump(-1, ' ', false, Json::error_handler_t::replace);
    for (std::size_t at = 0; (at = text.find(kDumpedBegin, at)) != std::string::npos;) {
        const std::size_t from = at + kDumpedBegin.size();
        const std::size_t end = text.find(kDumpedEnd, from);
        if (end == std::string::npos) break;
        text.replace(at, end + kDumpedEnd.size() - at, text.substr(from, end - from));
    }
    return text;
}

/// Every place of a tree, the root first.
std::vector<Json *> placesOf(Json &tree)
{
    std::vector<Json *> places = {&tree};
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (!places[i]->is_structured()) continue;
        for (Json &child : *places[i])
            places.push_back(&child);
    }
    return places;
}

/// Structures hold few of the places but most of the meaning, so that half of the choices are theirs.
Json &somePlace(Json &tree, test::Random &random)
{
    const std::vector<Json *> places = placesOf(tree);
    Json *place = random.pick(places);
    for (int i = 0; i < 8 && random.percent(50) && !place->is_structured(); ++i)
        place = random.pick(places);
    return *place;
}

Json oddValue(test::Random &random)
{
    static const std::array<const char *, 22> kRaw = {"0",
                                                      "-1",
                                                      "1",
                                                      "2",
                                                      "-0",
                                                      "0.5",
                                                      "1e308",
                                                      "-1e308",
                                                      "1e-308",
                                                      "1e999",
                                                      "NaN",
                                                      "4611686018427387904",
                                                      "9223372036854775807",
                                                      "9223372036854775808",
                                                      "-9223372036854775808",
                                                      "18446744073709551615",
                                                      "4294967296",
                                                      "true",
                                                      "null",
                                                      "[]",
                                                      "{}",
                                                      "1e18"};
    static const std::array<const char *, 16> kTexts = {"",        " ",    "a",      "..",       "a.b.c",  "../../x",
                                                        "\"\"\"",  "\n\r", "=1+1",   "<script>", "\u202e", "é\u0301",
                                                        "\x1b[2J", "$(x)", "as_int", "%s%n"};
    switch (random.below(5)) {
    case 0: {
        Json text = "";
        std::string long_(static_cast<std::size_t>(random.below(5000)), random.percent(50) ? '.' : 'a');
        return long_;
    }
    case 1:
        return random.pick(kTexts);
    default:
        return raw(random.pick(kRaw));
    }
}

Json nested(Json inside, test::Random &random)
{
    for (int depth = random.pick(std::array{1, 2, 150, 250}); depth > 0; --depth) {
        Json outer = random.percent(50) ? Json::array() : Json::object();
        if (outer.is_array())
            outer.push_back(std::move(inside));
        else
            outer["a"] = std::move(inside);
        inside = std::move(outer);
    }
    return inside;
}

void change(Json &tree, Json &other, test::Random &random)
{
    Json &place = somePlace(tree, random);
    // JSON that stands in a text, as the tracer's records do.
    if (place.is_string() && place.get_ref<const std::string &>().starts_with('{') && random.percent(70)) {
        Json inside = Json::parse(place.get_ref<const std::string &>(), nullptr, false);
        if (!inside.is_discarded()) {
            change(inside, other, random);
            place = dumped(inside);
            return;
        }
    }
    switch (random.below(9)) {
    case 0: // a member or an element less
        if (place.is_object() && !place.empty()) {
            const auto at = std::next(place.begin(), random.below(static_cast<int>(place.size())));
            place.erase(at);
        } else if (place.is_array() && !place.empty()) {
            place.erase(place.begin() + random.below(static_cast<int>(place.size())));
        } else {
            place = nullptr;
        }
        break;
    case 1: // the same once more, elsewhere in its list
        if (place.is_array() && !place.empty()) {
            const Json copy = random.pick(place);
            place.insert(place.begin() + random.below(static_cast<int>(place.size()) + 1), copy);
        } else if (place.is_object() && !place.empty()) {
            const auto at = std::next(place.begin(), random.below(static_cast<int>(place.size())));
            const Json copy = *at;
            place[at.key() + (random.percent(50) ? "2" : "")] = copy;
        } else {
            place = oddValue(random);
        }
        break;
    case 2: { // two places change values
        const Json mine = place;
        Json &second = somePlace(tree, random);
        const Json its = second;
        second = mine;
        somePlace(tree, random) = its;
        break;
    }
    case 3: // a value of the same kind from elsewhere: names of others
        for (int tries = 0; tries < 20; ++tries) {
            const Json &from = somePlace(random.percent(80) ? tree : other, random);
            if (from.type() != place.type()) continue;
            const Json value = from;
            place = value;
            break;
        }
        break;
    case 4: {
        const Json value = somePlace(random.percent(50) ? tree : other, random);
        place = value;
        break;
    }
    case 5:
        if (random.percent(20)) place = nested(place, random);
        break;
    case 6: // a list in another order
        if (place.is_array() && place.size() > 1) {
            const std::size_t i = static_cast<std::size_t>(random.below(static_cast<int>(place.size())));
            const std::size_t j = static_cast<std::size_t>(random.below(static_cast<int>(place.size())));
            std::swap(place[i], place[j]);
        } else {
            place = oddValue(random);
        }
        break;
    default:
        if (place.is_structured() && random.percent(80)) {
            if (!place.empty())
                *std::next(place.begin(), random.below(static_cast<int>(place.size()))) = oddValue(random);
        } else {
            place = oddValue(random);
        }
    }
}

} // namespace

bool mutateJson(std::string &text, const std::string &other, test::Random &random)
{
    Json tree = Json::parse(text, nullptr, false);
    if (tree.is_discarded()) return false;
    Json others = Json::parse(other, nullptr, false);
    if (others.is_discarded()) others = tree;
    change(tree, others, random);
    text = dumped(tree);
    return true;
}

std::vector<std::string> simpler(Form form, const std::string &input)
{
    std::vector<std::string> result;
    Json tree = form == Form::Json ? Json::parse(input, nullptr, false) : Json(Json::value_t::discarded);
    if (!tree.is_discarded()) {
        const std::size_t places = placesOf(tree).size();
        for (std::size_t i = 0; i < places; ++i) {
            Json copy = tree;
            Json &place = *placesOf(copy)[i];
            if (!place.is_structured() || place.empty()) continue;
            for (std::size_t child = 0; child < place.size(); ++child) {
                Json less = copy;
                Json &holder = *placesOf(less)[i];
                if (holder.is_array())
                    holder.erase(holder.begin() + static_cast<std::ptrdiff_t>(child));
                else
                    holder.erase(std::next(holder.begin(), static_cast<std::ptrdiff_t>(child)));
                result.push_back(less.dump(-1, ' ', false, Json::error_handler_t::replace));
                if (result.size() > 2000) break;
            }
        }
    } else {
        for (std::size_t parts : {2U, 4U, 16U, 64U}) {
            const std::size_t size = input.size() / parts + 1;
            for (std::size_t at = 0; at < input.size(); at += size)
                result.push_back(input.substr(0, at) + input.substr(std::min(at + size, input.size())));
        }
    }
    std::stable_sort(result.begin(), result.end(), [](const auto &a, const auto &b) { return a.size() < b.size(); });
    return result;
}

} // namespace remat::fuzz
