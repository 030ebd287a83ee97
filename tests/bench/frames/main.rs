//! Frames on a graphics device: around swaps, from a plan to its first frame, from a hand to the eye, and by camera.
//!
//! A target of the program's package, not of `bench`, which links no engine. Without a window, on whatever graphics device
//! there is; Mesa's software driver will do. Under test the views are tiny and only the answers are checked; `./x bench` gives
//! the numbers, and `./x bench peers` asks this program for the frames that it lays beside those of others:
//!
//! ```sh
//! cargo bench --profile dev --workspace --bench frames
//! cargo bench --profile dev --workspace --bench frames -- sight 1000000
//! ```

mod first;
mod sight;
mod swap;
mod view;

use anyhow::{Context as _, ensure};
use bench::report::{Table, say};

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let whole = arguments.iter().any(|argument| argument == "--bench");
    let mut words = arguments.iter().filter(|argument| !argument.starts_with('-'));
    let word = words.next().map(String::as_str);
    if let Some(word @ ("serve" | "sight")) = word {
        let marks = words.next().context("how many marks")?.parse()?;
        return if word == "serve" {
            sight::serve(marks)
        } else {
            sight::tell(marks)
        };
    }
    let mut table = Table::default();
    table.extend(swap::frames(whole)?);
    table.extend(first::picture(whole)?);
    table.extend(first::answer(whole)?);
    table.extend(sight::still(whole)?);
    say(&table.to_string());
    ensure!(!whole || table.holds(), "a promise is missed");
    Ok(())
}
