//! A ZIP encoder that writes anything, sharing no code with the one under test.

pub(super) fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = u32::MAX;
    for byte in bytes {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = (crc >> 1) ^ (0xEDB8_8320 & (crc & 1).wrapping_neg());
        }
    }
    !crc
}

/// One header, local or central; a local one leaves the last fields out.
#[derive(Clone)]
pub(super) struct Head {
    pub(super) signature: u32,
    pub(super) made_by: u16,
    pub(super) needed: u16,
    pub(super) flags: u16,
    pub(super) method: u16,
    pub(super) time: u16,
    pub(super) date: u16,
    pub(super) crc32: u32,
    pub(super) stored: u32,
    pub(super) size: u32,
    pub(super) name: Vec<u8>,
    pub(super) extra: Vec<u8>,
    pub(super) comment: Vec<u8>,
    pub(super) disk: u16,
    pub(super) internal: u16,
    pub(super) external: u32,
}

impl Head {
    fn shared(&self, out: &mut Vec<u8>) {
        for field in [self.needed, self.flags, self.method, self.time, self.date] {
            out.extend(field.to_le_bytes());
        }
        for field in [self.crc32, self.stored, self.size] {
            out.extend(field.to_le_bytes());
        }
        out.extend((self.name.len() as u16).to_le_bytes());
        out.extend((self.extra.len() as u16).to_le_bytes());
    }

    fn local(&self, out: &mut Vec<u8>) {
        out.extend(self.signature.to_le_bytes());
        self.shared(out);
        out.extend(&self.name);
        out.extend(&self.extra);
    }

    fn central(&self, offset: u32, out: &mut Vec<u8>) {
        out.extend(self.signature.to_le_bytes());
        out.extend(self.made_by.to_le_bytes());
        self.shared(out);
        out.extend((self.comment.len() as u16).to_le_bytes());
        out.extend(self.disk.to_le_bytes());
        out.extend(self.internal.to_le_bytes());
        out.extend(self.external.to_le_bytes());
        out.extend(offset.to_le_bytes());
        out.extend(&self.name);
        out.extend(&self.extra);
        out.extend(&self.comment);
    }
}

/// One member, with junk that may stand before it and an offset that may lie.
#[derive(Clone)]
pub(super) struct Part {
    pub(super) before: Vec<u8>,
    pub(super) local: Head,
    pub(super) data: Vec<u8>,
    pub(super) central: Head,
    pub(super) offset: Option<u32>,
}

impl Part {
    pub(super) fn stored(name: &str, content: &[u8]) -> Self {
        Self::new(name, 0, content, content.to_vec())
    }

    pub(super) fn deflated(name: &str, content: &[u8]) -> Self {
        let stream = miniz_oxide::deflate::compress_to_vec(content, 9);
        Self::new(name, 8, content, stream)
    }

    fn new(name: &str, method: u16, content: &[u8], data: Vec<u8>) -> Self {
        let local = Head {
            signature: 0x0403_4b50,
            made_by: 0x0314,
            needed: 20,
            flags: 0x0800,
            method,
            time: 0,
            date: 0x0021,
            crc32: crc32(content),
            stored: data.len() as u32,
            size: content.len() as u32,
            name: name.as_bytes().to_vec(),
            extra: Vec::new(),
            comment: Vec::new(),
            disk: 0,
            internal: 0,
            external: 0o100_644 << 16,
        };
        let central = Head {
            signature: 0x0201_4b50,
            ..local.clone()
        };
        Self {
            before: Vec::new(),
            local,
            data,
            central,
            offset: None,
        }
    }

    /// Changes both headers alike.
    pub(super) fn both(&mut self, change: impl Fn(&mut Head)) {
        change(&mut self.local);
        change(&mut self.central);
    }

    pub(super) fn rename(&mut self, name: &[u8]) {
        self.both(|head| head.name = name.to_vec());
    }
}

/// The end record; `None` stands for the true value.
#[derive(Clone, Default)]
pub(super) struct End {
    pub(super) this_disk: u16,
    pub(super) directory_disk: u16,
    pub(super) here: Option<u16>,
    pub(super) members: Option<u16>,
    pub(super) size: Option<u32>,
    pub(super) offset: Option<u32>,
    pub(super) comment: Vec<u8>,
}

#[derive(Clone)]
pub(super) struct Forged {
    pub(super) parts: Vec<Part>,
    pub(super) before_directory: Vec<u8>,
    pub(super) before_end: Vec<u8>,
    pub(super) end: End,
    pub(super) after: Vec<u8>,
}

impl Forged {
    /// An honest archive of three members.
    pub(super) fn honest() -> Self {
        Self {
            parts: vec![
                Part::stored("a/first.bin", b"first content"),
                Part::deflated("b/second.json", &b"second ".repeat(40)),
                Part::stored("c/third.bin", b"third content"),
            ],
            before_directory: Vec::new(),
            before_end: Vec::new(),
            end: End::default(),
            after: Vec::new(),
        }
    }

    pub(super) fn bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        let mut offsets = Vec::new();
        for part in &self.parts {
            out.extend(&part.before);
            offsets.push(part.offset.unwrap_or(out.len() as u32));
            part.local.local(&mut out);
            out.extend(&part.data);
        }
        out.extend(&self.before_directory);
        let directory = out.len();
        for (part, offset) in self.parts.iter().zip(offsets) {
            part.central.central(offset, &mut out);
        }
        let size = out.len() - directory;
        out.extend(&self.before_end);
        let count = self.parts.len() as u16;
        out.extend(0x0605_4b50_u32.to_le_bytes());
        out.extend(self.end.this_disk.to_le_bytes());
        out.extend(self.end.directory_disk.to_le_bytes());
        out.extend(self.end.here.unwrap_or(count).to_le_bytes());
        out.extend(self.end.members.unwrap_or(count).to_le_bytes());
        out.extend(self.end.size.unwrap_or(size as u32).to_le_bytes());
        out.extend(self.end.offset.unwrap_or(directory as u32).to_le_bytes());
        out.extend((self.end.comment.len() as u16).to_le_bytes());
        out.extend(&self.end.comment);
        out.extend(&self.after);
        out
    }
}
