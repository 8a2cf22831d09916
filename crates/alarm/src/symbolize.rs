//! From a program counter in an image to the source line, through the image's debug information.

use crate::Frame;
use std::path::Path;

/// The debug information of one image, loaded once.
pub struct Symbolizer {
    loader: addr2line::Loader,
}

impl Symbolizer {
    /// None when the file has no readable debug information.
    pub fn open(image: &Path) -> Option<Symbolizer> {
        addr2line::Loader::new(image).ok().map(|loader| Symbolizer { loader })
    }

    /// The innermost place for an address relative to the image.
    pub fn place(&self, address: u64) -> Option<Frame> {
        self.places(address).into_iter().next()
    }

    /// All places of an address, inlined functions first.
    pub fn places(&self, address: u64) -> Vec<Frame> {
        let mut places = Vec::new();
        let Ok(mut frames) = self.loader.find_frames(address) else { return places };
        while let Ok(Some(frame)) = frames.next() {
            let function = frame.function.as_ref().and_then(|name| name.raw_name().ok());
            let Some(location) = frame.location else { continue };
            if let (Some(file), Some(line)) = (location.file, location.line) {
                places.push(Frame {
                    function: function.map(|name| name.into_owned()).unwrap_or_default(),
                    file: file.to_owned(),
                    line,
                    column: location.column.unwrap_or(0),
                });
            }
        }
        places
    }
}
