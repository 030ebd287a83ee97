//! `nemosyne open`: a package in the window; without a verb, the same window without one.

use crate::cli::Open;
use crate::output::{Report, Stop};
use crate::window;

pub(crate) fn run(arguments: &Open) -> Result<Report, Stop> {
    if arguments.history {
        window::look_back(&arguments.package)?;
    } else {
        window::open(Some(&arguments.package))?;
    }
    Ok(Report::new())
}

/// The window without a package: what can be done, in a few lines.
pub(crate) fn welcome() -> Result<Report, Stop> {
    window::open(None)?;
    Ok(Report::new())
}
