//! Lengths that a page holds as differences, looked at before the decoders of the `parquet` crate make room for them.
//!
//! `DELTA_BINARY_PACKED`: block size, mini blocks a block, number of values and the first value; then blocks, each with
//! its least difference, the bit width of each mini block, and the differences above the least. The texts that have
//! these lengths may repeat the beginning of the text before, so a few bytes can stand for a great many.
//!
//! Source: <https://github.com/apache/parquet-format>, `Encodings.md`.

/// Why lengths can't be believed.
pub(super) type Fault = &'static str;

/// Checks texts that come behind their lengths. `n_known` is how many there are.
pub(super) fn check_lengths(page: &[u8], n_known: u64) -> Result<(), Fault> {
    let (lengths, from) = deltas(page, n_known)?;
    behind(page, from, lengths.iter().copied()).map(|_| ())
}

/// Checks texts of which each keeps a part of the one before. `max_bytes` bounds what they come to.
pub(super) fn check_prefixed(page: &[u8], n_known: u64, max_bytes: usize) -> Result<(), Fault> {
    let (kept, from) = deltas(page, n_known)?;
    let (added, behind_lengths) = deltas(&page[from..], n_known)?;
    behind(page, from + behind_lengths, added.iter().copied())?;
    let (mut last, mut total) = (0_usize, 0_usize);
    for (&kept, &added) in kept.iter().zip(&added) {
        let kept = usize::try_from(kept).ok().filter(|&kept| kept <= last);
        let kept = kept.ok_or("a text keeps more of the one before than there is")?;
        last = kept + usize::try_from(added).unwrap_or(0);
        total = total.saturating_add(last);
        if total > max_bytes {
            return Err("the texts of a page come to more than the limit");
        }
    }
    Ok(())
}

/// Whether texts of these lengths lie in the page from an offset on.
fn behind(page: &[u8], from: usize, lengths: impl Iterator<Item = i32>) -> Result<usize, Fault> {
    let mut at = from;
    for length in lengths {
        let length = usize::try_from(length).map_err(|_| "a text is shorter than nothing")?;
        at = at
            .checked_add(length)
            .filter(|&at| at <= page.len())
            .ok_or("texts are longer than their page")?;
    }
    Ok(at)
}

/// The numbers, and where what follows them begins.
fn deltas(page: &[u8], n_known: u64) -> Result<(Vec<i32>, usize), Fault> {
    let short = "a page ends inside its lengths";
    let mut at = 0;
    let varint = |at: &mut usize| -> Result<u64, Fault> {
        let mut value = 0_u64;
        for shift in (0..64).step_by(7) {
            let byte = *page.get(*at).ok_or(short)?;
            *at += 1;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err("a length never ends")
    };
    let signed = |value: u64| (value >> 1).cast_signed() ^ -(value & 1).cast_signed();
    let (block, n_mini, total) = (varint(&mut at)?, varint(&mut at)?, varint(&mut at)?);
    let first = signed(varint(&mut at)?);
    if total != n_known {
        return Err("a page has not as many lengths as texts");
    }
    let total = usize::try_from(total).map_err(|_| short)?;
    if total == 0 {
        return Ok((Vec::new(), at));
    }
    let n_mini = usize::try_from(n_mini).ok().filter(|&n| n > 0 && n <= page.len());
    let n_mini = n_mini.ok_or("a block of lengths has no parts")?;
    let a_mini = usize::try_from(block).unwrap_or(usize::MAX) / n_mini;
    if a_mini == 0 || !a_mini.is_multiple_of(8) {
        return Err("a block of lengths is of an odd size");
    }
    let first = i32::try_from(first).map_err(|_| "a length is beyond 32 bits")?;
    let mut numbers = vec![first];
    let mut last = first;
    while numbers.len() < total {
        let least = i32::try_from(signed(varint(&mut at)?)).map_err(|_| "a length is beyond 32 bits")?;
        let widths = page.get(at..at + n_mini).ok_or(short)?;
        at += n_mini;
        for &width in widths {
            if numbers.len() == total {
                // The widths of parts that hold nothing may be anything, and nothing follows for them.
                break;
            }
            if width > 32 {
                return Err("a length is beyond 32 bits");
            }
            let n_bytes = (a_mini / 8).checked_mul(usize::from(width)).ok_or(short)?;
            let to = at.checked_add(n_bytes).ok_or(short)?;
            let packed = page.get(at..to).ok_or(short)?;
            at = to;
            let mut bits = packed
                .iter()
                .flat_map(|byte| (0..8).map(move |at| u32::from(byte >> at & 1)));
            for _ in 0..a_mini.min(total - numbers.len()) {
                let above = (0..width).fold(0, |above, at| above | bits.next().unwrap_or(0) << at);
                last = last.wrapping_add(least).wrapping_add(above.cast_signed());
                numbers.push(last);
            }
        }
    }
    Ok((numbers, at))
}
