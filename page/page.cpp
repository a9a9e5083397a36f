#include "page/page.hpp"

#include <algorithm>
#include <string_view>

#include "io/atomic_file.hpp"
#include "io/svg_text.hpp"
#include "page/embedded.hpp"
#include "page/page_data.hpp"

namespace daewave::page {
namespace {

std::string_view text_of(std::string_view name) {
  const EmbeddedTexts& texts = embedded();
  return std::find_if(texts.begin(), texts.end(),
                      [&](const auto& one) { return one.first == name; })
      ->second;
}

/// A script as an element. What is in it must not end it.
std::string script(std::string_view text) {
  std::string out("<script>\n");
  for (std::size_t begin = 0;;) {
    const std::size_t end = text.find("</script", begin);
    out += text.substr(begin, end - begin);
    if (end == std::string_view::npos) break;
    out += "<\\/script";
    begin = end + 8;
  }
  return out + "\n</script>\n";
}

bool is_spatial(const Page& page) {
  return std::any_of(page.runs.begin(), page.runs.end(),
                     [](const Run& run) { return run.drawing.spatial; });
}

/// What people see who run no scripts.
std::string in_words(const Page& page) {
  std::string text;
  for (const Run& run : page.runs) {
    text += "<p>" + io::escape_xml(run.label) + ": " + io::escape_xml(run.brief) + "</p>\n";
  }
  return text;
}

std::string scripts(const Page& page) {
  std::string all = script(text_of("dygraphs"));
  if (is_spatial(page)) {
    all += script(text_of("three"));
  }
  return all + "<script type=\"application/json\" id=\"data\">" + data_of(page) + "</script>\n" +
         script(text_of("scripts"));
}

}  // namespace

Plot& Run::plot(const std::string& title, const std::string& unit, const std::vector<double>& t) {
  const auto found = std::find_if(plots.begin(), plots.end(), [&](const Plot& one) {
    return one.title == title && one.unit == unit;
  });
  if (found != plots.end()) return *found;
  Plot made;
  made.title = title;
  made.unit = unit;
  made.t = t;
  plots.push_back(std::move(made));
  return plots.back();
}

std::string html_of(const Page& page) {
  const struct {
    std::string_view place;
    std::string text;
  } places[] = {
      {"<!--title-->", io::escape_xml(page.title)},
      {"<!--styles-->", std::string(text_of("dygraphs-styles")) + std::string(text_of("styles"))},
      {"<!--words-->", in_words(page)},
      {"<!--licences-->",
       io::escape_xml(std::string(text_of("dygraphs-licence")) +
                      (is_spatial(page) ? "\n\n" + std::string(text_of("three-licence")) : ""))},
      {"<!--scripts-->", scripts(page)}};
  std::string html;
  std::string_view left = text_of("page");
  for (const auto& [place, text] : places) {
    const std::size_t at = left.find(place);
    html += left.substr(0, at);
    html += text;
    left.remove_prefix(at + place.size());
  }
  html += left;
  return html;
}

void write(const std::string& path, const Page& page) { io::write_file(path, html_of(page)); }

}  // namespace daewave::page
