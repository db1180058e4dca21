//! gfd
