//! The report in a real browser: no error on its console, and its claims can be filtered and sorted.
//!
//! Where no Chromium is installed the test says so and checks nothing; the page's text is checked elsewhere.

#![allow(clippy::unwrap_used, reason = "a test may give up")]

use std::path::{Path, PathBuf};
use std::process::Command;

use ataraid::experiment::Reproduction;
use ataraid::report::Page;
use ataraid::scenario::{Library, LoadOptions};

const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// Works the page as a reader would and writes down what comes of it.
const READER: &str = r##"<script>
addEventListener("load", () => {
  const said = {};
  const table = document.getElementById("claims-table");
  const form = document.getElementById("filters");
  const rows = () => [...table.tBodies[0].rows].filter((row) => row.getClientRects().length);
  const enter = (name, value) => {
    form.elements[name].value = value;
    form.elements[name].dispatchEvent(new Event("input", { bubbles: true }));
  };
  said.all = rows().length;
  for (const box of form.elements.state) if (box.value !== "unchecked" && box.checked) box.click();
  said.unchecked = rows().length;
  said.unchecked_only = rows().every((row) => row.dataset.state === "unchecked");
  for (const box of form.elements.state) if (!box.checked) box.click();
  enter("part", "sequential read");
  said.part = rows().length;
  enter("odd", "yes");
  said.part_odd = rows().length;
  enter("odd", "");
  enter("part", "");
  enter("text", "single DRIVE fastest");
  said.words = rows().map((row) => row.id);
  enter("text", "");
  const head = [...table.tHead.rows[0].cells].find((cell) => cell.textContent === "Claim");
  head.querySelector("button").click();
  said.ascending = [head.getAttribute("aria-sort"), rows().slice(0, 3).map((row) => row.id)];
  head.querySelector("button").click();
  said.descending = [head.getAttribute("aria-sort"), rows()[0].id];
  const plot = document.querySelector(".plot");
  plot.focus();
  plot.dispatchEvent(new KeyboardEvent("keydown", { key: "End", bubbles: true }));
  said.tip = plot.querySelector(".tip").hidden ? "" : plot.querySelector(".tip").textContent;
  said.too_wide = document.documentElement.scrollWidth > innerWidth;
  const out = document.createElement("pre");
  out.id = "said";
  out.textContent = JSON.stringify(said);
  document.body.append(out);
});
</script></body>"##;

fn browser() -> Option<PathBuf> {
    let paths = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&paths).collect();
    BROWSERS
        .iter()
        .flat_map(|name| folders.iter().map(move |folder| folder.join(name)))
        .find(|path| path.is_file())
}

/// The page's document after its scripts have run, and what the browser wrote to its log.
fn opened(browser: &Path, page: &Path, profile: &Path, width: u32) -> (String, String) {
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--dump-dom"])
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg(format!("--window-size={width},900"))
        .arg("--virtual-time-budget=5000")
        .arg(format!("file://{}", page.display()))
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (text(output.stdout), text(output.stderr))
}

/// A report of short runs, with the reader in it.
fn page() -> String {
    let sets = [("run.ramp_s", "0.05"), ("run.measure_s", "0.1"), ("sweep.arrays", "[\"1d\", \"R0x2\"]")];
    let sets = sets.iter().map(|&(path, text)| (path.to_owned(), text.to_owned())).collect();
    let options = LoadOptions { sets, runs: Some(1), ..LoadOptions::default() };
    let mut reproduction = Reproduction::load("rocketraid133", &Library::shipped(), &options).unwrap();
    reproduction.scenarios.retain(|scenario| scenario.name == "mix");
    let results = reproduction.run(Some(2), &()).unwrap();
    let claims = results.report().unwrap();
    let page =
        Page { results: &results, claims: &claims, command: "", notes: &[], extra: &[], figures: true };
    page.html().unwrap().replace("</body>", READER)
}

#[test]
fn the_report_can_be_filtered_and_sorted_in_a_browser() {
    let Some(browser) = browser() else {
        println!("skipped: none of {} is installed", BROWSERS.join(", "));
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("report.html");
    std::fs::write(&file, page()).unwrap();
    for width in [1280, 500] {
        let (document, log) = opened(&browser, &file, &folder.path().join("profile"), width);
        let errors: Vec<&str> = log.lines().filter(|line| line.contains("CONSOLE")).collect();
        assert!(errors.is_empty(), "{errors:#?}");
        let said = document.split("<pre id=\"said\">").nth(1).and_then(|rest| rest.split("</pre>").next());
        let said = said.unwrap_or_else(|| panic!("the page's script did not end\n{log}"));
        let said: serde_json::Value = serde_json::from_str(&said.replace("&gt;", ">")).unwrap();
        assert_eq!(said["all"], 98, "{said}");
        assert!(said["unchecked"].as_u64().unwrap() < 98 && said["unchecked_only"] == true, "{said}");
        let (part, odd) = (said["part"].as_u64().unwrap(), said["part_odd"].as_u64().unwrap());
        assert!(0 < odd && odd < part && part < 98, "{said}");
        assert!(said["words"].as_array().unwrap().iter().any(|id| id == "C50"), "{said}");
        assert_eq!(said["ascending"].to_string(), r#"["ascending",["C1","C2","C3"]]"#, "{said}");
        assert_eq!(said["descending"].to_string(), r#"["descending","C98"]"#, "{said}");
        assert!(said["tip"].as_str().unwrap().contains("I/O a second: "), "{said}");
        assert_eq!(said["too_wide"], false, "the page is wider than a screen of {width} pixels");
    }
}
