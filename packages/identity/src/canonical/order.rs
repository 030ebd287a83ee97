//! Open arrays and objects: where a value stands, and the order in which members leave.
//!
//! A member is written where it arrives. Only when an object closes with a member out of order are its members
//! moved, through one scratch buffer, so a body whose fields are declared in order costs no copy.

use core::ops::Range;

use crate::pointer::push_segment;
use crate::set::utf16_cmp_bytes;

struct Member {
    /// In `keys`, unescaped.
    key: Range<usize>,
    /// In the output: key, colon and value, without the comma.
    text: Range<usize>,
}

#[derive(Clone, Copy)]
enum Frame {
    Array {
        n_items: usize,
    },
    Object {
        first_member: usize,
        first_key: usize,
        in_order: bool,
    },
}

/// What is open, outermost first.
pub(super) struct Open {
    frames: Vec<Frame>,
    members: Vec<Member>,
    keys: Vec<u8>,
    scratch: Vec<u8>,
}

/// A key occurred twice; the member that repeats it is the last one.
pub(super) struct Repeated;

impl Open {
    pub(super) fn new() -> Self {
        Self {
            frames: Vec::with_capacity(16),
            members: Vec::with_capacity(64),
            keys: Vec::with_capacity(1024),
            scratch: Vec::new(),
        }
    }

    pub(super) fn depth(&self) -> usize {
        self.frames.len()
    }

    pub(super) fn array(&mut self) {
        self.frames.push(Frame::Array { n_items: 0 });
    }

    pub(super) fn object(&mut self) {
        let (first_member, first_key) = (self.members.len(), self.keys.len());
        self.frames.push(Frame::Object {
            first_member,
            first_key,
            in_order: true,
        });
    }

    /// Whether an item before this one needs a comma.
    pub(super) fn item(&mut self) -> bool {
        match self.frames.last_mut() {
            Some(Frame::Array { n_items }) => {
                *n_items += 1;
                *n_items > 1
            }
            _ => false,
        }
    }

    /// Whether a member before this one needs a comma; the caller writes it and then calls [`Open::member_begins`].
    pub(super) fn member(&mut self, key: &str) -> Result<bool, Repeated> {
        let key_begins = self.keys.len();
        self.keys.extend_from_slice(key.as_bytes());
        let member = Member {
            key: key_begins..self.keys.len(),
            text: 0..0,
        };
        let mut follows = false;
        let mut repeated = false;
        if let Some(Frame::Object {
            first_member,
            in_order,
            ..
        }) = self.frames.last_mut()
            && self.members.len() > *first_member
            && let Some(last) = self.members.last()
        {
            follows = true;
            match utf16_cmp_bytes(&self.keys[last.key.clone()], key.as_bytes()) {
                core::cmp::Ordering::Less => {}
                core::cmp::Ordering::Equal => repeated = true,
                core::cmp::Ordering::Greater => *in_order = false,
            }
        }
        self.members.push(member);
        if repeated { Err(Repeated) } else { Ok(follows) }
    }

    pub(super) fn member_begins(&mut self, at: usize) {
        if let Some(member) = self.members.last_mut() {
            member.text.start = at;
        }
    }

    pub(super) fn member_ends(&mut self, at: usize) {
        if let Some(member) = self.members.last_mut() {
            member.text.end = at;
        }
    }

    /// Closes the innermost array or object and puts the members of an object in order.
    pub(super) fn close(&mut self, out: &mut [u8]) -> Result<(), Repeated> {
        if let Some(&Frame::Object {
            first_member,
            first_key,
            in_order,
        }) = self.frames.last()
        {
            if !in_order {
                self.sort(first_member, out)?;
            }
            self.members.truncate(first_member);
            self.keys.truncate(first_key);
        }
        self.frames.pop();
        Ok(())
    }

    fn sort(&mut self, first_member: usize, out: &mut [u8]) -> Result<(), Repeated> {
        let keys = &self.keys;
        let members = &mut self.members[first_member..];
        let (Some(first), Some(last)) = (members.first(), members.last()) else {
            return Ok(());
        };
        let whole = first.text.start..last.text.end;
        // Stable, so that of two members with one key the later one is named.
        members.sort_by(|a, b| utf16_cmp_bytes(&keys[a.key.clone()], &keys[b.key.clone()]));
        let repeated = members
            .windows(2)
            .position(|two| keys[two[0].key.clone()] == keys[two[1].key.clone()]);
        if let Some(idx) = repeated {
            self.members.truncate(first_member + idx + 2);
            return Err(Repeated);
        }
        self.scratch.clear();
        for (idx, member) in members.iter().enumerate() {
            if idx > 0 {
                self.scratch.push(b',');
            }
            self.scratch.extend_from_slice(&out[member.text.clone()]);
        }
        out[whole].copy_from_slice(&self.scratch);
        Ok(())
    }

    /// Where the value that was begun last stands.
    pub(super) fn pointer(&self) -> String {
        let mut segments = Vec::new();
        // The members of an object end where those of the next object inside it begin.
        let mut end = self.members.len();
        for frame in self.frames.iter().rev() {
            match *frame {
                Frame::Array { n_items } => {
                    segments.extend(n_items.checked_sub(1).map(|idx| idx.to_string()));
                }
                Frame::Object { first_member, .. } => {
                    let member = self.members[first_member..end].last();
                    let key = member.map(|member| String::from_utf8_lossy(&self.keys[member.key.clone()]));
                    segments.extend(key.map(|key| key.into_owned()));
                    end = first_member;
                }
            }
        }
        let mut pointer = String::new();
        for segment in segments.iter().rev() {
            push_segment(&mut pointer, segment);
        }
        pointer
    }
}
