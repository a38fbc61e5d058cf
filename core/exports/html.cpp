#include "core/exports/html.h"

#include "core/base/text.h"

namespace remat::html {

namespace {

constexpr const char *kStyle = R"css(
:root { --text: #171b22; --text2: #4a5361; --line: #d5dae2; --panel: #ffffff; --accent: #2457d6; --budget: #c4122f;
  --ghost: #6b7484; --bound: #8a6a5a; --c0: #5a6372; --c1: #ea4aa8; --c2: #4c7ff0; --c3: #2a9478; --c4: #5b1f8a;
  --c5: #db7a08; --c6: #7e7a35; }
@media (prefers-color-scheme: dark) { :root { --text: #eceff4; --text2: #b4bcc9; --line: #2d323c; --panel: #181b21;
  --accent: #7aa2ff; --budget: #ff6b7d; --ghost: #9aa3b2; --bound: #a08a80; --c0: #858e9d; --c1: #ea3b68; --c2: #5287ff;
  --c3: #5de6c0; --c4: #c6b5f9; --c5: #e2930d; --c6: #f0e65a; } }
body { font: 14px/1.5 Inter, system-ui, sans-serif; color: var(--text); background: var(--panel); max-width: 1000px;
  margin: 40px auto; padding: 0 20px; font-variant-numeric: tabular-nums; }
h1 { font-size: 26px; line-height: 1.25; margin: 0 0 4px; }
h2 { font-size: 16px; margin: 36px 0 8px; }
p { margin: 6px 0; color: var(--text2); }
table { border-collapse: collapse; width: 100%; margin: 8px 0; }
th, td { text-align: left; padding: 5px 14px 5px 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th { font-weight: 500; color: var(--text2); }
.n { text-align: right; white-space: nowrap; }
code, pre { font: 12.5px/1.5 "JetBrains Mono", monospace; }
pre { background: color-mix(in srgb, var(--text) 6%, transparent); padding: 10px 14px; border-radius: 8px; overflow-x: auto;
  white-space: pre-wrap; }
svg { width: 100%; height: auto; display: block; }
svg text { font: 11.5px Inter, system-ui, sans-serif; fill: var(--text2); }
.legend span { margin-right: 18px; white-space: nowrap; color: var(--text2); }
.legend i { display: inline-block; width: 11px; height: 11px; border-radius: 2px; margin-right: 6px; }
@media print { body { margin: 0; max-width: none; } h2 { break-after: avoid; } svg, table { break-inside: avoid; } }
)css";

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
