// SPDX-License-Identifier: Apache-2.0
#include "core/exports/html.h"

#include "core/base/text.h"

namespace remat::html {

namespace {

constexpr const char *kStyle =
#include "page.css.inc"
    ;

void addRow(std::string &text, const std::vector<Cell> &cells, const char *tag)
{
    text += "<tr>";
    for (const Cell &cell : cells)
        text += std::string("<") + tag + (cell.number ? " class=\"n\">" : ">") + escaped(cell.text) + "</" + tag + ">";
    text += "</tr>\n";
}

} // namespace

std::string escaped(const std::string &text)
{
    std::string result;
    for (const char c : printable(text)) {
        switch (c) {
        case '&':
            result += "&amp;";
            break;
        case '<':
            result += "&lt;";
            break;
        case '>':
            result += "&gt;";
            break;
        case '"':
            result += "&quot;";
            break;
        case '\'':
            result += "&#39;";
            break;
        default:
            result += c;
        }
    }
    return result;
}

std::string table(const std::vector<Cell> &head, const std::vector<std::vector<Cell>> &rows)
{
    std::string text = "<table>\n<thead>";
    addRow(text, head, "th");
    text += "</thead>\n<tbody>\n";
    for (const std::vector<Cell> &row : rows)
        addRow(text, row, "td");
    return text + "</tbody>\n</table>\n";
}

std::string section(const std::string &title, const std::string &body)
{
    return "<section>\n<h2>" + escaped(title) + "</h2>\n" + body + "</section>\n";
}

std::string page(const std::string &title, const std::string &body, const PageParts &parts)
{
    const std::string allowed = parts.script.empty() ? "" : "; script-src 'unsafe-inline'";
    const std::string script = parts.script.empty() ? "" : "<script>\n" + parts.script + "</script>\n";
    return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
           "content=\"width=device-width\">\n<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
           "'none'; style-src "
           "'unsafe-inline'" +
           allowed + "\">\n<title>" + escaped(title) + "</title>\n<style>" + kStyle + parts.style +
           "</style>\n</head>\n<body>\n" + body + script + "</body>\n</html>\n";
}

} // namespace remat::html
