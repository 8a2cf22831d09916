//! From a program counter in an image to the source line, through the image's debug information.

use std::path::Path;

/// Where the code stands in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub function: String,
    pub file: String,
    pub line: u32,
    pub column: u32,
}

/// The debug information of one image, loaded once.
pub struct Symbolizer {
    loader: addr2line::Loader,
}

impl Symbolizer {
    /// None when the file has no readable debug information.
    pub fn open(image: &Path) -> Option<Symbolizer> {
        addr2line::Loader::new(image).ok().map(|loader| Symbolizer { loader })
    }

    /// The innermost place (inlined functions counted) for an address relative to the image.
    pub fn place(&self, address: u64) -> Option<Place> {
        let mut frames = self.loader.find_frames(address).ok()?;
        while let Ok(Some(frame)) = frames.next() {
            let Some(location) = frame.location else { continue };
            let function = frame.function.as_ref().and_then(|name| name.raw_name().ok());
            if let (Some(file), Some(line)) = (location.file, location.line) {
                return Some(Place {
                    function: function.map(|name| name.into_owned()).unwrap_or_default(),
                    file: file.to_owned(),
                    line,
                    column: location.column.unwrap_or(0),
                });
            }
        }
        None
    }
}
