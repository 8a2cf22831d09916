//! How an execution ended, read from the header it left behind.

use wire::{Class, End, Header, NULL_PAGE, SiteKey};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ending {
    pub end: End,
    /// Exit code, signal number, or class code of a violation.
    pub value: i32,
    /// The class of fault that this ending shows, if it shows one.
    pub class: Option<Class>,
    pub site: Option<SiteKey>,
    /// Program counter and faulting address, 0 when there are none. Subtract the image base for a place in
    /// the file.
    pub pc: u64,
    pub address: u64,
    /// Addresses inside the calls that are open, innermost first.
    pub stack: Vec<u64>,
    /// What the code said: the text of a failed assertion, for example.
    pub text: String,
}

impl Ending {
    /// Nothing but the way it ended is known.
    pub(crate) fn bare(end: End) -> Ending {
        Ending {
            end,
            value: 0,
            class: end.class(),
            site: None,
            pc: 0,
            address: 0,
            stack: Vec::new(),
            text: String::new(),
        }
    }

    pub(crate) fn read(header: &Header, text: String) -> Ending {
        let end = End::from_code(header.end).unwrap_or(End::Killed);
        let class = match end {
            End::Violation => {
                let code = u16::try_from(header.end_value).ok();
                Some(code.and_then(Class::from_code).unwrap_or(Class::Other))
            }
            End::Segfault if header.end_address < NULL_PAGE => Some(Class::NullDereference),
            _ => end.class(),
        };
        let site = SiteKey { tu: header.end_tu, site: header.end_site };
        Ending {
            end,
            value: header.end_value,
            class,
            site: (site.tu != 0 || site.site != 0).then_some(site),
            pc: header.end_pc,
            address: header.end_address,
            stack: header.end_stack.iter().copied().take_while(|address| *address != 0).collect(),
            text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ending(end: End, value: i32, address: u64) -> Ending {
        let header = Header { end: end as u32, end_value: value, end_address: address, ..Header::default() };
        Ending::read(&header, String::new())
    }

    #[test]
    fn classes() {
        assert_eq!(ending(End::Returned, 0, 0).class, None);
        assert_eq!(ending(End::Segfault, 11, 8).class, Some(Class::NullDereference));
        assert_eq!(ending(End::Segfault, 11, 1 << 40).class, Some(Class::Other));
        assert_eq!(ending(End::Violation, Class::DoubleFree as i32, 0).class, Some(Class::DoubleFree));
        assert_eq!(ending(End::Violation, 999, 0).class, Some(Class::Other));
    }

    #[test]
    fn an_unknown_code_is_not_believed() {
        let header = Header { end: 4711, ..Header::default() };
        assert_eq!(Ending::read(&header, String::new()).end, End::Killed);
    }
}
