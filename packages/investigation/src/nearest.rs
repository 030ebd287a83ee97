//! The known name that is most like an unknown one.

/// The nearest of the known names by edit distance (insert, delete, replace, swap of neighbors), ignoring case; none
/// when more than a third of the letters of even the nearest differ. The first of equals wins.
#[must_use]
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let wanted: Vec<char> = name.to_lowercase().chars().collect();
    let mut best: Option<(usize, &str)> = None;
    for candidate in known {
        let letters: Vec<char> = candidate.to_lowercase().chars().collect();
        let distance = distance(&wanted, &letters);
        if distance * 3 <= wanted.len().max(letters.len()) && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate.to_owned())
}

/// Optimal string alignment distance over three rows.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before_last: Vec<usize> = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (row, &from) in a.iter().enumerate() {
        let mut current = vec![row + 1; b.len() + 1];
        for (col, &to) in b.iter().enumerate() {
            let replaced = last[col] + usize::from(from != to);
            let mut least = replaced.min(last[col + 1] + 1).min(current[col] + 1);
            if row > 0 && col > 0 && from == b[col - 1] && a[row - 1] == to {
                least = least.min(before_last[col - 1] + 1);
            }
            current[col + 1] = least;
        }
        before_last = std::mem::replace(&mut last, current);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn the_nearest_name_is_found_and_nonsense_is_not() {
        let known = ["flipper_length_mm", "body_mass_g", "bill_length_mm"];
        for (asked, expected) in [
            ("flipper_lenght_mm", Some("flipper_length_mm")),
            ("Body_Mass_G", Some("body_mass_g")),
            ("bodymass", Some("body_mass_g")),
            ("bill", None),
            ("zzzzzzzzzz", None),
        ] {
            assert_eq!(nearest(asked, known).as_deref(), expected, "{asked}");
        }
    }
}
